/** The tools that change something. Each names its store, and asks the user before anything is sent. */
import * as z from "zod";

import { centsFromNumber } from "../api/money.js";
import { noChangeAfter, statusChangeNames } from "../api/operations.js";
import { ComandaError } from "../base/errors.js";
import { orderId, orderIds } from "../cli/input.js";
import { totalsText } from "../cli/notices.js";
import { firstProblems, printable } from "../cli/text.js";
import { chooseStore, knownStores, openConnection } from "../core/connection.js";
import { assignDriver, describeAssignment, driverName } from "../core/drivers.js";
import { settle } from "../core/history.js";
import { changeOrders, describeChanges, type ListEnd, type SettledOrder } from "../core/orders.js";
import { readPreferences } from "../core/preferences.js";
import { prefill } from "../core/prefill.js";
import * as results from "../core/results.js";
import { capitalized, t, translated, type Word } from "../languages/language.js";
import { settledAs } from "../state/journal.js";
import { numberFormat } from "../views/amounts.js";
import { chooseDriver } from "../views/drivers.js";
import { sentChange, settledSentence } from "../views/history.js";
import { address, flag, inputOf, integer, number, text, texts, writeStore } from "./inputs.js";
import { firstRows } from "./texts.js";
import { mayBeUndone, oneOf, type AddTool, type Call } from "./tools.js";

/** A question in the user's words, and the facts of the change. */
type Question = readonly [question: string, ...facts: (readonly [label: Word, value: string | undefined])[]];

const asksFirst = "comanda asks the user if the app can.";

const item = inputOf({
  item_id: integer("item id in the store's catalog", 1, Number.MAX_SAFE_INTEGER),
  quantity: integer("number of items; default: 1", 1, 10_000).default(1),
  observation: text("note to the kitchen").optional(),
});

/** Returns an item for people: `2 × 3001 (no onions)`. */
function itemText({ item_id, quantity, observation }: z.output<typeof item>): string {
  return `${quantity} × ${item_id}${observation === undefined ? "" : ` (${observation})`}`;
}

export function addChangingTools(add: AddTool): void {
  add({
    name: "change_order",
    title: "Change the status of orders",
    description: `Dispatches, delivers, finalizes or cancels orders. ${noChangeAfter} A cancellation can't be taken back here. ${mayBeUndone} ${asksFirst}`,
    writes: "destructive",
    input: inputOf({
      action: z
        .enum(statusChangeNames)
        .describe("dispatch: out for delivery, or ready for pickup; finalize: close the order"),
      orders: texts("order ids, digits only; not the number printed on the ticket (display_id)"),
      reason: text("reason for the cancellation, stored with the order", 2000).optional(),
      resume: flag("skip orders that were changed in the last 24 hours or whose outcome is unknown"),
      store: writeStore,
    }),
    output: {
      store: z.string().nullable(),
      totals: z.looseObject({}),
      orders: z.array(results.orderLine),
    },
    async run(call, { action, orders: typed, reason, resume = false, store }) {
      const { connection, label, confirm } = await openForWrite(call, store);
      const orders = orderIds(typed.entries(), (index) => `orders[${index}]`);
      if (reason !== undefined && action !== "cancel")
        throw new ComandaError("invalid_input", "reason can only be used with the action cancel.");
      const input = reason === undefined ? {} : { cancellation_reason: reason };
      const wanted = { action, orders, input, resume };
      await describeChanges(connection, { ...wanted, orders: orders.slice(0, 1), resume: false });
      await confirm(() => [
        {
          dispatch: t`Dispatch orders at ${label}?`,
          deliver: t`Mark orders at ${label} as delivered?`,
          finalize: t`Finalize orders at ${label}?`,
          cancel: t`Cancel orders at ${label}?`,
        }[action],
        ["orders", `${orders.length} (${firstProblems(orders).join(", ")})`],
        ["Reason", reason],
      ]);
      const items: (SettledOrder | ListEnd)[] = [];
      for await (const item of changeOrders(connection, wanted)) items.push(item);
      const { totals, failure } = items.find((item) => "totals" in item) ?? {};
      const settled = items.filter((item) => "line" in item);
      const about = [`At ${label}: ${totals ? totalsText(action, totals) : "stopped"}.`];
      if (action === "cancel" && totals && totals.done > 0) about.push(mayBeUndone);
      // Those that need attention come first.
      const isDone = ({ line }: SettledOrder) => Number(line.outcome === "done");
      settled.sort((one, other) => isDone(one) - isDone(other) || one.index - other.index);
      const lines = settled.map(({ line }) => line);
      const { store: at = null } = connection;
      const document = (most: number) => ({ store: at, totals, ...firstRows("orders", lines, most) });
      const leftOut = (most: number) => {
        const rest = lines.slice(most);
        const sent = rest.filter(({ attempts }) => attempts > 0).length;
        const told: string[] = [];
        if (sent < rest.length) told.push(`More orders that were not sent: ${rest.length - sent}.`);
        if (sent > 0)
          told.push(`The outcomes of ${sent} more orders are in order_history. Don't send them again.`);
        return told;
      };
      return { about, counts: [lines.length], leftOut, document, failure };
    },
  });
  add({
    name: "assign_driver",
    title: "Assign a driver",
    description: `Assigns a driver to a delivery order, replaces the driver, or changes or removes the driver's fee. Without fee or clear_fee, the fee doesn't change. To change only the fee, name the same driver again; order_history shows who that is. ${asksFirst}`,
    writes: "destructive",
    input: inputOf({
      order: text("order id, digits only"),
      driver: text("driver's id, or the name or its first letters, as in list_drivers"),
      fee: number(
        z
          .number()
          .min(0)
          .refine((fee) => centsFromNumber(fee) !== undefined, "Expected an amount with at most two decimals")
          .describe("driver's fee for the order, such as 7.5; with 0, the driver is paid nothing"),
      ).optional(),
      clear_fee: flag("remove the driver's fee"),
      store: writeStore,
    }),
    output: results.assignment.shape,
    async run(call, { order: typed, driver: named, fee: paid, clear_fee, store }) {
      const { connection, label, confirm } = await openForWrite(call, store);
      oneOf({ fee: paid, clear_fee });
      const order = orderId(typed, "order");
      const driver = await chooseDriver(connection, named, { ask: undefined, requestsName: true });
      if (!driver) throw new RangeError("comanda didn't ask for the driver");
      const fee = clear_fee ? null : paid === undefined ? undefined : String(paid);
      const wanted = { order, driver, ...(fee !== undefined && { fee }) };
      await describeAssignment(connection, wanted);
      const { amount: amountText } = numberFormat(
        await readPreferences(connection.workspace, connection.store),
      );
      await confirm(() => [
        t`Assign a driver at ${label}?`,
        ["Order", order],
        ["driver", driver.name === null ? t`${driver.id} (name unknown)` : driverName(driver)],
        ["Fee", paid === undefined ? (clear_fee ? t`remove` : undefined) : amountText(paid)],
      ]);
      const { line, order: assigned, failure } = await assignDriver(connection, wanted);
      // The order also has the customer's data.
      const { id, display_id, status, driver_id, driver_fee } = assigned?.value ?? {};
      const shown = assigned ? { id, display_id, status, driver_id, driver_fee } : null;
      const about = `At ${label}: assign driver ${driverName(driver)} to order ${order}: ${line.outcome}.`;
      return { about: [about], document: () => ({ ...line, order: shown }), failure };
    },
  });
  add({
    name: "create_prefilled_order",
    title: "New pre-filled order",
    description: `Creates a pre-filled order for a customer to complete, and returns its links. It becomes an order when the customer completes it. Requires the store's API key. ${asksFirst}`,
    writes: "additive",
    input: inputOf({
      order_type: z.enum(["delivery", "takeout"]),
      customer_name: text("customer's name").optional(),
      customer_phone: text("phone with area code, digits only").optional(),
      items: z.array(item).min(1).max(200).optional(),
      address,
      store: writeStore,
    }),
    output: results.prefilledOrder.shape,
    async run(call, { order_type, customer_name: name, customer_phone: phone, items, address, store }) {
      const { connection, label, confirm } = await openForWrite(call, store);
      const isTakeout = order_type === "takeout";
      if (isTakeout) oneOf({ "order_type takeout": true, address });
      const order = {
        ...(isTakeout ? { order_type } : { order_type, delivery_address: address }),
        customer: (name ?? phone) === undefined ? undefined : { name, phone },
        cart: items,
      };
      await connection.describe((client) => client.createPrefilledOrder(order));
      await confirm(() => [
        t`Create a pre-filled order at ${label}?`,
        ["Order type", translated(order_type)],
        ["Customer", [name, phone].filter(Boolean).join(", ") || undefined],
        ["Items", items?.map((each) => itemText(each)).join("; ")],
        ["Address", address && Object.values(address).join(", ")],
      ]);
      const created = await prefill(connection, order);
      return { about: [`At ${label}: created the pre-filled order ${created.id}.`], document: () => created };
    },
  });
  add({
    name: "settle_order",
    title: "Record an outcome",
    description: `Records what the user found out, for example in the store's portal, about the order's newest change with an unknown outcome, or corrects the last record. Sends nothing to the service. ${asksFirst}`,
    writes: "additive",
    isLocal: true,
    input: inputOf({
      order: text("order id, digits only"),
      outcome: z.enum(settledAs).describe("what the user found: done or not-done"),
      note: text("note to save with the outcome, such as where the user looked").optional(),
      store: writeStore,
    }),
    output: { change: results.change, remaining: z.int() },
    async run(call, { order: typed, outcome, note, store: named }) {
      const { connection, label, confirm } = await openForWrite(call, named);
      const { workspace, store } = connection;
      const order = orderId(typed, "order", false);
      const settings = await (await workspace.state()).settings.read();
      const settled = await settle(workspace, { store, order, as: outcome, note: note ?? null }, (change) =>
        confirm(() => [
          t`Record an outcome at ${label}?`,
          ["Order", order],
          ["Operation", sentChange(change, { env: workspace.env, settings })],
          ["Recorded outcome", change.settled && translated(change.settled.outcome)],
          ["Outcome", translated(outcome)],
          ["Note", note],
        ]),
      );
      const about = [settledSentence(settled.change, order + t` at ${label}`, settings)];
      if (settled.remaining > 0)
        about.push(`Changes to this order whose outcome is still unknown: ${settled.remaining}.`);
      return { about, document: () => settled };
    },
  });
}

/**
 * Opens the store of a change.
 *
 * @returns also how to ask the user about the change, in the user's words
 * @throws {ComandaError} `usage` if there are several stores and none is named, not even by COMANDA_STORE; as {@link chooseStore}
 */
async function openForWrite({ workspace, confirm: ask, isLocal }: Call, named: string | undefined) {
  const store = await chooseStore(workspace, named);
  const aliases = await knownStores(workspace);
  const isNamed = named !== undefined || !store.session || Boolean(workspace.env["COMANDA_STORE"]);
  const [first = "", second] = aliases;
  if (!isNamed && second !== undefined) {
    const hintFacts = { about: "several_stores", first, known: aliases.join(", ") } as const;
    const message = "A change must name its store, because there are several. Nothing was sent.";
    throw new ComandaError("usage", message, { hintFacts });
  }
  const connection = await openConnection(workspace, store);
  const { label } = connection;
  const confirm = async (question: () => Question) => {
    await ask(() => {
      const [sentence, ...facts] = question();
      const lines = facts.flatMap(([name, value]) =>
        value === undefined ? [] : `${capitalized(translated(name))}: ${printable(value)}`,
      );
      return [sentence, ...lines].join("\n");
    });
    // Meanwhile, the store may have been signed out or renamed.
    if (!isLocal) await connection.checkStoredSignIn();
  };
  return { connection, label, confirm };
}
