/** Finds a driver by a part of the name, which this machine knows from sales figures. */
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { suggestion } from "../../shared/nearest.js";
import { isNamed, mayMean } from "../../shared/plain-words.js";
import type { Client } from "../../client/client.js";
import type { KnownDriver } from "../../state/drivers.js";
import type { Choice } from "../../terminal/choices.js";

import { askForText } from "../../toolkit/asking.js";
import type { Machine } from "../../toolkit/machine.js";
import { withConnection } from "../../toolkit/with-connection.js";

/** Reads the drivers that earlier sales figures of the store have named. */
export async function readDrivers(machine: Machine, store: string): Promise<readonly KnownDriver[]> {
  const { knownDrivers } = await import("../../state/drivers.js");
  return knownDrivers(await machine.state(), store);
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

/**
 * Where no driver is known, the service is asked for those of the last 30 days (section 4.7).
 *
 * @param store the alias
 * @param client absent where nothing may be sent
 */
async function findDrivers(
  machine: Machine,
  store: string,
  client: Pick<Client, "groupedSummary"> | undefined,
): Promise<readonly KnownDriver[]> {
  const drivers = await readDrivers(machine, store);
  if (drivers.length > 0 || client === undefined) return drivers;
  const { learnDrivers } = await import("../../state/drivers.js");
  const { clock, signal } = machine.context;
  const now = clock.now();
  const at = (moment: number) => `${new Date(moment).toISOString().slice(0, 19)}Z`;
  try {
    machine.output.notice(t`No driver's name is known at ${store} yet: the service is asked.`);
    const { groupedSummary } = await client.groupedSummary(
      { start_date: at(now - 30 * 86_400_000), end_date: at(now), group_by: "driver_id" },
      { signal },
    );
    await learnDrivers(await machine.state(), store, groupedSummary, now);
    return await readDrivers(machine, store);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ComandaError)) throw error;
    // The person can still give an id.
    machine.output.warn(error.message);
    return [];
  }
}

/**
 * Never guesses: where several drivers match, a person at a terminal is asked, and a script is refused.
 *
 * @param store the alias
 * @throws {ComandaError} `invalid_input` where no driver or more than one matches
 */
export async function driverOfName(
  machine: Machine,
  store: string,
  typed: string,
  client: Pick<Client, "groupedSummary"> | undefined,
): Promise<number> {
  const drivers = await findDrivers(machine, store, client);
  const matches = driversNamed(drivers, typed);
  const [match] = matches;
  if (match === undefined) throw unknownDriver(drivers, typed, store);
  if (matches.length === 1) return match.id;
  const choices = matches.map(choiceOf);
  if (machine.canAsk()) return Number(await machine.choose(t`Which driver is "${typed}"?`, choices));
  const names = choices.map(({ name }) => name).join(", ");
  throw new ComandaError("invalid_input", t`More than one driver is called "${typed}": ${names}.`, {
    hint: t`Give the id.`,
  });
}

/**
 * Lets a person at a terminal choose a driver, or type an id or a name.
 *
 * @param store the alias; absent for a store without stored names
 * @param dryRun forbids calls
 * @returns an id or a name, as it could have been typed
 */
export async function askDriver(
  machine: Machine,
  order: string,
  { store, dryRun }: { readonly store: string | undefined; readonly dryRun: boolean },
): Promise<string> {
  const drivers = store === undefined ? [] : await driversToChoose(machine, store, dryRun);
  const question = t`Which driver for order ${order}?`;
  const another = { value: "", name: t`another one` };
  const choice =
    drivers.length > 0 ? await machine.choose(question, [...drivers.map(choiceOf), another]) : "";
  if (choice !== "") return choice;
  return askForText(machine, t`Which driver for order ${order}? The id, or the name:`);
}

async function driversToChoose(machine: Machine, store: string, dryRun: boolean) {
  const drivers = await readDrivers(machine, store);
  if (drivers.length > 0 || dryRun) return drivers;
  return withConnection(machine, { store }, ({ client }) => findDrivers(machine, store, client));
}

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
    hint: t`Give the id, or learn the names: comanda grouped --by driver_id --period last-month --fresh --store ${store}`,
  });
}
