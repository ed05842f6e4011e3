/** The drivers of a store: those with recent orders, those that a name may mean, and their assignment to orders (section 4.1). */
import type * as z from "zod";

import type { DriverInput, ReadOrder } from "../api/models.js";
import { ComandaError } from "../base/errors.js";
import type { HttpRequest } from "../client/transport.js";
import { continued, plainWords, t } from "../languages/language.js";
import type { Figures, Key } from "../sales/figures.js";
import type { Fingerprint, HistoryRow } from "../state/journal.js";
import type { State } from "../state/state.js";
import type { Connection } from "./connection.js";
import { orderError, orderLine } from "./orders.js";
import type * as results from "./results.js";

export type Driver = z.output<typeof results.driver>;
type AssignmentDocument = z.output<typeof results.assignment>;
/** A driver whose name is null if no cached figures contain it. */
export type NamedDriver = AssignmentDocument["driver"];

/** The drivers with recent orders, and the figures that name them. */
export interface RecentDrivers {
  readonly drivers: readonly Driver[];
  readonly figures: Figures;
}

interface ListOptions {
  /** Sends nothing, for a dry run. */
  readonly isCachedOnly?: boolean;
}

export interface FindOptions extends ListOptions {
  /** Requests the recent drivers for the name of one who was typed by id, if no cached figures contain it. */
  readonly requestsName?: boolean;
}

/**
 * Returns the drivers with orders today or in the last 30 days (section 4.7), from the cache for a minute.
 *
 * @throws {ComandaError} `usage` if they aren't cached and nothing may be sent; the client's errors
 */
export async function recentDrivers(
  connection: Connection,
  { isCachedOnly = false }: ListOptions = {},
): Promise<RecentDrivers> {
  const { forEachStore, planFigures } = await import("./figures.js");
  const { fetchFigures } = await import("../sales/fetch.js");
  const request = { from: "last-30-days" };
  const plan = await planFigures(connection.workspace, connection, request, [{ by: "driver_id" }]);
  if (isCachedOnly && plan.progress.calls > 0)
    throw new ComandaError("usage", t`The drivers' names aren't cached, and a dry run sends nothing.`, {
      hintFacts: { about: "driver_ids" },
    });
  const [found] = await forEachStore(plan, async ({ fetchOptions, plans }) => {
    const days = plans[0]?.[0];
    if (!days) throw new RangeError("a list of drivers has a plan");
    const figures = await fetchFigures(fetchOptions, days);
    return { drivers: driversIn(figures.rows, figures.period.last), figures };
  });
  if (!found || "error" in found) throw new RangeError("the error of the only store is thrown");
  return found;
}

/** The sign-in of a store under which figures were cached. Another sign-in may be to another store, with other drivers. */
interface SignIn extends Fingerprint {
  readonly store: string;
}

/**
 * Reads the drivers from cached figures by driver, however old, without a request. Returns none if `sales.db` can't be read.
 *
 * @param signIn nothing was cached for one that isn't known (null); an empty text stands for every sign-in
 * @param most the maximum number of answers, newest first
 * @returns sorted by id, each with its newest name
 */
async function cachedDrivers(
  state: State,
  { store, address: environment, sign_in: signIn }: SignIn,
  most = 20,
): Promise<readonly Driver[]> {
  if (signIn === null) return [];
  const { openAnswerCache } = await import("../state/answer-cache.js");
  const answers = openAnswerCache(state, { store, environment, signIn });
  const cached = await answers.list("driver_id", most).catch((error: unknown) => {
    if (error instanceof ComandaError) return [];
    throw error;
  });
  const newest = new Map<number, Driver>();
  for (const { answer, last } of cached.toReversed())
    for (const { id, name } of driversIn("groups" in answer ? answer.groups : [], last)) {
      const lastDay = newest.get(id)?.last_day ?? last;
      newest.set(id, { id, name, orders: null, last_day: last > lastDay ? last : lastDay });
    }
  return [...newest.values()].toSorted((one, other) => one.id - other.id);
}

/** Returns the drivers that the cached figures of this sign-in name, as {@link cachedDrivers}. */
export async function knownDrivers(
  { label, workspace, fingerprint }: Connection,
  most?: number,
): Promise<readonly Driver[]> {
  return cachedDrivers(await workspace.state(), { store: label, ...fingerprint }, most);
}

/**
 * Returns a function that finds the name of an assigned driver. Figures that were cached under the assignment's own sign-in come first.
 * After a new sign-in, those from before it name the drivers that the new ones don't.
 */
export function driverNames(state: State) {
  const lists = new Map<string, Promise<readonly Driver[]>>();
  const listOf = (signIn: SignIn) => {
    const key = JSON.stringify(signIn);
    const drivers = lists.get(key) ?? cachedDrivers(state, signIn);
    lists.set(key, drivers);
    return drivers;
  };
  return async ({ store, environment, address, sign_in }: HistoryRow, id: number): Promise<string | null> => {
    for (const each of [sign_in, ""]) {
      const drivers = await listOf({ store: store ?? environment, address, sign_in: each });
      const driver = drivers.find((known) => known.id === id);
      if (driver) return driver.name;
    }
    return null;
  };
}

/** The group of orders without a driver has the key null. Ids are positive integers (section 4.8). */
function driversIn(
  groups: readonly { readonly key: Key; readonly label: string | null; readonly orders?: number }[],
  lastDay: string,
): readonly Driver[] {
  return groups.flatMap(({ key, label: name, orders = null }) =>
    name !== null && /^[1-9]\d*$/.test(String(key)) && Number.isSafeInteger(Number(key))
      ? { id: Number(key), name, orders, last_day: lastDay }
      : [],
  );
}

/**
 * Returns the drivers with this name, or with this name and id; if there are none, those whose names contain, for each typed word, a word that begins with
 * it. Ignores case and accents. Returns all drivers if no name was typed.
 */
export function driversNamed<Each extends NamedDriver & { readonly name: string }>(
  drivers: readonly Each[],
  typed: string,
): readonly Each[] {
  const wordsOf = (text: string) => plainWords(text).match(/[\p{L}\p{Nd}]+/gu) ?? [];
  const starts = wordsOf(typed);
  if (starts.length === 0) return drivers;
  const exact = drivers.filter((driver) =>
    [driver.name, driverName(driver)].some((text) => wordsOf(text).join(" ") === starts.join(" ")),
  );
  if (exact.length > 0) return exact;
  return drivers.filter(({ name }) =>
    starts.every((start) => wordsOf(name).some((word) => word.startsWith(start))),
  );
}

/** An error lists this many drivers. */
const mostNamed = 20;

/** Returns the names with their ids for a sentence: the first ones, and how many more there are. */
export function listedDrivers(names: readonly string[]): string {
  const first = names.slice(0, mostNamed).join(", ");
  return names.length > mostNamed ? `${first}, ${t`… and ${names.length - mostNamed} more`}` : first;
}

/**
 * Puts the name first, so that the number next to it is recognized as the id. In a hint or a question, a line break of the service's
 * name would begin a line that seems to be comanda's.
 */
export function driverName({ id, name }: NamedDriver, detail?: string): string {
  const facts = [id, detail].filter(Boolean).join("; ");
  return name === null ? facts : `${name.replaceAll(/\s+/g, " ")} (${facts})`;
}

/** The driver that matches what was typed. If that isn't certain, `candidates` are the drivers to choose from, sorted by id. */
export type FoundDriver = { readonly driver: NamedDriver } | { readonly candidates: readonly Driver[] };

/**
 * Finds the driver whose id or name was typed, without guessing: every name in cached figures counts, because a driver without
 * recent orders may be the one.
 *
 * @throws {ComandaError} `invalid_input` if no driver matches; as {@link recentDrivers}
 */
export async function findDriver(
  connection: Connection,
  typed: string,
  { requestsName = false, ...options }: FindOptions = {},
): Promise<FoundDriver> {
  if (/^\d{1,15}$/.test(typed) && Number(typed) > 0) {
    const nameless = { id: Number(typed), name: null };
    const isTyped = ({ id }: Driver) => id === nameless.id;
    const known = (await knownDrivers(connection)).find(isTyped);
    if (known || !requestsName) return { driver: known ?? nameless };
    // A driver without recent orders, or of a store without a sign-in, has no name.
    const recent = await recentDrivers(connection).catch((error: unknown) => {
      if (!(error instanceof ComandaError)) throw error;
    });
    return { driver: recent?.drivers.find(isTyped) ?? nameless };
  }
  // A name contains a letter.
  if (!/\p{L}/u.test(typed))
    throw new ComandaError("invalid_input", t`"${typed}" isn't a driver's id or name. Nothing was sent.`, {
      hintFacts: { about: "driver_ids" },
    });
  const { drivers: recent } = await recentDrivers(connection, options).catch((error: unknown) => {
    connection.workspace.signal.throwIfAborted();
    if (!(error instanceof ComandaError)) throw error;
    const problem = t`The drivers' names can't be looked up: ${continued(error.message)}`;
    throw error.reworded(`${problem} ${t`Nothing was changed.`}`);
  });
  const known = new Map<number, Driver>();
  for (const driver of [...(await knownDrivers(connection, Number.MAX_SAFE_INTEGER)), ...recent])
    known.set(driver.id, driver);
  // A recent driver whose name begins like this isn't hidden by an earlier one with exactly this name.
  const ids = [recent, [...known.values()]].flatMap((some) => driversNamed(some, typed)).map(({ id }) => id);
  const candidates = [...known.values()].filter(({ id }) => ids.includes(id));
  const [match, ...others] = candidates;
  if (!match) {
    const names = listedDrivers(recent.map((each) => driverName(each)));
    throw new ComandaError(
      "invalid_input",
      t`No driver called "${typed}" has had orders recently. Nothing was sent.`,
      {
        hint:
          names === ""
            ? t`No driver had orders today or in the last 30 days. Type the driver's id.`
            : t`Drivers with orders today or in the last 30 days: ${names}. For any other driver, type the id.`,
      },
    );
  }
  const isCertain = others.length === 0 && recent.some(({ id }) => id === match.id);
  return isCertain ? { driver: match } : { candidates };
}

export interface Assignment {
  readonly order: string;
  readonly driver: NamedDriver;
  /** The decimal as typed; null removes the fee, and without the field the order's fee doesn't change. */
  readonly fee?: DriverInput["driver_fee"];
}

export interface AssignmentResult {
  readonly line: Omit<AssignmentDocument, "order">;
  /** The order as the service returned it, with every digit in `raw`; absent if the assignment isn't known to be done. */
  readonly order?: { readonly value: ReadOrder; readonly raw: string };
  /** Why the driver isn't assigned, or isn't known to be. */
  readonly failure?: ComandaError;
}

/** Assigns a driver to an order, or replaces the driver. */
export async function assignDriver(
  connection: Connection,
  assignment: Assignment,
): Promise<AssignmentResult> {
  const { client, workspace } = connection;
  const { order, driver } = assignment;
  const { id, name } = driver;
  const lineOf = (result: Parameters<typeof orderLine>[3]) => ({
    ...orderLine(connection, "assign", order, result),
    driver: { id, name },
  });
  try {
    const assigned = await client.assignDriver(order, inputOf(assignment), { signal: workspace.signal });
    const { value, raw } = assigned;
    return { line: lineOf(assigned), order: { value, raw } };
  } catch (error) {
    if (!(error instanceof ComandaError)) throw error;
    return { line: lineOf(error), failure: await orderError(connection, error, order) };
  }
}

/** Returns the request of an assignment for a dry run. */
export async function describeAssignment(
  connection: Connection,
  assignment: Assignment,
): Promise<HttpRequest> {
  return connection.describe((probe) => probe.assignDriver(assignment.order, inputOf(assignment)));
}

const inputOf = ({ driver, fee }: Assignment): DriverInput => ({ driver_id: driver.id, driver_fee: fee });
