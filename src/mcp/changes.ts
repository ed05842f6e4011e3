/** The tools that change something. Each names its store, and asks the user before anything is sent. */
import * as z from "zod";

import { check, newPrefilledOrderSchema } from "../api/input.js";
import type { PrefilledOrderBody } from "../api/models.js";
import { statusChangeNames } from "../api/operations.js";
import { ComandaError } from "../base/errors.js";
import { orderId, orderIds } from "../cli/input.js";
import { totalsText } from "../cli/notices.js";
import { firstProblems, printable } from "../cli/text.js";
import { chooseStore, openConnection, type Connection } from "../core/connection.js";
import {
  assignDriver,
  describeAssignment,
  driverName,
  listDrivers,
  type NamedDriver,
} from "../core/drivers.js";
import { settle } from "../core/history.js";
import { changeOrders, describeChanges, type ListEnd, type SettledOrder } from "../core/orders.js";
import { readPreferences } from "../core/preferences.js";
import { prefill } from "../core/prefill.js";
import * as results from "../core/results.js";
import { capitalized, t, translated, type Word } from "../languages/language.js";
import { settledAs } from "../state/journal.js";
import { numberFormat } from "../views/amounts.js";
import { chooseDriver } from "../views/drivers.js";
import { amount, flag, inputOf, integer, text, texts, writeStore } from "./inputs.js";
import { tableOf } from "./texts.js";
import { mayBeUndone, oneOf, type AddTool, type Call } from "./tools.js";

const asks = "comanda asks the user before it sends anything.";

export function addChangingTools(add: AddTool): void {
  add({
    name: "change_order",
    title: "Change the status of orders",
    description: `Dispatches, delivers, finalizes or cancels orders. ${asks} A finalized or canceled order can't be changed anymore, so a cancellation can't be taken back here. ${mayBeUndone}`,
    writes: "destructive",
    input: inputOf({
      action: z.enum(statusChangeNames).describe("dispatch: send out, or ready for pickup; finalize: close"),
      orders: texts("order ids, digits only; not the number printed on the ticket (display_id)"),
      reason: text("reason of a cancellation, stored with the order", 2000).optional(),
      resume: flag("skip orders done in the last 24 hours, and those whose outcome is unknown"),
      store: writeStore,
    }),
    output: {
      store: z.string().nullable(),
      totals: z.looseObject({}),
      orders: z.array(results.orderLine),
    },
    async run(call, { action, orders: typed, reason, resume = false, store }) {
      const orders = orderIds(typed.entries(), (index) => `orders[${index}]`);
      if (reason !== undefined && action !== "cancel")
        throw new ComandaError("invalid_input", "reason can only be used with the action cancel.");
      const connection = await openForWrite(call, store);
      const input = reason === undefined ? {} : { cancellation_reason: reason };
      const wanted = { action, orders, input, resume };
      // Input that can't be sent is rejected before the user is asked.
      await describeChanges(connection, { ...wanted, orders: orders.slice(0, 1), resume: false });
      await confirm(call, connection, () => [
        translated(action),
        ["orders", `${orders.length} (${firstProblems(orders).join(", ")})`],
        ["Reason", reason],
      ]);
      const settled: SettledOrder[] = [];
      let end: ListEnd | undefined;
      for await (const item of changeOrders(connection, wanted)) {
        if ("totals" in item) end = item;
        else settled.push(item);
      }
      const needsAttention = ({ line }: SettledOrder) => Number(line.outcome !== "done");
      settled.sort((one, other) => needsAttention(other) - needsAttention(one) || one.index - other.index);
      const lines = settled.map(({ line }) =>
        line.action === "cancel" && line.outcome === "done" ? { ...line, message: mayBeUndone } : line,
      );
      const { totals, failure } = end ?? {};
      const about = [`At ${connection.label}: ${totals ? totalsText(action, totals) : "stopped"}.`];
      if (action === "cancel" && totals && totals.done > 0) about.push(mayBeUndone);
      const fields = ["order_id", "action", "outcome", "code", "message"] as const;
      const rows = settled.map(({ line }) => line);
      return {
        count: lines.length,
        answer: async (most) => ({
          about,
          document: { store: connection.store ?? null, totals, orders: lines.slice(0, most) },
          text: await tableOf(rows.slice(0, most), fields),
          failure,
        }),
      };
    },
  });
  add({
    name: "assign_driver",
    title: "Assign a driver",
    description: `Assigns a driver to a delivery order, replaces the driver, or changes or removes the driver's fee. ${asks} Only with fee or clear_fee does the fee change; changing it requires naming the driver again (order_history with order shows who was assigned from here).`,
    writes: "destructive",
    input: inputOf({
      order: text("order id, digits only"),
      driver: text("driver's id, or the name or its start, as in list_drivers"),
      fee: amount("what the driver is paid for the order, such as 7.5; 0: nothing").optional(),
      clear_fee: flag("remove the fee"),
      store: writeStore,
    }),
    output: results.assignment.shape,
    async run(call, { order: typed, driver: named, fee: paid, clear_fee, store }) {
      oneOf({ fee: paid, clear_fee });
      const order = orderId(typed, "order");
      const connection = await openForWrite(call, store);
      const found = await chooseDriver(connection, named, { ask: undefined });
      if (!found) throw new RangeError("comanda didn't ask for the driver");
      const driver = await withName(connection, found);
      const fee = clear_fee ? null : paid === undefined ? undefined : String(paid);
      const wanted = { order, driver, ...(fee !== undefined && { fee }) };
      await describeAssignment(connection, wanted);
      const { amount: amountText } = numberFormat(await readPreferences(call.workspace, connection.store));
      await confirm(call, connection, () => [
        translated("assign"),
        ["Order", order],
        ["driver", driver.name === null ? t`${driver.id} (name unknown)` : driverName(driver)],
        ["Fee", paid === undefined ? (clear_fee ? t`none` : undefined) : amountText(paid)],
      ]);
      const { line, order: assigned, failure } = await assignDriver(connection, wanted);
      const { id, display_id, status, driver_id, driver_fee } = assigned?.value ?? {};
      const shown = assigned ? { id, display_id, status, driver_id, driver_fee } : null;
      const feeText =
        typeof driver_fee === "number" ? amountText(driver_fee) : driver_fee === null ? "none" : "not shown";
      const done = `At ${connection.label}: order ${order} has the driver ${driverName(driver)}. Fee: ${feeText}. Status: ${status ?? "not shown"}.`;
      const about = [failure ? `At ${connection.label}: assign order ${order}.` : done];
      return { count: 0, answer: () => ({ about, document: { ...line, order: shown }, text: "", failure }) };
    },
  });
  add({
    name: "create_prefilled_order",
    title: "New pre-filled order",
    description: `Creates a pre-filled order for a customer to complete, and returns its links. It isn't an order yet. ${asks} Requires the store's API key.`,
    writes: "additive",
    input: inputOf({
      order_type: z.enum(["delivery", "takeout"]),
      customer_name: text("customer's name").optional(),
      customer_phone: text("phone with area code, digits only").optional(),
      items: z
        .array(
          z.strictObject({
            item_id: integer("id in the store's catalog", 1, Number.MAX_SAFE_INTEGER),
            quantity: integer("default: 1", 1, 10_000).optional(),
            observation: text("note to the kitchen").optional(),
          }),
        )
        .min(1)
        .max(200)
        .optional(),
      address: z
        .record(z.string(), z.string().max(300))
        .describe("fields of the delivery address, such as street, number, neighborhood, city, state")
        .optional(),
      store: writeStore,
    }),
    output: results.prefilledOrder.shape,
    async run(call, { order_type, customer_name: name, customer_phone: phone, items, address, store }) {
      const order = {
        order_type,
        customer: (name ?? phone) === undefined ? undefined : { name, phone },
        cart: items?.map(({ quantity = 1, ...item }) => ({ ...item, quantity })),
        delivery_address: address,
      };
      const checked = check(newPrefilledOrderSchema(), order, "The order");
      const isRight = (value: unknown): value is PrefilledOrderBody => value === order && checked.ok;
      if (!isRight(order)) {
        const problems = checked.ok ? [] : checked.problems.map(({ message }) => message);
        throw new ComandaError("invalid_input", `${problems.join(" ")} Nothing was sent.`);
      }
      const connection = await openForWrite(call, store);
      await connection.describe((client) => client.createPrefilledOrder(order));
      await confirm(call, connection, () => [translated("prefill"), ["Order", JSON.stringify(order)]]);
      const created = await prefill(connection, order);
      const about = [`At ${connection.label}: created the pre-filled order ${created.id}.`];
      const links = `Order page: ${printable(created.order_url)}\nCheckout page: ${printable(created.checkout_url)}`;
      return { count: 0, answer: () => ({ about, document: created, text: links }) };
    },
  });
  add({
    name: "settle_order",
    title: "Record an outcome",
    description: `Records the outcome that the user has looked up for a change whose outcome is unknown, for example in the store's portal. ${asks} Nothing is sent to the service.`,
    writes: "additive",
    isLocal: true,
    input: inputOf({
      order: text("order id, digits only"),
      outcome: z.enum(settledAs).describe("what the user found: done or not-done"),
      note: text("note, such as where the user looked").optional(),
      store: writeStore,
    }),
    output: { change: results.change, remaining: z.int() },
    async run(call, { order: typed, outcome, note, store }) {
      const order = orderId(typed, "order", false);
      const connection = await openForWrite(call, store);
      await confirm(call, connection, () => [
        t`record an outcome`,
        ["Order", order],
        ["Outcome", translated(outcome)],
        ["Note", note],
      ]);
      const settling = { store: connection.store, order, as: outcome, note: note ?? null };
      const { change, remaining } = await settle(call.workspace, settling);
      const about = [
        `At ${connection.label}: order ${order}, ${change.operation} sent at ${change.at} is recorded as ${outcome}. Still unknown for this order: ${remaining}.`,
      ];
      return { count: 0, answer: () => ({ about, document: { change, remaining }, text: "" }) };
    },
  });
}

/**
 * Opens the store of a change.
 *
 * @throws {ComandaError} `usage` if there are several stores and none is named, not even by COMANDA_STORE; as {@link chooseStore}
 */
async function openForWrite({ workspace }: Call, named: string | undefined): Promise<Connection> {
  const store = await chooseStore(workspace, named);
  const { sessions } = await workspace.state();
  const aliases = (await sessions.list()).map((session) => session.store);
  const isNamed = named !== undefined || !store.session || Boolean(workspace.env["COMANDA_STORE"]);
  const [first = "", second] = aliases;
  if (!isNamed && second !== undefined) {
    const hintFacts = { about: "several_stores", first, known: aliases.join(", ") } as const;
    const message = "A change must name its store, because there are several. Nothing was sent.";
    throw new ComandaError("usage", message, { hintFacts });
  }
  return openConnection(workspace, store);
}

/** Looks up the name of a driver who was named by id. A driver without recent orders, or a store without a sign-in, has none. */
async function withName(connection: Connection, driver: NamedDriver): Promise<NamedDriver> {
  if (driver.name !== null) return driver;
  const recent = await listDrivers(connection).catch((error: unknown) => {
    if (error instanceof ComandaError && !connection.workspace.signal.aborted) return [];
    throw error;
  });
  return { id: driver.id, name: recent.find(({ id }) => id === driver.id)?.name ?? null };
}

type Fact = readonly [label: Word, value: string | undefined];

/** Asks the user with the store, the change and its facts, in the user's language. */
async function confirm(
  { confirm: ask }: Call,
  { label }: Connection,
  describe: () => readonly [change: string, ...facts: readonly Fact[]],
): Promise<void> {
  await ask(() => {
    const [change, ...facts] = describe();
    const lines = facts.flatMap(([name, value]) =>
      value === undefined ? [] : `${capitalized(translated(name))}: ${printable(value)}`,
    );
    return [t`Allow this at ${label}: ${change}?`, ...lines].join("\n");
  });
}
