/** A driver as a person calls them: by a part of the name that sales figures have told. */
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { nearest } from "../../shared/nearest.js";
import type { KnownDriver } from "../../state/drivers.js";

import type { Machine } from "../../toolkit/machine.js";

/** A store's drivers as far as sales figures have told them, by id. */
export async function readDrivers(machine: Machine, store: string): Promise<readonly KnownDriver[]> {
  const { knownDrivers } = await import("../../state/drivers.js");
  return knownDrivers((await machine.state()).data, store);
}

/**
 * Those whose name it is; else those each of whose typed words begins one of the name's, whatever their case and accents.
 */
export function driversNamed<Driver extends Pick<KnownDriver, "name">>(
  drivers: readonly Driver[],
  typed: string,
): readonly Driver[] {
  const wanted = wordsOf(typed);
  if (wanted.length === 0) return [];
  const whole = drivers.filter(({ name }) => wordsOf(name).join(" ") === wanted.join(" "));
  if (whole.length > 0) return whole;
  return drivers.filter(({ name }) => {
    const words = wordsOf(name);
    return wanted.every((start) => words.some((word) => word.startsWith(start)));
  });
}

/** Without accents, in small letters. */
function wordsOf(text: string): readonly string[] {
  return text
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[^\p{L}\p{Nd}]+/u)
    .filter((word) => word !== "");
}

/**
 * Never a guess: of several of that name a person at a terminal is asked, and a script is refused.
 *
 * @param store its alias
 * @throws {ComandaError} `invalid_input` where nobody or more than one is called so
 */
export async function driverOfName(machine: Machine, store: string, typed: string): Promise<number> {
  const drivers = await readDrivers(machine, store);
  const matches = driversNamed(drivers, typed);
  const [only] = matches;
  if (only === undefined) throw nobody(drivers, typed, store);
  if (matches.length === 1) return only.id;
  const lines = matches.map(({ id, name }) => `${id} ${name}`);
  if (machine.canAsk()) {
    const chosen = await machine.choose(
      t`Which driver is "${typed}"?`,
      matches.map(({ id }, index) => ({ value: String(id), name: lines[index] ?? "" })),
    );
    return Number(chosen);
  }
  throw new ComandaError(
    "invalid_input",
    t`More than one driver is called "${typed}": ${lines.join(", ")}.`,
    {
      hint: t`Give the id.`,
    },
  );
}

/**
 * Asks a person at a terminal: for one of those whose names are known here, or else for an id or a name.
 *
 * @param store its alias; absent for a store of which no names are kept
 * @returns as it could have been typed
 */
export async function askDriver(machine: Machine, order: string, store: string | undefined): Promise<string> {
  const drivers = store === undefined ? [] : await readDrivers(machine, store);
  if (drivers.length > 0) {
    const chosen = await machine.choose(t`Which driver for order ${order}?`, [
      ...drivers.map(({ id, name }) => ({ value: String(id), name: `${id} ${name}` })),
      { value: "", name: t`another one` },
    ]);
    if (chosen !== "") return chosen;
  }
  return machine.askText(t`Which driver for order ${order}? The id, or the name:`);
}

function nobody(drivers: readonly KnownDriver[], typed: string, store: string): ComandaError {
  if (drivers.length === 0) {
    return new ComandaError(
      "invalid_input",
      t`No driver's name is known at ${store}, so "${typed}" can't be found.`,
      {
        hint: t`Give the id, or learn the names: comanda grouped --by driver_id --period last-month --store ${store}`,
      },
    );
  }
  const question =
    drivers
      .map(({ asked_at: at }) => at)
      .sort()
      .at(-1)
      ?.slice(0, 10) ?? "";
  const meant = nearest(
    typed,
    drivers.map(({ name }) => name),
  );
  return new ComandaError(
    "invalid_input",
    t`No driver of ${store} is called "${typed}", as of ${question}.`,
    {
      hint: [
        ...(meant === undefined ? [] : [t`Did you mean "${meant}"?`]),
        t`Learn newer names: comanda grouped --by driver_id --period last-month --fresh --store ${store}`,
      ].join(" "),
    },
  );
}
