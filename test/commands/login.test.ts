/** `login` where nobody has to be waited for; login-lines.test.ts has whole sign-ins. */
import { readdirSync } from "node:fs";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { freePort } from "../support/free-port.js";
import { Desk } from "../support/desk.js";

let desk: Desk;
beforeEach(async () => {
  desk = new Desk();
  const nobody =
    "--base-url http://127.0.0.1:9 --auth-url http://127.0.0.1:9/portal/authorize --client-id test";
  await desk.run(`env set test ${nobody} --redirect-uri http://127.0.0.1:${await freePort()}/callback`);
});
afterEach(() => desk.remove());

describe("a key", () => {
  test("is not read from a terminal where nothing may be asked", async () => {
    const line = "login --api-key --store centro --env test --no-input";
    expect((await desk.run(line, { answers: [] })).error).toMatchObject({ code: "usage" });
  });
});

describe("a sign-in", () => {
  test("without a terminal says at once what to do, and stores nothing", async () => {
    const { error, stdout } = await desk.run("login --store centro --env test");
    expect(error).toMatchObject({
      code: "usage",
      hint: expect.stringMatching(/at a terminal.*--no-browser[^]*login --api-key --store centro/) as string,
    });
    expect(stdout).toBe("");
    expect(
      readdirSync(desk.folder, { recursive: true }).filter((name) => String(name).includes("centro")),
    ).toEqual([]);
  });

  test.each([
    ["which store", "login --env test", /Which store\?/],
    ["which environment", "login --store centro", /Which environment\?/],
  ])("asks %s by an error where nobody is there", async (_, line, message) => {
    expect((await desk.run(line)).error).toMatchObject({
      code: "usage",
      message: expect.stringMatching(message) as string,
    });
  });
});
