// SPDX-License-Identifier: MIT
//
// Test Anything Protocol for the page's tests.
let number = 0;
let failures = 0;

/** Passes when there are no problems; the first ten are shown. */
export function check(words, problems = []) {
  ++number;
  failures += problems.length > 0 ? 1 : 0;
  console.log(`${problems.length > 0 ? "not ok" : "ok"} ${number} - ${words}`);
  for (const problem of problems.slice(0, 10)) console.log(`# ${String(problem).replaceAll("\n", "\n# ")}`);
}

export function checkThat(words, isGood, detail = "") {
  check(words, isGood ? [] : [typeof detail === "string" ? detail : JSON.stringify(detail)]);
}

export function finish() {
  console.log(`1..${number}`);
  return failures > 0 ? 1 : 0;
}
