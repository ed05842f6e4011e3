/** Values of `TZ` that Node can't name. */
import { describe, expect, test } from "vitest";

import { Bench } from "../support/bench.js";

const bench = await Bench.open({ rateLimits: false, env: { COMANDA_RATE_LIMITS: "off" } });
await bench.signIn();

describe.each(["summary --period today", "report --period today --out -", "history drivers --period today"])(
  "%s",
  (line) => {
    test.each(["/nowhere/localtime", "junk", "CET-1CEST,M3.5.0,M10.5.0/3"])(
      "reports an unknown zone with TZ=%s, and how to set it",
      async (TZ) => {
        const { code, stdout, stderr } = await bench.comanda(line, { env: { TZ } });
        expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
        expect(stderr).toContain(`The time zone of this machine is unknown (TZ: ${TZ}).`);
        expect(stderr).toContain("comanda stores set centro --tz <zone>");
      },
    );
  },
);

test("doctor reports an unknown zone as a failure, and never proposes it", async () => {
  const { code, stdout } = await bench.comanda("doctor", { env: { TZ: "junk" } });
  expect({ code, stdout }).toEqual({
    code: 1,
    stdout: expect.stringMatching(/time zone of centro +failure[^]*stores set centro --tz <zone>/) as string,
  });
  expect(stdout).not.toMatch(/undefined|TZ=junk/);
  const known = await bench.comanda("doctor", { env: { TZ: ":/etc/localtime" } });
  expect(known.stdout + known.stderr).not.toMatch(/undefined|fault/);
});

test("figures are counted, and times shown, in a fixed offset", async () => {
  const { stdout, stderr } = await bench.comanda("summary --period today", { env: { TZ: "<+0530>-5:30" } });
  expect(stdout).toContain("(+05:30)");
  expect(stderr).toContain("in this machine's time zone, +05:30.");
  await bench.inProcess("stores set centro --tz=+05:30");
  const status = await bench.comanda("status");
  expect(status.stdout).toMatch(/\d\d:\d\d:\d\d \+05:30/);
});
