/** Section 7, and what the specification leaves open: each answer leads to its exit code and a next step. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { exitCodeOf, type ErrorCode } from "../../src/client/errors.js";
import { jumpingClock } from "../client/support/clock.js";
import { loadWireFixtures, wireSecrets } from "../fixtures/wire/load.js";
import { parseJson } from "../support/json.js";
import { Machine } from "../support/program.js";
import { startStub, type Behaviour, type StubAnswer } from "../support/stub-service.js";

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

const json = (body: unknown, status: number): StubAnswer => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});
const bodies: readonly (readonly [string, Omit<StubAnswer, "status">])[] = [
  ["no body", {}],
  ["JSON that isn't the API's", { headers: { "content-type": "application/json" }, body: '{"error":"no"}' }],
  ["broken JSON", { headers: { "content-type": "application/json" }, body: '{"code": 40' }],
  ["text", { headers: { "content-type": "text/plain" }, body: "Slow down \u001b[31mplease" }],
  ["HTML", { headers: { "content-type": "text/html" }, body: "<h1>Gateway</h1>" }],
];

describe("what a status means whatever its body is", () => {
  const statuses = [
    [401, 3],
    [403, 4],
    [404, 9],
    [429, 7],
    [302, 9],
    [500, 9],
    [503, 9],
  ] as const;
  test.concurrent.each(
    statuses.flatMap(([status, exit]) => bodies.map(([name, body]) => ({ status, exit, name, body }))),
  )("$status with $name is exit $exit", async ({ status, exit, body }) => {
    const headers = { ...body.headers, ...(status === 302 && { location: "http://127.0.0.1:9/x" }) };
    const { code, stdout, stderr, requests } = await ask({ ...body, status, headers }, [
      "orders",
      "dispatch",
      "7",
    ]);
    expect({ code, stdout }).toEqual({ code: exit, stdout: "" });
    expect(stderr).toMatch(/error: .+\n(?: {2}.+\n)+$/);
    expect(stderr).not.toContain("\u001b");
    expect(requests).toHaveLength(1);
  });

  test.concurrent.each([400, 402, 403, 404, 409, 410, 418, 422, 429])(
    "code 4002 under %i is exit 6",
    async (status) => {
      const body = { code: 4002, message: "Order status cannot be changed" };
      const { code, stderr, requests } = await ask(json(body, status), ["orders", "dispatch", "7"]);
      expect(code).toBe(6);
      expect(stderr).toContain("the order's status can't be changed");
      expect(requests).toHaveLength(1);
    },
  );

  test.concurrent.each([
    [4000, 400, 2, "invalid_request"],
    [4010, 400, 3, "token_refused"],
    [4041, 400, 5, "not_found"],
    [4999, 400, 2, "invalid_request"],
  ])("code %i under %i is exit %i", async (code, status, exit, name) => {
    const result = await ask(json({ code, message: "No", details: "Not so" }, status), [
      ...["orders", "finalize", "7", "--json"],
    ]);
    expect(result.code).toBe(exit);
    expect(parseJson(result.stderr)).toMatchObject({
      error: {
        exit_code: exit,
        code: name,
        service_code: code,
        http_status: status,
        details: "Not so",
        hint: expect.any(String) as string,
      },
    });
    expect(parseJson(result.stdout)).toMatchObject({
      outcome: "refused",
      code: name,
      service_code: code,
      message: "No",
    });
  });

  test.concurrent.each([200, 201, 202, 204])("%i with an empty body is success", async (status) => {
    expect((await ask({ status }, ["orders", "cancel", "7"])).code).toBe(0);
  });

  test("HTML with 200 is no success: a page in between may have answered", async () => {
    const page = { status: 200, headers: { "content-type": "text/html" }, body: "<h1>Welcome</h1>" };
    const { code, stdout } = await ask(page, ["orders", "dispatch", "7", "--json"]);
    expect(code).toBe(9);
    expect(parseJson(stdout)).toMatchObject({ outcome: "unknown", code: "outcome_unknown" });
  });
});
