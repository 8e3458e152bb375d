// SPDX-License-Identifier: MIT
//
// bundle.mjs SRC OUT: joins the modules of SRC with their libraries from OUT/node_modules and puts
// them into SRC/page.html.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const [source, out] = process.argv.slice(2).map((path) => resolve(path));
const esbuild = createRequire(join(out, "package.json"))("esbuild");

async function bundled(entry) {
  const result = await esbuild.build({
    entryPoints: [join(source, entry)],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: ["chrome109", "firefox115", "safari16.4"],
    legalComments: "inline",
    nodePaths: [join(out, "node_modules")],
  });
  return result.outputFiles[0].text;
}

const program = await bundled("main.js");
const style = await bundled("page.css");
if (/<\/script|<!--/i.test(program) || /<\/style/i.test(style)) {
  throw new Error("the program has text that ends its element");
}
const page = readFileSync(join(source, "page.html"), "utf8")
  .replace("/*style*/", () => style)
  .replace("/*program*/", () => program);
writeFileSync(join(out, "page.html"), page);
