/** What a started process adds to test/commands/api-calls.test.ts: its streams, a reader that goes, a terminal. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { Machine } from "../support/program.js";
import { startStub, type StubService } from "../support/stub-service.js";
import { atTerminal, terminalAvailable } from "../support/terminal.js";

describe("with a service that only records", () => {
  let stub: StubService;
  let machine: Machine;
  beforeAll(async () => {
    stub = await startStub();
    machine = new Machine({
      COMANDA_BASE_URL: `${stub.url}/base`,
      COMANDA_ACCESS_TOKEN: "TOKEN",
      COMANDA_API_KEY: "KEY",
    });
  });
  afterAll(async () => {
    await stub.close();
    machine.remove();
  });
  beforeEach(() => stub.behave({ status: 200, headers: { "content-type": "application/json" }, body: "{}" }));

  test("streams stdin to the service, and hands its answer to stdout to the letter", async () => {
    const body = "ü\u0000".repeat(1024 * 1024);
    stub.behave({ status: 200, body });
    const input = "y".repeat(3 * 1024 * 1024);
    const { code, stdout } = await machine.run(["api", "POST", "/x", "--input", "-"], { input });
    expect([code, stdout === body, stub.requests[0]?.body.length]).toEqual([0, true, input.length]);
  });

  describe.skipIf(!terminalAvailable)("at a terminal", () => {
    test("escapes what isn't JSON", async () => {
      stub.behave({ status: 200, body: "<p>\u001b]0;title\u0007</p>" });
      const { stdout } = await atTerminal(machine, ["api", "GET", "/x"]);
      expect(stdout).toContain(String.raw`<p>\x1b]0;title\x07</p>`);
    });
  });
});
