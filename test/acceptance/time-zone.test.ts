/** Values of `TZ` that Node can't name. */
import { expect, test, vi } from "vitest";

import { Bench } from "../support/bench.js";

const bench = await Bench.open({ rateLimits: false, env: { COMANDA_RATE_LIMITS: "off" } });
await bench.signIn();

/** Runs a command line in this process, whose own time zone is set as well. */
function runWith(TZ: string, line: string) {
  vi.stubEnv("TZ", TZ);
  return bench.inProcess(line, { env: { TZ } });
}

test("figures report an unknown zone, and how to set it", async () => {
  const { code, stdout, stderr } = await runWith("junk", "summary --period today");
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain("The time zone of this machine is unknown (TZ: junk).");
  expect(stderr).toContain("comanda stores set centro --tz <zone>");
});

test("doctor reports an unknown zone as a failure, and never proposes it", async () => {
  const { code, stdout } = await runWith("junk", "doctor");
  expect(code).toBe(1);
  expect(stdout).toMatch(/time zone of centro +failure[^]*stores set centro --tz <zone>/);
  expect(stdout).not.toMatch(/undefined|TZ=junk/);
  const known = await runWith(":/etc/localtime", "doctor");
  expect(known.stdout + known.stderr).not.toMatch(/undefined|fault/);
});

test("figures are counted, and times shown, in a fixed offset", async () => {
  const { stdout, stderr } = await runWith("<+0530>-5:30", "summary --period today");
  expect(stdout).toContain("(+05:30)");
  expect(stderr).toContain("in this machine's time zone, +05:30.");
  await bench.inProcess("stores set centro --tz=+05:30");
  const { stdout: status } = await runWith("<+0530>-5:30", "status");
  expect(status).toMatch(/\d\d:\d\d:\d\d \+05:30/);
});
