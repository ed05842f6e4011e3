/** What the output of all commands has in common. Invalid input never causes a stack trace, and changes nothing. */
import { expect, test } from "vitest";

import { Bench, matching, parseJson } from "../support/bench.js";
import { snapshot } from "../support/folder-state.js";
const bench = await Bench.open();
await bench.signIn();

test("--quiet prints only results and errors", async () => {
  const ids = await Promise.all([1, 2].map(() => bench.order()));
  const ran = await bench.inProcess(`orders dispatch ${ids.join(" ")} --quiet --format csv`);
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  expect(ran.stdout.trim().split("\n")).toHaveLength(3);
  // A sentence isn't a result: the exit code is enough.
  const deliver = `orders deliver ${ids[0] ?? ""}`;
  for (const line of ["stores use centro", "stores set centro --currency BRL", deliver])
    expect(await bench.inProcess(`${line} --quiet`)).toEqual({ code: 0, stdout: "", stderr: "" });
});

const amazonas = /for --tz\.[^]*AM has two time zones\. Use America\/Manaus or America\/Eirunepe\./;
const production =
  /Did you mean \\?"production\\?"\?[^]*comanda env set prodution --base-url <url> --auth-url <url> --client-id <id>/;

test.each<[string, string, RegExp]>([
  ["driver assign 1", "usage", /id or name is missing\.[^]*comanda driver list/],
  ["summary --all-stores --store centro", "usage", /--all-stores can't be used with --store/],
  ["stores list --format csv --json", "usage", /--json can't be used with --format csv/],
  ["orders dispatch 1 2,3", "invalid_input", /argument 2[^]*Separate the ids with spaces: 2 3/],
  ["orders dispatch 1 -", "usage", /\\?"-\\?" must be the only argument\. Nothing was sent\./],
  ["driver assign 4.7 1", "invalid_input", /4\.7.+argument 1[^]*for example 4711/],
  ["driver assign 7 0", "invalid_input", /\\?"0\\?" isn't a driver's id or name\. Nothing was sent/],
  ["summary --tz am", "invalid_input", amazonas],
  ["summary --period today --from today", "invalid_input", /--period can't be used with --from/],
  ["summary --to today", "invalid_input", /--from is missing\.[^]* --from 2026-10-01 --to 2026-10-05/],
  ["summary --filter foo=1", "invalid_input", /Unknown field \\?"foo\\?" in --filter 'foo=1'\./],
  ["driver assign 7 11 --fee=-1", "invalid_input", /at most two/],
  ["demo --json", "usage", /--json can't be used with comanda demo/],
  ["driver assign 7 11 --fee 1 --clear-fee", "usage", /--fee can't be used with --clear-fee/],
  ["history --order x", "invalid_input", /\(--order\)\.(?! Nothing)/],
  ["status --store x", "invalid_input", /no store .*x/],
  ["login --store centro --env local", "invalid_input", /belongs to/],
  ["login --store x --env prodution", "configuration", production],
])("%s exits with code 2 and a hint, and changes and sends nothing", async (line, code, message) => {
  bench.forgetRequests();
  const before = snapshot(bench.machine.configFolder);
  const asJson = line.endsWith("--json") ? line : `${line} --json`;
  const [text, json] = [await bench.inProcess(line), await bench.inProcess(asJson)];
  for (const { code: exit, stdout, stderr } of [text, json]) {
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: "" });
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/^\s+at |node:internal/m);
  }
  if (asJson !== line) expect(text.stderr).toMatch(/^error: .+[^.][.?]\n(?: {2}.+\n)+$/m);
  expect(json.stderr.trimEnd().split("\n")).toHaveLength(1);
  const withoutResponse = { service_code: null, http_status: null, details: null, evidence: null };
  const texts = { message: matching(/^\S.*[^.][.?]$/s), hint: matching(/\S/) };
  const error = { exit_code: 2, code, outcome: "failed", ...withoutResponse, ...texts };
  expect(parseJson(json.stderr)).toEqual({ error });
  expect(snapshot(bench.machine.configFolder)).toEqual(before);
  expect(bench.requests()).toEqual([]);
});
