/** The tools of `comanda mcp` that change something: who gets them, what the user is asked, what is sent, and what the result says. */
import path from "node:path";

import { describe, expect, onTestFinished, test, vi } from "vitest";

import { containing, matching } from "../support/output.js";
import { alone, openMcpBench, type McpClient } from "../support/mcp-bench.js";
import { sized } from "../support/soak.js";

const { bench, open, inProcess, answer, asking, asker } = await openMcpBench();
const writer = await open(alone);

// Two drivers with the same name, and another one.
for (const driver_id of [12, 13, 14]) await bench.order({ driver_id });

/** Returns the input of a cancellation of a new order. */
const cancellation = async () => ({ action: "cancel", orders: [await bench.order()], store: "centro" });

/** Returns the ids of orders that don't exist. */
const absentOrders = (length: number) => Array.from({ length }, (_, index) => String(90_000_000 + index));

/** Returns the error of a call about which the user isn't asked. */
async function errorWithoutQuestion(tool: string, input: Readonly<Record<string, unknown>>) {
  const { error } = await asker.result(tool, input);
  expect(asker.questions).toEqual([]);
  return error;
}

const names = ["change_order", "assign_driver", "create_prefilled_order", "settle_order"];
const listed = async ({ client }: McpClient) => {
  const { tools } = await client.listTools();
  return tools.map(({ name }) => name).filter((name) => names.includes(name));
};

test("tools for changes are listed and run if they are allowed and the client can ask, or needn't", async () => {
  const reader = await inProcess();
  const mute = await inProcess({ args: ["--allow-writes"] });
  expect({
    reader: await listed(reader),
    mute: await listed(mute),
    writer: await listed(writer),
    asker: await listed(asker),
  }).toEqual({ reader: [], mute: [], writer: names, asker: names });
  const input = await cancellation();
  expect(await reader.result("change_order", input)).toMatchObject({
    error: { code: "forbidden", hint: containing("--allow-writes") },
  });
  expect(await mute.result("change_order", input)).toMatchObject({
    error: { code: "forbidden", message: containing("can't ask the user") },
  });
  expect(bench.requests()).toEqual([]);
});

describe("a change", () => {
  test.each([
    ["decline", "The user declined."],
    ["cancel", "The user closed the question."],
    [new Error("no window"), "The app couldn't show the question to the user."],
  ] as const)("is not sent if the client answers %s", async (given, message) => {
    if (given instanceof Error) answer.mockRejectedValue(given);
    else answer.mockReturnValue(given);
    const { isError, structuredContent } = await asker.call("change_order", await cancellation());
    const error = { code: "interrupted", outcome: "failed", message: `${message} Nothing was sent.` };
    expect({ isError, ...structuredContent }).toMatchObject({ isError: true, error });
    expect(bench.requests()).toEqual([]);
  });

  test("that isn't recorded in the history is done with a notice that says so", async () => {
    const env = {
      COMANDA_CONFIG_DIR: path.join(import.meta.filename, "none"),
      COMANDA_BASE_URL: bench.emulator.baseUrl,
      COMANDA_ACCESS_TOKEN: bench.emulator.service.server.install(501).access_token,
    };
    const client = await inProcess({ ...alone, env });
    const input = { action: "cancel", orders: [await bench.order()] };
    const { orders, notices } = await client.result("change_order", input);
    expect(orders).toMatchObject([{ outcome: "done" }]);
    expect(notices).toContainEqual(containing("The outcome is not recorded in the history."));
  });

  test("is not sent if the client gives up during the question", async () => {
    const client = await inProcess(asking);
    const leaving = new AbortController();
    answer.mockImplementation(async () => {
      leaving.abort();
      // The server has received the cancellation before the answer.
      await client.client.ping();
      return "accept" as const;
    });
    const call = client.call("change_order", await cancellation(), { signal: leaving.signal });
    await expect(call).rejects.toThrow();
    await client.call("list_stores");
    expect(client.questions).toHaveLength(1);
    expect(bench.requests()).toEqual([]);
  });

  test("must name its store if there are several, unless COMANDA_STORE does", async () => {
    const input = { action: "dispatch", orders: [await bench.order()] };
    const hint = "Set the field store to one of: centro, norte.";
    expect(await errorWithoutQuestion("change_order", input)).toMatchObject({ code: "usage", hint });
    expect(bench.requests()).toEqual([]);
    const client = await inProcess({ ...asking, env: { COMANDA_STORE: "centro" } });
    const result = await client.result("change_order", input);
    expect(result).toMatchObject({ store: "centro", totals: { done: 1 } });
    const about = containing("A call without store is for centro (COMANDA_STORE).");
    expect(await client.result("list_stores")).toMatchObject({ about });
  });

  test("is sent once if the user agrees, and the question names store, orders and reason", async () => {
    const ids = await bench.orders(3);
    const input = { action: "cancel", orders: ids, reason: "no\ndough", store: "centro" };
    const result = await asker.result("change_order", input);
    expect(asker.questions).toEqual([
      `Cancel orders at centro?\nOrders: 3 (${ids.join(", ")})\nReason: no\\ndough`,
    ]);
    expect(result).toMatchObject({
      about: matching(/^At centro: 3 accepted\.\n.* can still undo it/),
      orders: ids.map((order_id) => ({ order_id, action: "cancel", outcome: "done" })),
    });
    expect(bench.statuses(ids)).toEqual(["canceled", "canceled", "canceled"]);
    expect(bench.requests()).toHaveLength(3);
  });

  test("of 300 orders is asked for with their number and the first ids", async () => {
    answer.mockReturnValue("decline");
    const orders = absentOrders(300);
    await asker.call("change_order", { action: "finalize", orders, store: "centro" });
    const first = orders.slice(0, 10).join(", ");
    expect(asker.questions).toEqual([`Finalize orders at centro?\nOrders: 300 (${first}, … and 290 more)`]);
  });

  test("is asked for in the language of the machine, and answered in English", async () => {
    const client = await open({ ...asking, env: { COMANDA_LANG: "pt-BR" } });
    const input = { action: "deliver", orders: ["99999999"], store: "centro" };
    const { error } = await client.result("change_order", input);
    expect(client.questions).toEqual(["Marcar pedidos em centro como entregues?\nPedidos: 1 (99999999)"]);
    const message = containing("order not found");
    expect(error).toMatchObject({ code: "not_found", outcome: "refused", message });
  });

  test("of a list that another call is sending is refused, and nothing is sent twice", async () => {
    bench.emulator.service.faults.set([{ delay: 200, operation: "dispatchOrder" }]);
    const input = { action: "dispatch", orders: await bench.orders(2), store: "centro" };
    const results = await Promise.all([1, 2].map(() => writer.result("change_order", input)));
    const message = "This list is already being sent. Nothing was sent.";
    const error = { code: "lock_timeout", message, hint: "Wait, then check order_history." };
    expect(results.find((result) => result["error"])).toMatchObject({ error });
    expect(results.find((result) => !result["error"])).toMatchObject({ totals: { done: 2 } });
    expect(bench.requests()).toHaveLength(2);
  });

  test("of more orders than fit in the result says where their outcomes are, and not to send it again", async () => {
    const input = { action: "dispatch", orders: absentOrders(250), store: "centro" };
    const { orders: lines, omitted, notices } = await writer.result("change_order", input);
    const left = 250 - (lines as readonly object[]).length;
    expect(omitted).toEqual({ orders: left });
    expect(notices).toEqual([
      `The outcomes of ${left} more orders are in order_history. Don't send them again.`,
    ]);
    bench.emulator.service.faults.set([{ status: 403, path: "/finalize" }]);
    const unsent = await writer.result("change_order", { ...input, action: "finalize" });
    expect(unsent["notices"]).toEqual([matching(/^More orders that were not sent: \d+\.$/)]);
    const listed = await writer.result("order_history", { limit: 250 });
    const older = 250 - (listed["changes"] as readonly object[]).length;
    expect(listed["notices"]).toEqual([matching(`too long: ${older}\\. To get them, narrow the request`)]);
  });

  test.each([
    [{ order_type: "delivery", customer_phone: "+55 11" }, "customer_phone"],
    [{ order_type: "takeout", address: { street: "A" } }, "order_type takeout can't be used with address"],
  ])("that the API wouldn't accept is an error that names the tool's field: %j", async (fields, named) => {
    const error = await errorWithoutQuestion("create_prefilled_order", { ...fields, store: "centro" });
    expect(error).toMatchObject({ exit_code: 2, message: matching(`^${named}`) });
  });

  test("of several orders lists first those that need attention", async () => {
    const id = await bench.order();
    const input = { action: "dispatch", orders: [id, "99999999"], store: "centro" };
    const { structuredContent, content } = await asker.call("change_order", input);
    expect(structuredContent).toMatchObject({
      totals: { orders: 2, done: 1, refused: 1 },
      orders: [
        { order_id: "99999999", outcome: "refused" },
        { order_id: id, outcome: "done" },
      ],
      error: { code: "some_failed", outcome: "refused", message: "1 of 2 orders was not changed." },
    });
    expect(content[0]?.text).toContain("At centro: 1 done, 1 refused.");
  });

  test.each([
    [["4.711"], { message: containing('"4.711" (orders[0])') }],
    ["4711, 4712", { hint: containing('Pass each order id as a separate text: ["4711","4712"].') }],
  ])("that can't be sent is refused without a question: %j", async (orders, expected) => {
    const input = { action: "dispatch", orders, store: "centro" };
    const error = await errorWithoutQuestion("change_order", input);
    expect(error).toMatchObject({ code: "invalid_input", ...expected });
  });

  test("of a driver is asked for with the full name, the id and the fee in the store's format", async () => {
    await bench.inProcess("stores set centro --currency BRL --locale pt-BR");
    onTestFinished(() => void bench.inProcess("stores set centro --locale en"));
    const order = await bench.order();
    const input = { order, driver: "12", store: "centro" };
    const { structuredContent, content } = await asker.call("assign_driver", { ...input, fee: 7.5 });
    const { name = "" } = bench.emulator.world.drivers.get(12) ?? {};
    expect(asker.questions).toEqual([
      `Assign a driver at centro?\nOrder: ${order}\nDriver: ${name} (12)\nFee: R$\u00a07,50`,
    ]);
    expect(structuredContent).toMatchObject({
      ...{ store: "centro", order_id: order, outcome: "done", driver: { id: 12, name } },
      order: { id: Number(order), status: "confirmed", driver_id: 12, driver_fee: 7.5 },
    });
    expect(JSON.stringify(structuredContent)).not.toContain("customer");
    expect(content[0]?.text).toContain(`At centro: assign driver ${name} (12) to order ${order}: done.`);
    const cleared = await asker.result("assign_driver", { ...input, driver: name, clear_fee: true });
    expect(cleared).toMatchObject({ order: { driver_fee: null } });
    expect(asker.questions.at(-1)).toContain("\nFee: remove");
  });

  test("whose driver's name is ambiguous lists both drivers, and asks and sends nothing", async () => {
    const input = { order: await bench.order(), driver: "carlos silva", store: "centro" };
    const message = matching(/"carlos silva" matches several drivers: .*\(13; .*\(14; /);
    const error = await errorWithoutQuestion("assign_driver", input);
    expect(error).toMatchObject({ code: "invalid_input", outcome: "failed", message });
    expect(bench.stored(input.order).driverId).toBeNull();
  });

  const prefilled = {
    order_type: "delivery",
    customer_name: "Ana",
    customer_phone: null,
    items: [{ item_id: "3002", quantity: 2, observation: "no onion" }, { item_id: 3001 }],
    address: { street: "Rua A", number: "5", complement: null },
  };

  test("is sent without a question to a client that can't ask, with --without-asking", async () => {
    const withKey = await inProcess({ ...alone, env: bench.keyEnvironment() });
    const { structuredContent, content } = await withKey.call("create_prefilled_order", prefilled);
    const link = containing("http");
    expect(structuredContent).toMatchObject({ store: null, order_url: link, checkout_url: link });
    expect(content[0]?.text).toContain(String(structuredContent["order_url"]));
  });

  test("of a customer's order is asked for in words", async () => {
    const withKey = await inProcess({ ...asking, env: bench.keyEnvironment() });
    await withKey.call("create_prefilled_order", { ...prefilled, customer_phone: "11999990000" });
    expect(withKey.questions).toEqual([
      matching(
        /^Create a pre-filled order at \S+\?\nOrder type: delivery\nCustomer: Ana, 11999990000\nItems: 2 × 3002 \(no onion\); 1 × 3001\nAddress: Rua A, 5$/,
      ),
    ]);
  });

  test("whose answer is lost is unknown, sent once, and can be settled", async () => {
    const id = await bench.order();
    bench.emulator.service.faults.set([{ reset: true, when: "after", operation: "dispatchOrder" }]);
    const input = { action: "dispatch", orders: [id], store: "centro" };
    expect(await asker.result("change_order", input)).toMatchObject({
      orders: [{ order_id: id, outcome: "unknown" }],
      error: { code: "outcome_unknown", outcome: "unknown", hint: containing("settle_order") },
    });
    expect(bench.requests()).toHaveLength(1);
    const query = { outcome: "unknown", order: id };
    const changes = [{ order_id: id, outcome: "unknown" }];
    expect(await asker.result("order_history", query)).toMatchObject({ changes });
    const found = { order: id, outcome: "done", note: "portal", store: "centro" };
    expect(await asker.result("settle_order", found)).toMatchObject({
      about: matching(new RegExp(`^Order ${id} at centro: the change "dispatch" sent at .* as "done"\\.$`)),
      change: { settled: { outcome: "done", note: "portal" } },
      remaining: 0,
    });
    expect(asker.questions.at(-1)).toMatch(
      /^Record an outcome at centro\?\nOrder: \d+\nOperation: dispatch, 20.*\nOutcome: done\nNote: portal$/,
    );
    expect(await asker.result("order_history", query)).toMatchObject({ changes: [] });
  });

  test("that the user confirmed is the one whose outcome is recorded, whatever is sent meanwhile", async () => {
    const order = await bench.order();
    const lose = (operation: "dispatchOrder" | "deliverOrder") =>
      bench.emulator.service.faults.set([{ reset: true, when: "after", operation }]);
    lose("dispatchOrder");
    await bench.inProcess(`orders dispatch ${order} --store centro`);
    lose("deliverOrder");
    answer.mockImplementation(async () => {
      await bench.inProcess(`orders deliver ${order} --store centro`);
      return "accept" as const;
    });
    const settled = { order, outcome: "done", store: "centro" };
    expect(await asker.result("settle_order", settled)).toMatchObject({
      change: { operation: "dispatchOrder" },
    });
    expect(asker.questions).toEqual([containing("\nOperation: dispatch, ")]);
    expect(await asker.result("order_history", { outcome: "unknown", order })).toMatchObject({
      changes: [{ operation: "deliverOrder" }],
    });
  });

  test("is not sent if the store was signed out while the user was asked", async () => {
    const change = await cancellation();
    const input = bench.emulator.world.storeOf(501).apiKey;
    await bench.inProcess("login --api-key --store chave --env test", { input });
    bench.forgetRequests();
    answer.mockImplementation(async () => {
      await bench.inProcess("logout --store chave");
      return "accept" as const;
    });
    const result = await asker.result("change_order", { ...change, store: "chave" });
    await bench.inProcess("stores remove chave");
    expect(asker.questions).toEqual([containing("Cancel orders at chave?")]);
    const message = "The store chave is not signed in.";
    expect(result).toMatchObject({ error: { code: "not_signed_in", message } });
    expect(bench.requests()).toEqual([]);
  });

  test("that was recorded is recorded again only after a question with its facts and the earlier outcome", async () => {
    const order = await bench.order();
    bench.emulator.service.faults.set([{ reset: true, when: "after", operation: "cancelOrder" }]);
    await bench.inProcess(`orders cancel ${order} --yes --reason again --store centro`);
    await bench.inProcess(`orders cancel ${order} --yes --reason again --store centro`);
    const settled = { order, outcome: "done", store: "centro" };
    expect(await asker.result("settle_order", settled)).toMatchObject({
      about: containing("\nChanges to this order whose outcome is still unknown: 1."),
    });
    await asker.call("settle_order", settled);
    await asker.call("settle_order", { ...settled, outcome: "not-done" });
    const facts = `Record an outcome at centro\\?\nOrder: ${order}\nOperation: cancel, reason=again, 20.*\n`;
    expect(asker.questions).toEqual([
      matching(new RegExp(`^${facts}Outcome: done$`)),
      matching(new RegExp(`^${facts}Outcome: done$`)),
      matching(new RegExp(`^${facts}Recorded outcome: done\nOutcome: not-done$`)),
    ]);
  });

  test("that is canceled at any moment is sent at most once, and the server continues", async () => {
    bench.emulator.service.faults.set([{ delay: 20, operation: "dispatchOrder" }]);
    const rounds = sized({ test: 4, search: 40, soak: 100 });
    for (let round = 0; round < rounds; round += 1) {
      const ids = await bench.orders(30);
      bench.forgetRequests();
      const signal = AbortSignal.timeout(round * (round % 2 === 0 ? 4 : 30));
      const input = { action: "dispatch", orders: ids, store: "centro" };
      await writer.call("change_order", input, { signal }).catch(() => undefined);
      // The canceled call still waits for answers, and holds the lock of the list.
      await vi.waitFor(async () => {
        const result = await writer.result("change_order", { ...input, resume: true });
        expect(result).toMatchObject({ orders: { length: 30 } });
      }, 20_000);
      const sent = bench.requests();
      expect(sent.toSorted()).toEqual([...new Set(sent)].toSorted());
    }
    expect(writer.stderr).toBe("");
  });
});
