/** Finds a driver by a part of the name, as the service's figures by driver tell it. */
import type { Client } from "../../client/client.js";
import type { GroupedSummary } from "../../api/models.js";
import { ComandaError } from "../../client/errors.js";
import { t } from "../../languages/language.js";
import { suggestion } from "../../api/nearest.js";
import { isNamed, mayMean } from "../../languages/plain-words.js";
import type { Row } from "../../sales/figures.js";
import type { AnswerSource, Answers } from "../../state/answers.js";
import type { Context } from "../../cli/context.js";
import type { Choice } from "../../cli/choices.js";
import type { Connection } from "../store.js";

export interface KnownDriver {
  readonly id: number;
  readonly name: string;
}

type NamedGroup = Pick<GroupedSummary["groups"][number], "key" | "label">;

/** The drivers whose names groups by `driver_id` tell (section 4.7: key and label), by id. */
function driversIn(groups: readonly NamedGroup[]): readonly KnownDriver[] {
  return groups
    .flatMap(({ key, label }) => {
      const id = key === null ? NaN : Number(key);
      return label !== null && Number.isSafeInteger(id) ? [{ id, name: label }] : [];
    })
    .toSorted((left, other) => left.id - other.id);
}

/** The newest name of each driver counts. */
async function knownDrivers(answers: Answers | undefined): Promise<readonly KnownDriver[]> {
  const kept = (await answers?.ofDrivers()) ?? [];
  const named = kept.flatMap(({ answer }) => ("groups" in answer ? driversIn(answer.groups) : []));
  const newest = new Map(named.toReversed().map((driver) => [driver.id, driver]));
  return [...newest.values()].toSorted((left, other) => left.id - other.id);
}

async function openAnswersOf(context: Context, source: AnswerSource): Promise<Answers> {
  const { openAnswers } = await import("../../state/answers.js");
  return openAnswers(await context.state(), source);
}

/**
 * Reads the drivers that figures by driver have named, without a call.
 *
 * @param store the alias
 */
export async function readDrivers(context: Context, store: string): Promise<readonly KnownDriver[]> {
  const { sessions } = await context.state();
  const session = (await sessions.list()).find((known) => known.store === store);
  if (!session || "error" in session || session.signed_in_at === undefined) return [];
  const signIn = new Date(session.signed_in_at).toISOString();
  const environment = session.environment.base_url;
  const answers = await openAnswersOf(context, { store, environment, signIn: () => Promise.resolve(signIn) });
  return knownDrivers(answers);
}

type Named = Pick<Connection, "label" | "baseUrl" | "figures"> & {
  readonly client: Pick<Client, "groupedSummary">;
};

/**
 * Asks the service for the drivers of the last 30 days (section 4.7), where it wasn't asked within ten minutes.
 *
 * @throws {ComandaError} what the client throws
 */
export async function listDrivers(
  context: Context,
  connection: Named,
): Promise<readonly (KnownDriver & { readonly orders: number })[]> {
  const rows = await askRows(context, connection);
  const orders = new Map(rows.map((row) => [Number(row.key), row.orders]));
  return driversIn(rows).map((driver) => ({ ...driver, orders: orders.get(driver.id) ?? 0 }));
}

async function askRows(
  context: Context,
  { label: store, baseUrl: environment, figures, client }: Named,
): Promise<readonly Row[]> {
  const { ask } = await import("../../sales/ask.js");
  const { resolvePeriod } = await import("../../sales/period.js");
  const { readPreferences } = await import("../figures/preferences.js");
  const { output } = context;
  const now = context.clock.now();
  const { zone, currency } = await readPreferences(context, store);
  const summary = () => Promise.reject(new RangeError("drivers are asked for as groups"));
  const answers = figures && (await openAnswersOf(context, { ...figures, store, environment }));
  const asking = {
    client: { ...client, summary },
    ...({ answers, currency, dateField: undefined, filters: undefined, freshness: "usual" } as const),
    ...{ now: () => context.clock.now(), begunAt: now, signal: context.signal, waitMs: 60_000 },
    onWarning: (message: string) => {
      output.warnOnce(message);
    },
  };
  const period = resolvePeriod({ period: "last-30-days" }, { now, zone });
  return (await ask(asking, { by: "driver_id", period })).rows;
}

/**
 * Gives the drivers with this name; else those whose names have a word for each typed word that begins with it, whatever
 * its case and accents.
 */
export function driversNamed<Driver extends Pick<KnownDriver, "name">>(
  drivers: readonly Driver[],
  typed: string,
): readonly Driver[] {
  if (!/[\p{L}\p{Nd}]/u.test(typed)) return [];
  const exactMatches = drivers.filter(({ name }) => isNamed(typed, name));
  return exactMatches.length > 0 ? exactMatches : drivers.filter(({ name }) => mayMean(typed, name));
}

/** What is known will do where it has the name; else the service is asked, unless nothing may be sent. */
async function findDrivers(
  context: Context,
  connection: Named,
  typed: string,
  mayAsk: boolean,
): Promise<readonly KnownDriver[]> {
  const { label: store, baseUrl: environment, figures } = connection;
  const answers = figures && (await openAnswersOf(context, { ...figures, store, environment }));
  const known = await knownDrivers(answers);
  if (!mayAsk || driversNamed(known, typed).length > 0) return known;
  try {
    context.output.notice(t`No driver called so is known at ${store} yet: the service is asked.`);
    const asked = driversIn(await askRows(context, connection));
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
  connection: Named,
  typed: string,
  mayAsk: boolean,
): Promise<number> {
  const drivers = await findDrivers(context, connection, typed, mayAsk);
  const matches = driversNamed(drivers, typed);
  const [match] = matches;
  if (match === undefined) throw unknownDriver(drivers, typed, connection.label);
  if (matches.length === 1) return match.id;
  const choices = matches.map(choiceOf);
  if (context.canAsk()) return Number(await context.choose(t`Which driver is "${typed}"?`, choices));
  const names = choices.map(({ name }) => name).join(", ");
  throw new ComandaError("invalid_input", t`More than one driver is called "${typed}": ${names}.`, {
    hint: t`Give the id.`,
  });
}

/**
 * Lets a person at a terminal choose a driver, or type an id or a name. Just Enter chooses nobody.
 *
 * @param mayAsk allows a call
 * @returns an id or a name, as it could have been typed; `undefined` for nobody
 */
export async function askDriver(
  context: Context,
  order: string,
  connection: Named,
  mayAsk: boolean,
): Promise<string | undefined> {
  const known = await readDrivers(context, connection.label);
  const drivers = known.length > 0 || !mayAsk ? known : await findDrivers(context, connection, "", true);
  if (drivers.length > 0) {
    const choices = [
      { value: nobody, name: t`nobody` },
      ...drivers.map(choiceOf),
      { value: "", name: t`another one` },
    ];
    const choice = await context.choose(t`Which driver for order ${order}?`, choices);
    if (choice !== "") return choice === nobody ? undefined : choice;
  }
  const answer = await context.askText(t`Which driver for order ${order}? The id, or the name:`);
  return answer === "" ? undefined : answer;
}

const nobody = "-";

/** The name stands first, since a table of two numbers wouldn't tell which one to type. */
function choiceOf({ id, name }: KnownDriver): Choice {
  return { value: String(id), name: `${name} (${id})` };
}

function unknownDriver(drivers: readonly KnownDriver[], typed: string, store: string): ComandaError {
  const names = drivers.map(({ name }) => name);
  const message =
    drivers.length === 0
      ? t`No driver's name is known at ${store}, so "${typed}" can't be found.`
      : t`No driver of ${store} is called "${typed}".${suggestion(typed, names)}`;
  return new ComandaError("invalid_input", message, {
    hint: t`Give the id, or see who had orders in the last 30 days: comanda driver list --store ${store}`,
  });
}
