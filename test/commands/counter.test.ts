/** `comanda counter`: each line runs one command. */
import { afterEach, describe, expect, test } from "vitest";

import { ComandaError } from "../../src/base/errors.js";
import type { FaultInput } from "../../src/emulator/inputs.js";
import type { InProcessOptions } from "../support/context.js";
import { containing, Desk, matching, StoreDesk } from "../support/desk.js";
import { startStub } from "../support/stub-service.js";

const store = await StoreDesk.open();

/** Runs the counter, and joins the lines that its terminal breaks. */
async function counter(answers: readonly string[], options?: InProcessOptions) {
  const { code, stdout, stderr } = await store.comanda("counter", { answers, ...options });
  return { code, stdout, said: stderr.replaceAll(/\s+/g, " ") };
}

test("an evening's lines change orders, confirm a cancellation once, and print each outcome", async () => {
  const [first = "", second = "", third = ""] = await store.orders(3);
  const answers = [
    ...[`d ${first} 11 7,50`, "y", `e ${first}`, `f #${first}`, `e ${first}`],
    ...[`c ${second} 2 burnt`, "y", `c ${third}`, "perhaps", "n", "", "q"],
  ];
  const { code, stdout, said } = await counter(answers);
  expect(code).toBe(0);
  expect(said).toContain(`error: Order ${first} at centro: the order's status doesn't allow this change.`);
  expect(stdout.split("\n").filter((line) => /^Driver|^Order|^Cancellation|^Nothing/.test(line))).toEqual([
    matching(/^Driver .*11.* assigned to order \d+ at centro\. Fee: 7\.50\.$/),
    `Order ${first} dispatched at centro.`,
    `Order ${first} delivered at centro.`,
    `Order ${first} finalized at centro.`,
    `Cancellation of order ${second} accepted at centro.`,
    "Nothing was changed.",
  ]);
  expect(said).toContain(`Cancel order ${second} at centro? Reason: "2 burnt". You can't undo this. (y/N)`);
  // Any other word than yes or no repeats the question.
  expect(said.match(new RegExp(`Cancel order ${third} at centro\\?`, "g"))).toHaveLength(2);
  expect(stdout.match(/^Today at centro, as of .*:\n\d+ orders?, /gm)).toHaveLength(2);
  expect(store.stored(first)).toMatchObject({ driverId: 11, driverFee: 7.5 });
  expect(store.statuses([first, second, third])).toEqual(["closed", "canceled", "confirmed"]);
});

test("a line that is typed as the answer to a question isn't executed later, and the counter says so", async () => {
  const [canceled = "", typed = ""] = await store.orders(2);
  const asked = [`c ${canceled}`, `D #${typed}`, `D #${typed}`, "n"];
  const { stdout } = await counter([...asked, "q"]);
  expect(stdout).toContain("Nothing was changed.");
  // Each time, even if the line is the same.
  expect(stdout.match(new RegExp(`Not processed: D #${typed}`, "g"))).toHaveLength(2);
  expect(store.statuses([canceled, typed])).toEqual(["confirmed", "confirmed"]);
});

test("a driver's name is looked up with the service, and the confirmation states name and id", async () => {
  const [order = ""] = await store.orders(1);
  await store.order({ driver_id: 13, created_at: "2026-11-18T15:00:00Z" });
  await store.comanda("grouped --by driver_id --period 2026-11-18");
  await store.order({ driver_id: 14, created_at: "2026-11-17T15:00:00Z" });
  await store.order({ driver_id: 12, created_at: "2026-11-17T15:00:00Z" });
  // A name isn't an id, so the question is repeated.
  const answers = [`d ${order} carlos`, "Carlos Silva", "", `d ${order} bia`, "q"];
  const { stdout, stderr } = await store.comanda("counter", { answers });
  expect(stderr.match(/Driver's id/g)).toHaveLength(2);
  expect(stderr).not.toMatch(/Not processed|Unknown command/);
  expect(stdout).toContain("Nothing was changed.\n");
  expect(stdout).toMatch(
    /^Driver Bia .+ \(12\) assigned to order (\d+) at centro\.\nOrder \1 dispatched at centro\.$/m,
  );
});

test("the counter shows its help, and reports a list of orders as a command does", async () => {
  const help = await counter(["?", "q"]);
  expect(help.stdout).toMatch(/^ {2}d 4711 bia 7\.50 {2}assign a driver/m);
  const [first = "", second = ""] = await store.orders(2);
  const answers = [`D ${first}`, `D ${second}`, `E ${first} 99999999 ${second}`, `f ${first} x`, "q"];
  const { stdout, said } = await counter(answers);
  expect(stdout).toMatch(/^ORDER +OUTCOME +REASON\n99999999 +refused +Order not found\.$/m);
  expect(said).toContain("2 done, 1 refused error: 1 of 3 orders was not changed.");
  expect(said).toContain('Invalid order id: "x" (argument 2). Nothing was sent.');
  expect(store.statuses([first, second])).toEqual(["delivered", "delivered"]);
});

describe("the counter assigns a driver", () => {
  test("only after a confirmation that says why the id can't be checked, and not without a sign-in", async () => {
    const other = await StoreDesk.open();
    const [order = ""] = await other.orders(1);
    const line = [`a ${order} 12`, "n", "q"];
    const { stderr } = await other.comanda("counter", { answers: line });
    expect(stderr.replaceAll(/\s+/g, " ")).toContain(
      "The drivers' names aren't cached, so comanda can't check the id 12. Assign driver 12 to order",
    );
    const keyOnly = { tokens: undefined, api_key: other.keyOf() };
    await other.signIn("centro", 501, (session) => ({ ...session, ...keyOnly }));
    const refused = await other.comanda("counter", { answers: [`a ${order} 12`, "q"] });
    expect(refused.stderr).toContain("error: The store centro is not signed in.");
    expect(refused.stderr).not.toContain("(y/N)");
  });

  test("whose id may be an order only after one confirmation", async () => {
    const [one = "", two = ""] = await store.orders(2);
    await store.order({ driver_id: 13, created_at: "2026-11-19T15:00:00Z" });
    await store.comanda("grouped --by driver_id --period 2026-11-19");
    const question = (why: string, id: string) =>
      new RegExp(`${id} ${why}\\. Assign driver ${id} to order`, "g");
    const [unknown, ambiguous] = ["isn't a known driver's id", "may be an order"];
    const refused = await counter([`c ${one} #996`, `d ${one} 997`, "n", `c ${one} 997 closed`, "q"]);
    expect(refused.said).toContain(`error: "996" may be an order. Nothing was sent.`);
    expect(refused.said).toMatch(question(unknown, "997"));
    expect(refused.stdout).toContain("Nothing was changed.");
    expect(refused.said).toContain(`error: "997" may be an order. Nothing was sent.`);
    // The first line is about the order that the second one names as a driver.
    const { said: twice } = await counter([`c ${two}`, "n", `d ${one} ${two}`, "n", "q"]);
    expect(twice).toMatch(question(ambiguous, two));
    expect(store.statuses([one, two])).toEqual(["confirmed", "confirmed"]);
    // Figures name driver 13, but not 998.
    const { said } = await counter([`a ${one} 13`, `a ${one} 998`, "y", `a ${two} 998`, "q"]);
    expect(said).not.toContain("Assign driver 13");
    expect(store.stored(one)).toMatchObject({ status: "confirmed", driverId: 13 });
    expect(said.match(question(unknown, "998"))).toHaveLength(1);
    // The journal contains a change of an order with the number of the known driver.
    await store.comanda("orders deliver 13");
    expect((await counter([`a ${one} 13`, "n", "q"])).said).toMatch(question(ambiguous, "13"));
  });
});

describe("the counter says what was not sent", () => {
  const { faults } = store.emulator.service;
  afterEach(() => faults.set([]));
  test("if orders weren't sent, and to type them again", async () => {
    const ids = await store.orders(2);
    faults.set([{ rate_limit: 120, path: "/finalize" }]);
    const env = { COMANDA_RATE_LIMITS: "off" };
    const { stdout, said } = await counter([`f ${ids.join(" ")}`, "q"], { env });
    expect(stdout).toMatch(new RegExp(`^${ids[0]} +refused`, "m"));
    expect(said).toContain("To send what wasn't sent, type those orders again.");
    expect(said).not.toContain("--resume");
  });

  test("if the driver's name can't be looked up", async () => {
    const [order = ""] = await store.orders(1);
    // The answers of earlier tests are no longer cached.
    store.desk.pass(11 * 60_000);
    faults.set([{ status: 403, path: "/summary" }]);
    const { said } = await counter([`d ${order} zuleica`, "q"]);
    expect(said).toContain(
      "error: The drivers' names can't be looked up: the service refused the request (HTTP 403). Nothing was changed.",
    );
    expect(store.statuses([order])).toEqual(["confirmed"]);
  });

  test.each<[string, FaultInput[], string]>([
    [
      "refuses",
      [],
      "(HTTP 400). The order was not dispatched. Service response: Invalid parameters: driver_id",
    ],
    ["doesn't confirm", [{ status: 503, path: "/driver" }], "was changed. The order was not dispatched."],
  ])("if the service %s the driver", async (_, given, reason) => {
    const [order = ""] = await store.orders(1);
    faults.set(given);
    const { said } = await counter([`d ${order} 999`, "y", "q"]);
    expect(said).toContain(`error: Order ${order} at centro: `);
    expect(said).toContain(reason);
    expect(store.stored(order)).toMatchObject({ status: "confirmed", driverId: null });
  });
});

test("the counter counts the retries of each line, and reports them with that line", async () => {
  const { faults } = store.emulator.service;
  store.desk.pass(11 * 60_000);
  faults.set([{ status: 503, path: "/summary" }]);
  const { said } = await counter(["", "q"]);
  faults.set([]);
  expect(said).not.toContain("retries: 4");
  const reports = said.match(/(Retried 3 times: the service was unreachable or failing\. .{0,20}centro>)/g);
  expect(reports).toHaveLength(2);
});

test("the counter reports the outcome of the order in flight when it is interrupted, like a command", async () => {
  const [order = ""] = await store.orders(1);
  const { faults } = store.emulator.service;
  faults.set([{ hang: true, path: "/delivered" }]);
  store.forgetRequests();
  const interruption = new AbortController();
  const ended = counter([`e ${order}`], { signal: interruption.signal });
  await expect.poll(() => store.requests().at(-1)).toMatch(/delivered$/);
  interruption.abort(new ComandaError("interrupted", "Interrupted."));
  const { code, said } = await ended;
  faults.set([]);
  expect(code).toBe(130);
  expect(said).toContain(`error: Order ${order} at centro: the request was sent, but its outcome is unknown`);
  expect(said).toContain(`comanda history settle ${order} not-done`);
  expect(said).not.toContain("try again");
});

/** Opens a store to which someone signs in again while a change is sent, whose response has this status. */
async function signedInAgain(status: number) {
  const desk = new Desk();
  const stub = await startStub();
  await desk.signIn("centro", stub.url, "at_old");
  stub.behave((response) => {
    const { method, headers } = stub.requests.at(-1) ?? {};
    const isOld = headers?.authorization === "Bearer at_old";
    const summary = { total_order_count: isOld ? 3 : 5, total_revenue: 0, average_order_value: 0 };
    if (method === "GET") response.end(JSON.stringify(summary));
    else if (!isOld) response.writeHead(204).end();
    else {
      desk.pass(1000);
      void desk.signIn("centro", stub.url, "at_new").then(() => response.writeHead(status).end());
    }
  });
  return { desk, stub };
}

test("the counter sends and shows nothing after a new sign-in until the user continues with it", async () => {
  const { desk, stub } = await signedInAgain(401);
  const answers = ["e 7 8", "n", "", "n", "e 7", "y", "e 7", "q"];
  const { stdout, stderr } = await desk.run("counter", { answers });
  const asked = stderr.match(/Continue with the new sign-in to centro\? \(y\/N\)/g);
  expect(asked).toHaveLength(3);
  expect(stderr).toContain("error: 2 of 2 orders were not changed.\n  Nothing more was sent,");
  const shown = ["3 orders", "5 orders", "Order 7 delivered at centro."];
  expect(stdout.match(/^\d+ orders|^Order 7.*/gm)).toEqual(shown);
  const sent = stub.requests.map(({ method, headers }) => `${method} ${headers.authorization}`);
  const others = sent.filter((request) => request !== "POST Bearer at_old");
  expect(others).toEqual(["GET Bearer at_old", "GET Bearer at_new", "POST Bearer at_new"]);
});

test("the counter shows no cached figures after a new sign-in that this process hasn't read", async () => {
  const { desk } = await signedInAgain(204);
  const { stdout, stderr } = await desk.run("counter", { answers: ["e 7", "", "n", "q"] });
  expect(stdout.match(/^\d+ orders|^Order 7.*/gm)).toEqual(["3 orders", "Order 7 delivered at centro."]);
  expect(stderr).toContain("Continue with the new sign-in to centro?");
});

test.each([
  ["renamed", "stores rename centro novo", 'There is no store "centro" on this machine.'],
  ["signed out, although it still has the key", "logout", "error: The store centro is not signed in.\n"],
])("the counter sends nothing after its store was %s", async (_, line, message) => {
  const desk = new Desk();
  const stub = await startStub();
  const keyOnly = { tokens: undefined, api_key: "key" };
  await desk.signIn("centro", stub.url, "", (session) => ({ ...session, ...keyOnly }));
  stub.behave((response) => void desk.run(line).then(() => response.writeHead(204).end()));
  const { stdout, stderr } = await desk.run("counter", { answers: ["e 7", "e 8", "q"] });
  expect(stdout).toMatch(/^Order 7 delivered at centro\.$/m);
  expect(stderr).toContain(message);
  expect(stub.requests).toHaveLength(1);
});

test("the counter exits with code 2 without a terminal, and names the commands for scripts", async () => {
  const hint = containing("See: comanda orders --help\n");
  expect(await store.comanda("counter")).toMatchObject({ code: 2, stderr: hint });
});
