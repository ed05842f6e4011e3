/** `comanda driver` assigns the drivers of delivery orders (section 4.1), by id or by name. */
import { suggestion } from "../api/basics.js";
import type { ReadOrder } from "../api/models.js";
import { typedAmount, typedAmountForm } from "../api/money.js";
import { type Command, contradiction } from "../cli/command.js";
import type { Context } from "../cli/context.js";
import { orderId } from "../cli/input.js";
import { askText } from "../cli/prompts.js";
import type { Column } from "../cli/records.js";
import { knowsSeveral, openConnection } from "../cli/store.js";
import { ComandaError } from "../client/errors.js";
import { plainWords, t, translated } from "../languages/language.js";
import type { Key } from "../sales/figures.js";
import { orderError } from "./orders.js";

export default function driver(group: Command): void {
  group
    .command("assign <order-id> [driver]")
    .about(
      "assign or replace the driver of a delivery order",
      "The driver is an id, or a name or the beginning of one: of kept figures by driver, else of the last 30 days. Without --fee and " +
        "--clear-fee the order keeps the fee it has. A fee of 0 is a delivery at no cost.",
    )
    .takes("store", "dryRun", "format")
    .option(
      "--fee <amount>",
      "what the driver gets; in the store's currency, at least 0, with at most two decimals",
    )
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
    .about(
      "the drivers who had orders in the last 30 days",
      "Their ids and names are those of the sales figures by driver: the service has no other list of them.",
    )
    .takes("store", "format")
    .examples("driver list", "driver list --json")
    .does(async (context) => context.output.records(driverColumns, await askDrivers(context)));
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
    throw new ComandaError("invalid_input", t`--fee takes ${translated(typedAmountForm)}, not "${fee}".`, {
      hint: t`For example: --fee 7.50, --fee 7,50, --fee 0`,
    });
  // The fee goes out as the decimal that was typed; null removes it, and without the field the order keeps its fee.
  const feeField = clearFee ? { driver_fee: null } : amount === undefined ? {} : { driver_fee: amount };
  if (typed === undefined && !context.canAsk())
    throw new ComandaError("usage", t`The argument <driver> is missing.`, {
      hint: t`Add --help to see what the command takes.`,
    });
  const { client, describe, label } = await openConnection(context, store);
  let chosen = typed;
  if (chosen === undefined) {
    const { found } = await findDrivers(context, label, "");
    for (const driver of found) output.notice(`  ${nameOf(driver)}`);
    chosen = await askText(
      context,
      t`Which driver for order ${order}? The id, or the name; just Enter assigns nobody:`,
    );
    if (chosen === "") {
      output.notice(t`Nobody was assigned.`);
      return;
    }
  }
  const input = { driver_id: await driverOf(context, label, chosen), ...feeField };
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
  if (output.format === "table" && (await knowsSeveral(context))) output.words(t`At ${label}:`);
  await output.records(columns, [assigned.value]);
}

/** The order may have a value even if the answer lacks the field. */
const shown = (value: string | number | null | undefined): string | number =>
  value === undefined ? t`not shown` : (value ?? t`none`);

const columns: readonly Column<ReadOrder>[] = [
  { heading: "Order", name: "id", cell: ({ id }) => id },
  { heading: "Number", name: "display_id", cell: ({ display_id: number }) => shown(number) },
  { heading: "Status", name: "status", cell: ({ status }) => shown(status), isWord: true },
  { heading: "Driver", name: "driver_id", cell: ({ driver_id: id }) => shown(id) },
  {
    heading: "Fee",
    name: "driver_fee",
    cell: ({ driver_fee: fee }) => (typeof fee === "number" ? fee.toFixed(2) : shown(fee)),
  },
];

export interface KnownDriver {
  readonly id: number;
  readonly name: string;
  /** Of the last 30 days, where the service was asked. */
  readonly orders?: number | undefined;
}

const driverColumns: readonly Column<KnownDriver>[] = [
  { heading: "Driver", name: "name", cell: ({ name }) => name },
  { heading: "Id", name: "id", cell: ({ id }) => id },
  { heading: "Orders", name: "orders", align: "right", cell: ({ orders }) => orders },
];

/**
 * Reads the drivers that kept figures by driver have named (section 4.7: key and label), without a call.
 *
 * @param store the alias
 * @returns by id; the newest name of each counts
 */
export async function readDrivers(context: Context, store: string): Promise<readonly KnownDriver[]> {
  const state = await context.state();
  const session = (await state.sessions.list()).find((known) => known.store === store);
  if (!session || "error" in session || session.signed_in_at === undefined) return [];
  const { openAnswers } = await import("../state/answers.js");
  const signIn = new Date(session.signed_in_at).toISOString();
  const environment = session.environment.base_url;
  const answers = openAnswers(state, { store, environment, signIn });
  const newest = new Map<number, KnownDriver>();
  for (const { answer } of (await answers.ofDrivers()).toReversed())
    for (const driver of driversIn("groups" in answer ? answer.groups : [])) newest.set(driver.id, driver);
  return [...newest.values()].toSorted((left, other) => left.id - other.id);
}

/** Orders without a driver are a group whose key is null. */
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
 * Asks the service for the drivers of the last 30 days (section 4.7), where it wasn't asked within ten minutes.
 *
 * @throws {ComandaError} what the client throws
 */
async function askDrivers(context: Context): Promise<readonly KnownDriver[]> {
  const { salesRequest } = await import("./figures.js");
  const { askStores } = await import("../sales/stores.js");
  const request = salesRequest({ period: "last-30-days" });
  const [asked] = (await askStores(context, "driver", request, ["driver_id"])) ?? [];
  const [store] = asked?.stores ?? [];
  return store && "current" in store ? driversIn(store.current.rows) : [];
}

/**
 * Gives all drivers for no name, else those with this name; else those whose names have a word for each typed word that begins
 * with it, whatever its case and accents.
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

/** Looks a name up in kept figures; where these have none such, the service is asked, unless nothing may be sent. */
async function findDrivers(context: Context, label: string, typed: string) {
  const kept = await readDrivers(context, label);
  const found = driversNamed(kept, typed);
  if (found.length > 0 || context.options.dryRun) return { found, all: kept };
  context.output.notice(t`The service is asked for the drivers of ${label}.`);
  const all = await askDrivers(context);
  return { found: driversNamed(all, typed), all };
}

/**
 * Gives the id of the driver, of whom an id or a name is typed. It never guesses.
 *
 * @param label of the store
 * @throws {ComandaError} `invalid_input` where no driver or more than one has this name
 */
export async function driverOf(context: Context, label: string, typed: string): Promise<number> {
  if (/^\d{1,15}$/.test(typed) && Number(typed) > 0) return Number(typed);
  // A name has a letter.
  if (!/\p{L}/u.test(typed))
    throw new ComandaError(
      "invalid_input",
      t`A driver is an id, a whole number of at least 1, or a name; not "${typed}".`,
      { hint: t`The store's portal lists the drivers and their ids.` },
    );
  const { found, all } = await findDrivers(context, label, typed);
  const [match, ...others] = found;
  if (match === undefined) {
    const names = all.map(({ name }) => name);
    throw new ComandaError(
      "invalid_input",
      t`No driver of ${label} is called "${typed}".${suggestion(typed, names)}`,
      {
        hint: t`Give the id, or see who had orders in the last 30 days: comanda driver list --store ${label}`,
      },
    );
  }
  if (others.length === 0) return match.id;
  const names = found.map(nameOf).join(", ");
  throw new ComandaError("invalid_input", t`More than one driver is called "${typed}": ${names}.`, {
    hint: t`Give the id.`,
  });
}

/** The name stands first, since a table of two numbers wouldn't tell which one to type. */
function nameOf({ id, name }: KnownDriver): string {
  return `${name} (${id})`;
}
