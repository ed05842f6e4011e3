/** `comanda counter`: each line runs one command. */
import { afterAll, beforeAll, expect, test } from "vitest";

import { StoreDesk } from "../support/desk.js";

let store: StoreDesk;
beforeAll(async () => {
  store = await StoreDesk.open();
});
afterAll(() => store.close());

test("an evening's lines change orders, confirm a cancellation once, and print each outcome", async () => {
  const [first = "", second = "", third = ""] = await store.orders(3);
  const answers = [
    ...[`d ${first} 11`, `e ${first}`, `f #${first}`, `e ${first}`],
    ...[`c ${second} no dough`, "y", `c ${third}`, "perhaps", "n", "x", "", "q"],
  ];
  const { code, stdout, stderr } = await store.comanda("counter", { answers });
  expect(code).toBe(0);
  expect(stdout.split("\n").filter((line) => /^Order|^Cancellation|^Nothing|^Type/.test(line))).toEqual([
    `Order ${first} dispatched at centro.`,
    `Order ${first} delivered at centro.`,
    `Order ${first} finalized at centro.`,
    expect.stringMatching(new RegExp(`^Order ${first} at centro: .*status`)),
    `Cancellation of order ${second} accepted at centro.`,
    "Nothing was changed.",
    "Type one line for each action:",
  ]);
  // Any other word than yes or no repeats the question.
  expect(stderr.match(new RegExp(`Cancel order ${third} at centro\\?`, "g"))).toHaveLength(2);
  expect(stdout.match(/^Today at centro, as of .*:\n\d+ orders?, /gm)).toHaveLength(2);
  expect(store.stored(first).driverId).toBe(11);
  expect(store.statuses([first, second, third])).toEqual(["closed", "canceled", "confirmed"]);
});

test("a driver's name is looked up with the service, and the confirmation states name and id", async () => {
  const [order = ""] = await store.orders(1);
  await store.order({ driver_id: 13, created_at: "2026-11-18T15:00:00Z" });
  await store.comanda("grouped --by driver_id --period 2026-11-18");
  await store.order({ driver_id: 14, created_at: "2026-11-17T15:00:00Z" });
  await store.order({ driver_id: 12, created_at: "2026-11-17T15:00:00Z" });
  const answers = [`d ${order} carlos`, "", `d ${order} bia`, "q"];
  const { stdout } = await store.comanda("counter", { answers });
  expect(stdout).toContain("Nothing was changed.\n");
  expect(stdout).toMatch(
    new RegExp(
      `^Driver Bia .+ \\(12\\) assigned to order ${order}\\.\nOrder ${order} dispatched at centro\\.$`,
      "m",
    ),
  );
});

test("the counter accepts capital letters, several orders for e and f, and words for help and quit", async () => {
  const [first = "", second = ""] = await store.orders(2);
  for (const quit of ["Q", "quit", "exit", "SAIR"]) {
    const { code, stdout } = await store.comanda("counter", { answers: ["Help", "ajuda", quit] });
    expect({ code, lists: stdout.match(/^ {2}d 4711 bia /gm)?.length }, quit).toEqual({ code: 0, lists: 2 });
    expect(stdout).not.toContain("Unknown");
  }
  const unknown = await store.comanda("counter", { answers: ["x 4711", "d", "q"] });
  expect(unknown.stdout.match(/^Unknown command .*$/gm)).toEqual(["Unknown command 'x'."]);
  const answers = [`D ${first}`, `D ${second}`, `E ${first} 99999999 ${second}`, `f ${first} x`, "q"];
  const { stdout } = await store.comanda("counter", { answers });
  expect(stdout).toContain(`Order ${second} delivered at centro.\n`);
  expect(stdout).toMatch(/^Order 99999999 at centro: .+\n {2}.*display_id/m);
  expect(stdout).toContain('Invalid order id: "x" (argument 2). Nothing was sent.');
  expect(store.statuses([first, second])).toEqual(["delivered", "delivered"]);
});

test("the counter stops at an error that would affect every order of a line", async () => {
  const ids = await store.orders(2);
  store.forgetRequests();
  store.emulator.service.faults.set([{ status: 403, path: "/finalize" }]);
  const { stdout } = await store.comanda("counter", { answers: [`f ${ids.join(" ")}`, "q"] });
  store.emulator.service.faults.set([]);
  expect(stdout.match(/^Order \d+ at centro: /gm)).toHaveLength(1);
  expect(store.requests().filter((request) => request.startsWith("POST"))).toHaveLength(1);
});

test("the counter prints why the service rejected a driver", async () => {
  const [order = ""] = await store.orders(1);
  const { stdout } = await store.comanda("counter", { answers: [`d ${order} 999`, "q"] });
  expect(stdout).toMatch(/refused the request \(HTTP 400\)\. .*active driver/);
});

test("the counter says what to do about an unknown outcome", async () => {
  const [order = ""] = await store.orders(1);
  store.emulator.service.faults.set([{ status: 503, path: "/dispatch", times: 1 }]);
  const { stdout } = await store.comanda("counter", { answers: [`d ${order}`, "q"] });
  expect(stdout).toContain(`comanda history settle ${order} not-done`);
});

test("the counter exits with code 2 without a terminal, and names the commands for scripts", async () => {
  const { code, stderr } = await store.comanda("counter");
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining(": comanda orders, comanda driver assign, comanda summary\n") as string,
  });
});
