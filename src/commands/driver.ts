/** `comanda driver` assigns the drivers of delivery orders (section 4.1), by id or by name. */
import type { ReadOrder } from "../api/models.js";
import { typedAmount } from "../api/money.js";
import { type Command, contradiction } from "../cli/command.js";
import type { Context } from "../cli/context.js";
import { orderId } from "../cli/input.js";
import { askText } from "../cli/prompts.js";
import type { Column } from "../cli/records.js";
import { hasSeveralStores, openConnection, type Connection } from "../core/connection.js";
import { ComandaError } from "../base/errors.js";
import { plainWords, plural, shownDate, t } from "../languages/language.js";
import type { Key } from "../sales/figures.js";
import { numberFormat, readPreferences } from "../sales/preferences.js";
import type { Fingerprint } from "../state/journal.js";
import { orderError } from "../core/orders.js";

export default function driver(group: Command): void {
  group
    .command("assign <order-id> [driver]")
    .about(
      "assign a driver to a delivery order, or replace the driver",
      "Give the driver's id. If the driver had orders today or in the 30 days before, you can give the name or the start of the name instead. On a terminal, comanda asks for a driver that you omit, and which one you mean if several match. Without --fee or --clear-fee, the order keeps its fee. With a fee of 0, the driver is paid nothing for the delivery.",
    )
    .takes("store", "dryRun", "format")
    .option("--fee <amount>", "driver's fee, such as 7.50")
    .option("--clear-fee", "remove the fee")
    .examples(
      "driver assign 4711 12",
      "driver assign 4711 bia",
      "driver assign 4711 12 --fee 7.50",
      "driver assign 4711 12 --fee 0",
      "driver assign 4711 12 --clear-fee --json",
    )
    .does(assign);
  group
    .command("list")
    .about("list the drivers of today and the 30 days before")
    .takes("store", "format")
    .examples("driver list", "driver list --json")
    .does(async (context) => context.output.records(driverColumns, await fetchDrivers(context)));
}

interface AssignOptions {
  readonly fee?: string;
  readonly clearFee?: boolean;
}

async function assign(
  context: Context,
  { fee, clearFee = false }: AssignOptions,
  [orderWord = "", typed]: readonly string[],
): Promise<void> {
  const { output, signal } = context;
  const { dryRun, store } = context.options;
  const order = orderId(orderWord, t`argument ${1}`);
  if (fee !== undefined && clearFee) throw contradiction("--fee", "--clear-fee");
  const amount = fee === undefined ? undefined : typedAmount(fee);
  if (fee !== undefined && amount === undefined)
    throw new ComandaError("invalid_input", t`Invalid value "${fee}" for ${"--fee"}.`, {
      hint: t`Use at most two decimals and no thousands separator, such as ${"--fee 7.50, --fee 7,50, --fee 0"}.`,
    });
  // The request contains the decimal as typed. Null removes the fee; without the field, the order's fee doesn't change.
  const feeField = clearFee ? { driver_fee: null } : amount === undefined ? {} : { driver_fee: amount };
  if (typed === undefined && !context.canAsk())
    throw new ComandaError("usage", t`The driver's id or name is missing.`, { hint: typeTheId() });
  const connection = await openConnection(context.workspace, store);
  const { client, describe, label, store: alias } = connection;
  const ask = context.canAsk() ? (question: string) => askText(context, question) : undefined;
  let chosen = typed;
  if (chosen === undefined) {
    for (const driver of await fetchDrivers(context)) output.notice(`  ${nameOf(driver)}`);
    chosen = await ask?.(t`Driver for order ${order} (id or name; press Enter to assign none):`);
  }
  const driver = chosen ? await driverOf(context, connection, chosen, ask) : undefined;
  if (!driver) {
    output.notice(t`Nothing was changed.`);
    return;
  }
  const input = { driver_id: driver.id, ...feeField };
  if (dryRun) {
    output.requests([await describe((probe) => probe.assignDriver(order, input))]);
    return;
  }
  const assigned = await client.assignDriver(order, input, { signal }).catch((error: unknown) => {
    throw error instanceof ComandaError ? orderError(error, order, label) : error;
  });
  if (output.json) {
    output.jsonText(assigned.raw);
    return;
  }
  if (output.format === "table" && (await hasSeveralStores(context.workspace))) output.words(t`At ${label}:`);
  const format = numberFormat(await readPreferences(context, alias));
  await output.records(assignedColumns(format.amount), [{ ...assigned.value, driver }]);
}

/** If the response lacks the field, the order may still have a value. */
const shown = (value: string | number | null | undefined): string | number =>
  value === undefined ? t`not shown` : (value ?? t`none`);

/** Section 2.1: null if no fee was informed, so the store may still owe one. */
const missingFee = (fee: null | undefined) => (fee === null ? t`fee not set` : t`not shown`);

const assignedColumns = (
  amount: (value: number) => string,
): readonly Column<ReadOrder & { readonly driver: ChosenDriver }>[] => [
  { heading: "Order", name: "id", cell: ({ id }) => id },
  { heading: "Number", name: "display_id", cell: ({ display_id: number }) => shown(number) },
  { heading: "status", name: "status", cell: ({ status }) => shown(status), isWord: "open" },
  {
    heading: "driver",
    name: "driver_id",
    cell: ({ driver_id: id }) => shown(id),
    tableText: ({ driver }) => nameOf(driver),
  },
  {
    heading: "Fee",
    name: "driver_fee",
    cell: ({ driver_fee: fee }) => (typeof fee === "number" ? fee.toFixed(2) : missingFee(fee)),
    tableText: ({ driver_fee: fee }) => (typeof fee === "number" ? amount(fee) : missingFee(fee)),
  },
];

/** The name is undefined if an id was typed that no cached figure names. */
interface ChosenDriver {
  readonly id: number;
  readonly name?: string | null;
}

export interface KnownDriver extends ChosenDriver {
  readonly name: string;
  /** Today and in the 30 days before; undefined if the driver was read from the cache. */
  readonly orders?: number | undefined;
  /** The last day of the newest cached period with orders of the driver, `YYYY-MM-DD`. No answer shows the last order itself. */
  readonly lastDay?: string;
}

const driverColumns: readonly Column<KnownDriver>[] = [
  { heading: "driver", name: "name", cell: ({ name }) => name },
  { heading: "Id", name: "id", cell: ({ id }) => id },
  { heading: "orders", name: "orders", align: "right", cell: ({ orders }) => orders },
];

/**
 * Reads the drivers from cached figures by driver (section 4.7: key and label), however old, without a request. Returns none if
 * `sales.db` can't be read.
 *
 * @param most the maximum number of answers, newest first
 * @returns sorted by id, each with its newest name
 */
export async function readDrivers(
  context: Context,
  store: string,
  { address: environment, sign_in: signIn }: Fingerprint,
  most?: number,
): Promise<readonly KnownDriver[]> {
  if (signIn === null) return [];
  const { openAnswerCache } = await import("../state/answer-cache.js");
  const answers = openAnswerCache(await context.state(), { store, environment, signIn });
  const newest = new Map<number, KnownDriver>();
  const cached = await answers.ofDrivers(most).catch((error: unknown) => {
    if (error instanceof ComandaError) return [];
    throw error;
  });
  for (const { answer, last } of cached.toReversed())
    for (const driver of driversIn("groups" in answer ? answer.groups : [])) {
      const { lastDay = last } = newest.get(driver.id) ?? {};
      newest.set(driver.id, { ...driver, lastDay: last > lastDay ? last : lastDay });
    }
  return [...newest.values()].toSorted((left, other) => left.id - other.id);
}

/** The group of orders without a driver has the key null. */
function driversIn(
  groups: readonly { readonly key: Key; readonly label: string | null; readonly orders?: number }[],
): readonly KnownDriver[] {
  return groups.flatMap(({ key, label: name, orders }) =>
    key === null || name === null || !Number.isSafeInteger(Number(key))
      ? []
      : { id: Number(key), name, orders },
  );
}

/**
 * Fetches the drivers of today and the 30 days before (section 4.7), from the cache for a minute.
 *
 * @throws {ComandaError} `usage` if a dry run finds no cached answer; the client's errors
 */
async function fetchDrivers(context: Context): Promise<readonly KnownDriver[]> {
  const { salesRequest } = await import("./figures.js");
  const { fetchFigures } = await import("../sales/fetch.js");
  const { forEachStore } = await import("../sales/collect.js");
  const { options } = context;
  const request = salesRequest({ from: "last-30-days" });
  // The dry run of an assignment shows the assignment, not this request.
  const here = { ...context, options: { ...options, dryRun: false } };
  const results = await forEachStore(
    here,
    "driver",
    request,
    ["driver_id"],
    async ({ fetchOptions, plans }) => {
      const [plan] = plans[0] ?? [];
      if (!plan || (options.dryRun && plan.requests.some(({ cached }) => !cached))) return undefined;
      return fetchFigures(fetchOptions, plan);
    },
  );
  const [figures] = results ?? [];
  if (figures && "rows" in figures) return driversIn(figures.rows);
  throw new ComandaError("usage", t`The drivers' names aren't cached, and --dry-run sends nothing.`, {
    hint: typeTheId(),
  });
}

/**
 * Returns the drivers with this name; if there are none, those whose names contain, for each typed word, a word that begins with
 * it. Ignores case and accents. Returns all drivers if no name was typed.
 */
export function driversNamed(drivers: readonly KnownDriver[], typed: string): readonly KnownDriver[] {
  const wordsOf = (text: string) => plainWords(text).match(/[\p{L}\p{Nd}]+/gu) ?? [];
  const starts = wordsOf(typed);
  if (starts.length === 0) return drivers;
  const exact = drivers.filter(({ name }) => wordsOf(name).join(" ") === starts.join(" "));
  if (exact.length > 0) return exact;
  return drivers.filter(({ name }) =>
    starts.every((start) => wordsOf(name).some((word) => word.startsWith(start))),
  );
}

const typeTheId = () => t`Type the driver's id. To list the ids: comanda driver list`;

/** An error lists this many drivers. */
const mostNamed = 20;

/**
 * Finds the driver whose id or name was typed, without guessing: every name in cached figures counts, because a driver without
 * recent orders may be the one.
 *
 * @param ask asks which driver is meant; `undefined` if comanda can't prompt
 * @returns `undefined` if the user chose none
 * @throws {ComandaError} `invalid_input` if no driver matches, or if the choice isn't clear and `ask` is undefined
 */
export async function driverOf(
  context: Context,
  { label, fingerprint }: Connection,
  typed: string,
  ask: ((question: string) => Promise<string>) | undefined,
): Promise<ChosenDriver | undefined> {
  if (/^\d{1,15}$/.test(typed) && Number(typed) > 0) {
    const id = Number(typed);
    return (await readDrivers(context, label, fingerprint())).find((known) => known.id === id) ?? { id };
  }
  // A name contains a letter.
  if (!/\p{L}/u.test(typed))
    throw new ComandaError("invalid_input", t`"${typed}" isn't a driver's id or name.`, {
      hint: typeTheId(),
    });
  const recent = await fetchDrivers(context);
  const known = new Map(
    (await readDrivers(context, label, fingerprint(), Number.MAX_SAFE_INTEGER)).map((each) => [
      each.id,
      each,
    ]),
  );
  for (const driver of recent) known.set(driver.id, { ...known.get(driver.id), ...driver });
  // A recent driver whose name begins like this isn't hidden by an earlier one with exactly this name.
  const ids = [recent, [...known.values()]].flatMap((some) => driversNamed(some, typed)).map(({ id }) => id);
  const found = [...known.values()].filter(({ id }) => ids.includes(id));
  const [match, ...others] = found;
  if (!match) {
    const names = listed(recent.map(nameOf));
    throw new ComandaError(
      "invalid_input",
      t`No driver of ${label} is called "${typed}". Nothing was sent.`,
      {
        hint:
          names === ""
            ? t`No driver had orders today or in the 30 days before. Type the driver's id.`
            : t`Drivers with orders today or in the 30 days before: ${names}. For any other driver, type the id.`,
      },
    );
  }
  if (others.length === 0 && recent.some(({ id }) => id === match.id)) return match;
  const described = found.map((each) =>
    each.lastDay === undefined
      ? nameOf(each)
      : t`${nameOf(each)}, in figures until ${shownDate(each.lastDay)}`,
  );
  const problem = (drivers: string) =>
    plural(found.length, {
      one: t`"${typed}" matches only a driver without recent orders: ${drivers}`,
      other: t`"${typed}" matches several drivers: ${drivers}`,
    });
  if (!ask)
    throw new ComandaError("invalid_input", `${problem(listed(described))}. ${t`Nothing was sent.`}`, {
      hint: typeTheId(),
    });
  const choices = ["", ...described].join("\n  ");
  const question = `${problem(choices)}\n${t`Driver's id (press Enter to assign none):`}`;
  for (;;) {
    const answer = await ask(question);
    if (answer === "") return undefined;
    const chosen = found.find(({ id }) => String(id) === answer);
    if (chosen) return chosen;
  }
}

/** Lists the first of these names, and how many more there are. */
function listed(names: readonly string[]): string {
  const first = names.slice(0, mostNamed).join(", ");
  return names.length > mostNamed ? `${first}, ${t`… and ${names.length - mostNamed} more`}` : first;
}

/** Puts the name first, so that the number next to it is recognized as the id. */
export function nameOf({ id, name }: ChosenDriver): string {
  return typeof name === "string" ? `${name} (${id})` : String(id);
}
