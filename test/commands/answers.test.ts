/** Section 7, and what the specification leaves open: each answer leads to its exit code and a next step. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { exitCodeOf, type ErrorCode } from "../../src/client/errors.js";
import { jumpingClock } from "../client/support/clock.js";
import { loadWireFixtures, wireSecrets } from "../fixtures/wire/load.js";
import { Machine } from "../support/program.js";
import { startStub, type Behaviour } from "../support/stub-service.js";

let machine: Machine;
beforeAll(() => {
  machine = new Machine();
});
afterAll(() => machine.remove());

/** Each has a service of its own, so that they can run side by side. */
const ask = async (behaviour: Behaviour, args: readonly string[]) => {
  const stub = await startStub();
  stub.behave(behaviour);
  const env = {
    COMANDA_BASE_URL: stub.url,
    COMANDA_ACCESS_TOKEN: wireSecrets.bearer,
    COMANDA_RATE_LIMITS: "off",
  };
  const result = await machine.inProcess([...args, "--max-wait", "0"], { env, clock: jumpingClock() });
  await stub.close();
  return { ...result, requests: stub.requests };
};

const commands: Readonly<Record<string, readonly string[]>> = {
  dispatchOrder: ["orders", "dispatch", "1001"],
  deliverOrder: ["orders", "deliver", "1001"],
  finalizeOrder: ["orders", "finalize", "1001"],
  cancelOrder: ["orders", "cancel", "1003"],
  assignDriver: ["driver", "assign", "1004", "7"],
};

const isCode = (name: string): name is ErrorCode => name in exitCodeOf;
const exitCodeFor = (means: string) => {
  if (means === "success") return 0;
  if (!isCode(means)) throw new Error(`no error is called ${means}`);
  return exitCodeOf[means];
};

const answers = loadWireFixtures()
  .filter(({ operation }) => operation in commands)
  .flatMap(({ operation, answers: of }) =>
    of.map((answer) => ({ ...answer, operation, exit: exitCodeFor(answer.means) })),
  );

describe("the wire fixtures", () => {
  test.concurrent.each(answers)(
    "$operation, $status: $comment (exit $exit)",
    async ({ operation, exit, ...answer }) => {
      const command = commands[operation] ?? [];
      const { code, stdout, stderr, requests } = await ask(answer, command);
      expect(code).toBe(exit);
      if (exit === 0) expect({ stdout: stdout !== "", stderr }).toEqual({ stdout: true, stderr: "" });
      else {
        expect(stdout).toBe("");
        expect(stderr).toMatch(/^(?:The service .+\n)*error: .+\n(?: {2}.+\n)+$/);
        expect(stderr).not.toMatch(/^\s+at /m);
      }
      // A call that may have been done is not sent again.
      if (operation !== "assignDriver") expect(requests).toHaveLength(1);
    },
  );
});

test.concurrent.each([200, 201, 202, 204])("%i with an empty body is success", async (status) => {
  expect((await ask({ status }, ["orders", "cancel", "7"])).code).toBe(0);
});
