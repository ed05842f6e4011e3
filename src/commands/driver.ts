/** `comanda driver` assigns the drivers of delivery orders (section 4.1), by id or by name. */
import type { ReadOrder } from "../api/models.js";
import { centsFromNumber, formatCents, typedAmount, typedAmountForm } from "../api/money.js";
import { suggestion } from "../api/basics.js";
import type { Column } from "../cli/records.js";
import { type Command, contradiction, missingArgument, oneStore } from "../cli/command.js";
import type { Context } from "../cli/context.js";
import { ComandaError } from "../client/errors.js";
import { t, translated } from "../languages/language.js";
import { isNamed, mayMean } from "../languages/plain-words.js";

import { amountFormat, readPreferences } from "./figures/preferences.js";
import { knowsSeveral, openConnection, type Connection } from "./store.js";
import { orderError, orderId, showRequests, stopGracefully } from "./writes.js";

export function driver(group: Command): void {
  group
    .command("assign <order-id> [driver]")
    .about(
      "assign or replace the driver of a delivery order",
      "The driver is an id, or a name or the beginning of one, as sales figures by driver have told it. Without --fee and " +
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
    .does(async (context) =>
      context.output.records(driverColumns, await askDrivers(context, oneStore(context.options))),
    );
}

const driverColumns: readonly Column<DriverOfOrders>[] = [
  { heading: "Driver", name: "name", cell: ({ name }) => name },
  { heading: "Id", name: "id", cell: ({ id }) => id },
  { heading: "Orders", name: "orders", align: "right", cell: ({ orders }) => orders },
];

interface AssignOptions {
  readonly fee?: string;
  readonly clearFee?: boolean;
}

async function assign(
  context: Context,
  { fee, clearFee = false }: AssignOptions,
  [orderWord = "", typed]: readonly string[],
): Promise<void> {
  const { output } = context;
  const { dryRun } = context.options;
  const store = oneStore(context.options);
  if (orderWord === "-")
    throw new ComandaError("usage", t`driver assign takes one order, not a list on stdin.`, {
      hint: t`Give the order's id: comanda driver assign <order-id> <driver>`,
    });
  const order = orderId(orderWord, t`argument ${1}`);
  if (fee !== undefined && clearFee) throw contradiction("--fee", "--clear-fee");
  const amount = fee === undefined ? undefined : typedAmount(fee);
  if (fee !== undefined && amount === undefined)
    throw new ComandaError("invalid_input", t`--fee takes ${translated(typedAmountForm)}, not "${fee}".`, {
      hint: t`For example: --fee 7.50, --fee 7,50, --fee 0`,
    });
  // The fee goes out as the decimal that was typed; null removes it, and without the field the order keeps its fee.
  const feeField = clearFee ? { driver_fee: null } : amount === undefined ? {} : { driver_fee: amount };
  const given = typed === undefined ? undefined : parseDriver(typed);
  if (given === undefined && !context.canAsk()) throw missingArgument("driver");
  const connection = await openConnection(context, store);
  const { client, describe, label, place } = connection;
  const answer = given ?? (await askDriver(context, order, connection, !dryRun));
  if (answer === undefined) {
    output.notice(t`Nobody was assigned.`);
    return;
  }
  const chosen = typeof answer === "number" ? answer : parseDriver(answer);
  const id = typeof chosen === "number" ? chosen : await driverOfName(context, connection, chosen, !dryRun);
  const input = { driver_id: id, ...feeField };
  if (dryRun) {
    showRequests(output, [await describe((probe) => probe.assignDriver(order, input))]);
    return;
  }
  const assigned = await stopGracefully(context, (call) => client.assignDriver(order, input, call)).catch(
    (error: unknown) => {
      throw error instanceof ComandaError ? orderError(error, order, place) : error;
    },
  );
  if (output.json) {
    output.jsonText(assigned.raw);
    return;
  }
  if (output.format === "table" && (await knowsSeveral(context))) output.words(t`At ${label}:`);
  const { value } = assigned;
  const row = { order, name: undefined, amount: plainAmount, ...value };
  try {
    const name = (await readDrivers(context, label)).find(({ id }) => id === value.driver_id)?.name;
    await output.records(columns, [{ ...row, name, amount: await amountFormat(context, label) }]);
  } catch (error) {
    // The driver is assigned all the same.
    if (!(error instanceof ComandaError)) throw error;
    output.warn(error.message);
    await output.records(columns, [row]);
  }
}

/** A name has a letter. */
function parseDriver(text: string): number | string {
  if (/\p{L}/u.test(text)) return text;
  if (/^\d{1,15}$/.test(text) && Number(text) > 0) return Number(text);
  throw new ComandaError(
    "invalid_input",
    t`A driver is an id, a whole number of at least 1, or a name; not "${text}".`,
    { hint: t`The store's portal lists the drivers and their ids.` },
  );
}

interface AssignedRow extends ReadOrder {
  readonly order: string;
  /** People see it; `undefined` where no sales figures have named the driver. */
  readonly name: string | undefined;
  /** Writes an amount by the store's locale and currency. */
  readonly amount: (value: number) => string;
}

/** The order may have a value even if the answer lacks the field. */
const shown = (value: string | number | null | undefined): string | number =>
  value === undefined ? t`not shown` : (value ?? t`none`);

const columns: readonly Column<AssignedRow>[] = [
  { heading: "Order", name: "id", cell: ({ id, order }) => id ?? order },
  { heading: "Number", name: "display_id", cell: ({ display_id: number }) => shown(number) },
  { heading: "Status", name: "status", cell: ({ status }) => shown(status), isWord: true },
  {
    heading: "Driver",
    name: "driver_id",
    cell: (row) => shown(row.driver_id),
    tableText: ({ driver_id: id, name }) => (name === undefined ? `${shown(id)}` : `${name} (${shown(id)})`),
  },
  {
    heading: "Fee",
    name: "driver_fee",
    cell: ({ driver_fee: fee }) => shown(typeof fee === "number" ? plainAmount(fee) : fee),
    tableText: ({ driver_fee: fee, amount }) => `${shown(typeof fee === "number" ? amount(fee) : fee)}`,
  },
];

function plainAmount(amount: number): string {
  const cents = centsFromNumber(amount);
  return cents === undefined ? String(amount) : formatCents(cents);
}

export interface KnownDriver {
  readonly id: number;
  readonly name: string;
}

interface DriverOfOrders extends KnownDriver {
  readonly orders: number;
}

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
    for (const group of "groups" in answer ? answer.groups : []) {
      const id = driverIn(group);
      if (id !== undefined && group.label !== null) newest.set(id, { id, name: group.label });
    }
  return [...newest.values()].toSorted((left, other) => left.id - other.id);
}

/** An order without a driver is in a group whose key is null. */
function driverIn({ key }: { readonly key: string | number | boolean | null }): number | undefined {
  return key !== null && Number.isSafeInteger(Number(key)) ? Number(key) : undefined;
}

/**
 * Asks the service for the drivers of the last 30 days (section 4.7), where it wasn't asked within ten minutes.
 *
 * @param alias undefined for the store that is chosen without one
 * @throws {ComandaError} what the client throws
 */
async function askDrivers(context: Context, alias: string | undefined): Promise<readonly DriverOfOrders[]> {
  const { salesRequest } = await import("./figures/options.js");
  const { askStores } = await import("./figures/stores.js");
  // Which hour the first of 30 days begins at isn't worth a warning of a zone that is guessed.
  const { zone: tz } = await readPreferences(context, alias);
  const request = salesRequest(context, { period: "last-30-days", tz });
  const stores = alias === undefined ? [] : [alias];
  const asked = await askStores(context, "driver", { ...request, stores }, [
    { by: "driver_id", isCompared: false },
  ]);
  return (asked?.[0]?.stores ?? []).flatMap((store) =>
    "error" in store
      ? []
      : store.current.rows.flatMap((row) => {
          const id = driverIn(row);
          return id === undefined || row.label === null ? [] : { id, name: row.label, orders: row.orders };
        }),
  );
}

/**
 * Gives the drivers with this name; else those whose names have a word for each typed word that begins with it, whatever
 * its case and accents.
 */
export function driversNamed(drivers: readonly KnownDriver[], typed: string): readonly KnownDriver[] {
  if (!/[\p{L}\p{Nd}]/u.test(typed)) return [];
  const exact = drivers.filter(({ name }) => isNamed(typed, name));
  return exact.length > 0 ? exact : drivers.filter(({ name }) => mayMean(typed, name));
}

/** What is known will do where it has the name; else the service is asked, unless nothing may be sent. */
async function findDrivers(
  context: Context,
  { label, store }: Connection,
  typed: string,
  mayAsk: boolean,
): Promise<readonly KnownDriver[]> {
  const known = await readDrivers(context, label);
  if (!mayAsk || driversNamed(known, typed).length > 0) return known;
  try {
    context.output.notice(t`No driver called so is known at ${label} yet: the service is asked.`);
    const asked = await askDrivers(context, store);
    return [...asked, ...known.filter(({ id }) => !asked.some((driver) => driver.id === id))];
  } catch (error) {
    context.signal.throwIfAborted();
    if (!(error instanceof ComandaError)) throw error;
    // The person can still give an id.
    context.output.warn(error.message);
    return known;
  }
}

/**
 * Never guesses: where several drivers match, a person at a terminal is asked, and a script is refused.
 *
 * @throws {ComandaError} `invalid_input` where no driver or more than one matches
 */
export async function driverOfName(
  context: Context,
  connection: Connection,
  typed: string,
  mayAsk: boolean,
): Promise<number> {
  const { label } = connection;
  const drivers = await findDrivers(context, connection, typed, mayAsk);
  const matches = driversNamed(drivers, typed);
  const [match] = matches;
  if (match === undefined)
    throw new ComandaError(
      "invalid_input",
      t`No driver of ${label} is called "${typed}".${suggestion(
        typed,
        drivers.map(({ name }) => name),
      )}`,
      {
        hint: t`Give the id, or see who had orders in the last 30 days: comanda driver list --store ${label}`,
      },
    );
  if (matches.length === 1) return match.id;
  const choices = matches.map(choiceOf);
  if (context.canAsk()) return Number(await context.choose(t`Which driver is "${typed}"?`, choices));
  const names = choices.map(({ name }) => name).join(", ");
  throw new ComandaError("invalid_input", t`More than one driver is called "${typed}": ${names}.`, {
    hint: t`Give the id.`,
  });
}

const nobody = "-";

/**
 * Lets a person at a terminal choose a driver or nobody, or type an id or a name.
 *
 * @returns an id or a name, as it could have been typed; `undefined` for nobody
 */
async function askDriver(
  context: Context,
  order: string,
  connection: Connection,
  mayAsk: boolean,
): Promise<string | undefined> {
  const known = await readDrivers(context, connection.label);
  const drivers = known.length > 0 ? known : await findDrivers(context, connection, "", mayAsk);
  if (drivers.length > 0) {
    const choice = await context.choose(t`Which driver for order ${order}?`, [
      { value: nobody, name: t`nobody` },
      ...drivers.map(choiceOf),
      { value: "", name: t`another one` },
    ]);
    if (choice !== "") return choice === nobody ? undefined : choice;
  }
  const answer = await context.askText(t`Which driver for order ${order}? The id, or the name:`);
  return answer === "" ? undefined : answer;
}

/** The name stands first, since a table of two numbers wouldn't tell which one to type. */
function choiceOf({ id, name }: KnownDriver) {
  return { value: String(id), name: `${name} (${id})` };
}
