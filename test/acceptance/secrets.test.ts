/** Section 5.3, rule 5: no secret is in the output or in a file other than the sessions. */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, test } from "vitest";

import { Bench } from "../support/bench.js";
import { filesIn } from "../support/folder-state.js";
import { jumpingClock } from "../client/support/clock.js";
import { startWitness } from "../support/witness.js";

const planted = () => `planted_${randomBytes(12).toString("hex")}`;

describe("after sign-ins, failures and --debug", async () => {
  const bench = await Bench.open({ rateLimits: false, env: { COMANDA_RATE_LIMITS: "off" } });
  const { authUrl, clientId, redirectUri, service, url } = bench.emulator;
  const witness = await startWitness(url);
  const run = (line: string, input = "", env = {}) =>
    bench.inProcess(`${line} --debug`, { input, env, clock: jumpingClock(Date.now()) });
  const login = () => bench.login("--store centro --env test --debug");
  await run(
    `env set test --base-url ${witness.url} --auth-url ${authUrl} --client-id ${clientId} --redirect-uri ${redirectUri}`,
  );
  service.server.accessSeconds = 5;
  await login();
  service.server.accessSeconds = 7200;
  const key = bench.keyOf();
  witness.note("api_key", key);
  await run("login --api-key --store centro --env test", key);
  await run("login --api-key --store chave --env test", key);
  for (const line of [
    ...["status --check", "orders dispatch 99999999", "orders cancel 99999998 99999999 --yes"],
    ...["orders dispatch 1 --dry-run", "driver assign 99999999 11"],
    ...["orders dispatch 99999999 --store chave", "orders dispatch 1 --store chave --dry-run"],
  ])
    for (const json of ["", " --json"]) await run(line + json);
  // The service returns its input, and every kind of fault.
  const faults = ["status=400", "status=403", "status=500", "garbage", "html", "reset", "truncate"];
  const { readFault } = await import("../../src/emulator/http/faults.js");
  for (const fault of faults) {
    service.faults.set([readFault(fault)]);
    await run("orders dispatch 99999999");
    await run("status --check --json");
  }
  service.faults.set([]);
  const [access, bad] = [planted(), planted()];
  witness.note("access_token", access);
  witness.note("api_key", bad);
  const variables = { COMANDA_BASE_URL: witness.url };
  await run("orders dispatch 1 --json", "", { ...variables, COMANDA_ACCESS_TOKEN: access });
  await run("orders dispatch 1", "", { ...variables, COMANDA_API_KEY: bad });
  await run("login --api-key --store torta --env test", `${bad} ${bad}`);
  await run(`orders dispatch 1 --store chave`, "", { COMANDA_STORE: "centro" });
  service.server.uninstall(501);
  await run("orders dispatch 99999999");
  await login();
  await run("logout --all");
  await login();

  test("the witness has seen every kind of secret", () => {
    const kinds = [...witness.secrets.values()];
    for (const kind of ["code", "code_verifier", "access_token", "refresh_token", "api_key"]) {
      expect(kinds).toContain(kind);
    }
    expect(witness.secrets.size).toBeGreaterThan(12);
  });

  test("the output contains no secret", () => {
    expect(bench.machine.written).toMatch(/^debug: POST http.*\/dispatch \(attempt 1\): 404/m);
    expect(bench.machine.written).toMatch(/^debug: The access token of the store centro was renewed\.$/m);
    expect(found(bench.machine.written, witness.secrets)).toEqual([]);
  });

  test("only the session files contain secrets", () => {
    const { folder } = bench.machine;
    const files = filesIn(folder);
    const outside = files.filter((name) => !/config\/sessions\/s-\w+\.json$/.test(name));
    expect(outside.length).toBeGreaterThan(0);
    const texts = outside.map((name) => `${name}\n${readFileSync(path.join(folder, name), "latin1")}`);
    expect(found(texts.join("\n"), witness.secrets)).toEqual([]);
    // The search finds the secrets in the session.
    const session = readFileSync(path.join(folder, "config/sessions/s-centro.json"), "utf8");
    const both = ["access_token", "refresh_token"];
    expect(found(session, witness.secrets)).toEqual(expect.arrayContaining(both));
  });

  test("the emulator's log contains no secret", () => {
    expect(found(JSON.stringify(bench.emulator.service.log.entries()), witness.secrets)).toEqual([]);
  });
});

/** Returns the kinds of secrets in a text, unchanged or encoded for a URL or as base64. */
function found(text: string, secrets: ReadonlyMap<string, string>): string[] {
  const base64 = (secret: string) => Buffer.from(secret).toString("base64").replace(/=+$/, "");
  const formsOf = (secret: string) => [secret, encodeURIComponent(secret), base64(secret)];
  const isIn = (secret: string) => formsOf(secret).some((form) => text.includes(form));
  return [...secrets].flatMap(([secret, kind]) => (isIn(secret) ? [kind] : []));
}
