/** The program's exit code and streams for each kind of answer; test/commands/answers.test.ts has every answer. */
import { afterAll, expect, test } from "vitest";

import { Machine } from "../support/program.js";
import { startStub } from "../support/stub-service.js";

const machine = new Machine();
afterAll(() => machine.remove());

test.concurrent.each([
  [204, undefined, 0],
  [409, 4002, 6],
  [500, undefined, 9],
] as const)("HTTP %i with the code %s: the program ends with %i", async (status, code, exit) => {
  const stub = await startStub();
  const headers = { "content-type": "application/json" };
  stub.behave(
    code === undefined ? { status } : { status, headers, body: JSON.stringify({ code, message: "No" }) },
  );
  const env = { COMANDA_BASE_URL: stub.url, COMANDA_ACCESS_TOKEN: "at_exit", COMANDA_RATE_LIMITS: "off" };
  const ended = await machine.run(["orders", "dispatch", "7", "--max-wait", "0"], { env });
  await stub.close();
  expect({ code: ended.code, signal: ended.signal }).toEqual({ code: exit, signal: null });
  if (exit === 0)
    expect({ ...ended, stdout: ended.stdout !== "" }).toMatchObject({ stdout: true, stderr: "" });
  else
    expect(ended).toMatchObject({
      stdout: "",
      stderr: expect.stringMatching(/^error: .+\n(?: {2}.+\n)+$/) as string,
    });
});
