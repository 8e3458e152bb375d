#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""test_parquet.py BUILD: `lttng-gpu export --to parquet`. Where the build has libparquet, DuckDB ($DUCKDB, else duckdb in PATH) reads
the file back, and its rows are those of `lttng-gpu jobs`. Where it has not, the error and --help say what is missing. Prints TAP."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

here = Path(__file__).resolve().parent
sys.path.insert(0, str(here.parent))
from tap import Tap

lttng_gpu = Path(sys.argv[1]).resolve() / "lttng-gpu"
duckdb = os.environ.get("DUCKDB") or shutil.which("duckdb")
traces = {"linux-6.12": here.parent / "golden/linux-6.12/kernel", "linux-7.2": here.parent / "golden/linux-7.2/kernel",
          "opencl": here / "traces/opencl-rounds"}
# What no sign can have; other numbers have one. DuckDB quotes these in JSON, because they are too large for some readers of it.
unsigned = {"context", "seqno", "interval", "api_calls"}
tap = Tap()


def run(*arguments):
    return subprocess.run([lttng_gpu, *map(str, arguments)], capture_output=True, timeout=600)


def differences(expected, got):
    if len(expected) != len(got):
        return [f"{len(got)} rows instead of {len(expected)}"]
    return [f"job {number}: {name} is {there.get(name)!r} instead of {value!r}" for number, (row, there) in enumerate(zip(expected, got))
            for name, value in row.items() if there.get(name) != value][:20]


def ask(query):
    result = subprocess.run([duckdb, "-json", "-c", query], capture_output=True, text=True, timeout=600)
    if result.returncode:
        raise RuntimeError(result.stderr)
    return json.loads(result.stdout)


def types_of(file):
    return {column["column_name"]: column["column_type"] for column in ask(f"DESCRIBE SELECT * FROM '{file}'")}


def rows_of(file, types):
    return [{name: int(value) if types[name] == "UBIGINT" and value is not None else value for name, value in row.items()}
            for row in ask(f"SELECT * FROM '{file}'")]


def wrong_types(rows, types):
    """A column's type is that of its values in JSON."""
    expected = {name: "UBIGINT" if name in unsigned else "BIGINT" if isinstance(value, int) else "VARCHAR" for row in rows
                for name, value in row.items()
                if value is not None}
    return [f"{name}: {types.get(name)} instead of {type}" for name, type in expected.items() if types.get(name) != type]


def read_back(name, trace, folder):
    rows = json.loads(run("jobs", "--format", "json", trace).stdout)
    file = folder / f"{name}.parquet"
    result = run("export", "--to", "parquet", trace, "-o", file)
    tap.check_that(f"{name}: exported", result.returncode == 0, result.stderr)
    piped = run("export", "--to", "parquet", trace)
    tap.check_that(f"{name}: standard output has the same", piped.stdout == file.read_bytes(), piped.stderr)
    if not duckdb:
        tap.check(f"{name}: read by DuckDB", skip="no duckdb in PATH or DUCKDB")
        return
    try:
        types = types_of(file)
        tap.check(f"{name}: columns and their types", wrong_types(rows, types) + sorted(set(rows[0]) ^ set(types)))
        tap.check(f"{name}: DuckDB reads the same jobs", differences(rows, rows_of(file, types)))
        counted = ask(f"SELECT count(*) AS jobs, count(started_ns) AS started, sum(completed_ns - queued_ns)::BIGINT AS latency FROM "
                      f"'{file}'")[0]
        both = [row["completed_ns"] - row["queued_ns"] for row in rows if row["completed_ns"] and row["queued_ns"]]
        expected = {"jobs": len(rows), "started": sum(row["started_ns"] is not None for row in rows), "latency": sum(both)}
        tap.check_that(f"{name}: and counts them", {key: int(value) for key, value in counted.items()} == expected, (counted, expected))
    except RuntimeError as error:
        tap.check(f"{name}: DuckDB reads it", [str(error)])


def missing():
    """What a build without it says."""
    result = run("export", "--to", "parquet", traces["linux-7.2"], "-o", "/dev/null")
    tap.check_that("the error says what is missing", result.returncode == 2 and b"libparquet" in result.stderr, result.stderr)
    for name in traces:
        tap.check(f"{name}: read by DuckDB", skip="this build has no libparquet")


with tempfile.TemporaryDirectory(prefix="lttng-gpu-parquet-") as place:
    if b"built without" in run("export", "--help").stdout:
        missing()
    else:
        for case, of in traces.items():
            read_back(case, of, Path(place))
sys.exit(tap.finish())
