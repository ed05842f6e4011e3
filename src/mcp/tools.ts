/** The tools that only read: figures, stores, drivers and the history of changes. */
import * as z from "zod";

import { statusChanges } from "../api/operations.js";
import { dimensions } from "../api/values.js";
import { variable } from "../base/basics.js";
import { ComandaError, isComandaError, outcomes } from "../base/errors.js";
import { contradiction } from "../base/fields.js";
import { orderId } from "../cli/input.js";
import { openConnection } from "../core/connection.js";
import { recentDrivers } from "../core/drivers.js";
import { driversOwed } from "../core/drivers-owed.js";
import {
  fetchPlanned,
  firstGroups,
  planFigures,
  type FiguresResult,
  type Grouping,
} from "../core/figures.js";
import { history, storePeriod } from "../core/history.js";
import * as results from "../core/results.js";
import { checkCredentials, storeStates } from "../core/stores.js";
import type { Workspace } from "../core/workspace.js";
import { parseSort } from "../sales/sort.js";
import { owedSentence, recentRows, recentSentence } from "../views/driver-lists.js";
import {
  figuresDocument,
  figuresTable,
  headerLines,
  omittedLines,
  shownFigures,
  storesWithFigures,
} from "../views/figures.js";
import { figuresFields, flag, inputOf, integer, moment, periodFields, text, texts } from "./inputs.js";
import { hintOf } from "./hints.js";
import { firstRows, listOf, shortenedTexts, type Answer } from "./texts.js";

/** What a tool may use for one call. */
export interface Call {
  readonly workspace: Workspace;
  /** Asks the user, and throws unless the user agrees. The question is made in the user's language. */
  readonly confirm: (question: () => string) => Promise<void>;
  /** Whether the tool sends nothing to the service. */
  readonly isLocal: boolean;
}

export interface Tool<Input> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Absent for a tool that only reads. */
  readonly writes?: "destructive" | "additive";
  /** Whether it sends nothing to the service. */
  readonly isLocal?: boolean;
  readonly input: z.ZodType<Input>;
  /** The fields of its result that are described; a failed call has none of them. */
  readonly output: z.ZodRawShape;
  readonly run: (call: Call, input: Input) => Promise<Answer>;
}

export const mayBeUndone =
  "If the outcome of a cancellation is done, the service accepted it. After an online card payment, the service can still undo it, and the API doesn't report that.";

export type AddTool = <Input>(tool: Tool<Input>) => void;

/** One store's figures directly, compared ones in `current`, `previous` and `change`, and several stores' in `stores`. */
const figuresOutput = {
  ...results.storeFigures.omit({ alerts: true }).shape,
  current: z.looseObject({}),
  previous: z.looseObject({}),
  change: results.comparedFigures.shape.change,
  ...results.figuresOfStores.shape,
};

const notKnown =
  "The service returns only these sums, for at most the last 3 years, and no products, customers or single orders.";

export function addReadingTools(add: AddTool): void {
  add({
    name: "sales_summary",
    title: "Sales of a period",
    description: `Returns the number of orders, the revenue and the average order value of a period. ${notKnown}`,
    input: inputOf(figuresFields),
    output: figuresOutput,
    run: (call, input) => sales(call, input, {}),
  });
  add({
    name: "sales_by",
    title: "Sales by group",
    description: `Returns a period's orders, revenue and average by hour, weekday, payment method, driver and so on, with their total. With compare, weekdays and hours are also compared per day. You can't filter by weekday: for the hours of Sundays, request each Sunday. ${notKnown} payment_method_id has the service's labels, and driver_id the drivers' names.`,
    input: inputOf({
      by: z.enum(dimensions).describe("dimension to group by"),
      sort: text(
        "revenue, orders, average, label or key, optionally with :asc or :desc; default: chronological, or the service's order",
      ).optional(),
      top: integer(
        "number of groups to return; without sort, the groups with the highest revenue",
        1,
        100_000,
      ).optional(),
      ...figuresFields,
      filters: texts("as in sales_summary", 100).optional(),
    }),
    output: figuresOutput,
    run: (call, { by, sort, top, ...input }) =>
      sales(call, input, { by, sort: sort === undefined ? undefined : parseSort(sort), top }),
  });
  add({
    name: "list_stores",
    title: "Stores",
    description:
      "Lists the stores on this machine and the stored state of their sign-ins. Doesn't call the service; check_stores does.",
    isLocal: true,
    input: inputOf({}),
    output: { stores: z.array(results.listedStore) },
    async run({ workspace }) {
      const { stores } = await storeStates(workspace);
      const about = [
        "Sign-ins as stored; the service wasn't called. The next call renews an expired sign-in.",
      ];
      const chosen = variable(workspace, "COMANDA_STORE");
      if (chosen !== undefined) about.push(`A call without store is for ${chosen} (COMANDA_STORE).`);
      return listOf("stores", stores, about);
    },
  });
  add({
    name: "check_stores",
    title: "Check the sign-ins",
    description:
      "Verifies the stores' credentials with the service, for example to find out why a store has no figures. For each store, this counts as one of the 5 requests for figures per minute.",
    input: inputOf({ store: text("store alias; default: all stores").optional() }),
    output: { stores: z.array(results.storeStatus.extend({ problem: z.string().nullable() })) },
    async run({ workspace }, { store: named }) {
      const { stores: known } = await storeStates(workspace);
      const chosen = named === undefined && known.length > 0 ? known : [{ store: named, error: null }];
      const checked = chosen.map(async (each) => {
        // A sign-in that can't be read doesn't hide the other stores.
        if (each.error !== null) return { ...each, checked: undefined, problem: each.error };
        const { document, failure } = await checkCredentials(workspace, each.store);
        const problem = failure && [failure.message, hintOf(failure)].filter(Boolean).join(" ");
        return { ...document, problem: problem ?? null };
      });
      const rows = await Promise.all(checked);
      const called = `Checked with the service at ${new Date(workspace.clock.now()).toISOString()}.`;
      const about = rows.map(({ store, checked: checks, problem }) => {
        if (!checks) return `The service wasn't called: ${problem}`;
        const isChecked = checks.some(({ result }) => result !== "not_checked");
        return isChecked ? called : `Not checked: ${store}.`;
      });
      return listOf("stores", rows, [...new Set(about)]);
    },
  });
  add({
    name: "list_drivers",
    title: "Drivers",
    description:
      "Lists the drivers with orders today or in the last 30 days, with their ids. The service has no list of all drivers.",
    input: inputOf({ store: figuresFields.store }),
    output: { drivers: z.array(results.listedDriver) },
    async run({ workspace }, { store }) {
      const connection = await openConnection(workspace, store);
      const { label } = connection;
      const recent = await recentDrivers(connection);
      return listOf("drivers", recentRows(label, recent), [recentSentence(label, recent)]);
    },
  });
  add({
    name: "drivers_owed",
    title: "What drivers are owed",
    description:
      "Sums each driver's fees for the orders assigned from this machine. Orders assigned elsewhere are missing. With a fee of 0, the driver is paid nothing. For orders in fee_not_set, the store may still owe a fee. Orders canceled from this machine are included and also counted separately.",
    isLocal: true,
    input: inputOf({ ...periodFields, store: figuresFields.store, all_stores: flag("fees of all stores") }),
    output: { stores: z.array(results.driversOwedAtStore) },
    async run({ workspace }, { store, all_stores, ...period }) {
      oneOf({ store, all_stores });
      const selection = { stores: store === undefined ? [] : [store], allStores: all_stores };
      const owed = await driversOwed(workspace, selection, period);
      const document = (most: number) => ({
        stores: owed.map(({ document: at }) => ({ ...at, ...firstRows("drivers", at.drivers, most) })),
      });
      const counts = owed.map(({ document: { drivers } }) => drivers.length);
      const about = [...owed.map(owedSentence), "Orders assigned elsewhere are missing."];
      const unknown = owed.reduce((sum, { document: at }) => sum + at.unknown, 0);
      if (unknown > 0) about.push(`Assignments or cancellations with an unknown outcome: ${unknown}.`);
      return { about, counts, document };
    },
  });
  add({
    name: "order_history",
    title: "Changes sent from this machine",
    description:
      "Lists the changes to orders that were sent from this machine, newest first, with their outcomes. This isn't a list of orders: the API doesn't return changes made elsewhere, or an order's contents or current status. No tool accepts the number printed on the ticket (display_id).",
    isLocal: true,
    input: inputOf({
      order: text("only changes to this order id").optional(),
      outcome: z
        .enum(outcomes)
        .optional()
        .describe("only changes with this outcome; unknown: no answer says whether the order was changed"),
      from: text(`only changes since ${moment}`).optional(),
      limit: integer("maximum number of changes; default: 50", 1, 1000).optional(),
      store: text("only changes at this store; default: all stores").optional(),
    }),
    output: { changes: z.array(results.change) },
    async run({ workspace }, { order, outcome, from, limit = 50, store }) {
      const since = from === undefined ? undefined : await storePeriod(workspace, store, { from, to: from });
      const { changes, omitted } = await history(workspace, {
        store,
        order: order === undefined ? undefined : orderId(order, "order", false),
        outcome,
        since: since && Date.parse(since.start),
        limit,
      });
      const counted = `${omitted > 0 ? "Newest changes" : "Changes"} sent from this machine`;
      const chosen = Object.entries({ order, outcome }).flatMap(
        ([name, value]) => value && `, ${name} ${value}`,
      );
      const about = [`${counted}${chosen.join("")}: ${changes.length}.`];
      if (omitted > 0) about.push(`Older changes omitted: ${omitted}. To list them, increase limit.`);
      about.push(store === undefined ? "All stores." : `Store: ${store}.`);
      if (since) about.push(`Only since ${since.start}.`);
      if (changes.some((each) => each.operation === statusChanges.cancel.id && each.outcome === "done"))
        about.push(mayBeUndone);
      return listOf("changes", changes, about, omitted);
    },
  });
}

/** @throws {ComandaError} `usage` if several of these fields are given */
export function oneOf(fields: Readonly<Record<string, unknown>>): void {
  const [one, other] = Object.keys(fields).filter((name) => (fields[name] ?? false) !== false);
  if (one !== undefined && other !== undefined) throw contradiction(one, other);
}

type FiguresInput = z.output<z.ZodObject<typeof figuresFields>>;

async function sales({ workspace }: Call, input: FiguresInput, grouping: Grouping): Promise<Answer> {
  const { filters, date_field, time_zone, store, stores, all_stores, ...others } = input;
  oneOf({ store, stores, all_stores });
  const selection = {
    stores: stores ?? (store === undefined ? [] : [store]),
    allStores: all_stores,
    several: all_stores === true || stores !== undefined,
  };
  const request = { ...others, filter: filters, dateField: date_field, tz: time_zone };
  const fetched = async (wanted: typeof request) => {
    const [figures] = await fetchPlanned(await planFigures(workspace, selection, wanted, [grouping]));
    if (!figures) throw new RangeError("a grouping has a result");
    return figures;
  };
  const result = await fetched(request).catch(async (failure: unknown) => {
    if (!isComandaError(failure, "rate_limited")) throw failure;
    // What is cached of the period is returned with the error.
    const cached = { ...request, compare: undefined, fresh: false, offline: true };
    const known = await fetched(cached).catch((missing: unknown) => {
      throw missing instanceof ComandaError ? failure : missing;
    });
    return { ...known, failure };
  });
  const shown = storesWithFigures(result);
  const currencies = new Set(shown.map(({ currency }) => currency ?? "not set"));
  const about = [...headerLines(result, [result])];
  if (shown.length > 0) {
    const canceled = countsCanceled(result) ? "included" : "excluded";
    about.push(`Canceled orders are ${canceled}. Currency: ${[...currencies].join(", ")}.`);
    if (others.compare !== undefined && !shown.some(({ previous }) => previous))
      about.push("The comparison is missing.");
  }
  return {
    about,
    // The total has the groups of all stores, so it may have the most.
    counts: shownFigures(result).map(({ pairs }) => pairs.length),
    document: (most) => figuresDocument(limited(result, most)),
    text: async (most) => {
      const rows = shortenedTexts(limited(result, most));
      return (await figuresTable(rows, "table")) + omittedLines(rows).join("\n");
    },
    failure: result.failure,
  };
}

/** Returns whether canceled orders are counted. */
function countsCanceled({ query: { filters } }: FiguresResult): boolean {
  const statuses = filters.filter((filter) => filter.startsWith("status_in="));
  const isSelected = statuses.length === 0 || statuses.includes("status_in=canceled");
  return isSelected && !filters.includes("status_not_in=canceled");
}

/** Leaves out all groups after the first ones of each store. */
function limited({ total, ...result }: FiguresResult, most: number): FiguresResult {
  const stores = result.stores.map((store) => ("error" in store ? store : firstGroups(store, most)));
  return { ...result, stores, ...(total && { total: firstGroups(total, most) }) };
}
