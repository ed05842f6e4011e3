/**
 * Commands that ask for no sales figures read an amount, a period and a time zone by a store's settings here. The
 * calendar and the formats are loaded when they are needed, since a usage error needs neither.
 */
import type { Machine } from "../../toolkit/machine.js";
import type { Period } from "../period/period.js";
import type { PeriodRequest } from "../period/resolve.js";

import type { Preferences, Presentation } from "./preferences.js";

/** @param store is its alias; `undefined` for one that the environment variables name */
export async function readPreferences(
  machine: Machine,
  store: string | undefined,
  flags: Presentation = {},
): Promise<Preferences> {
  const { preferencesFor } = await import("./preferences.js");
  const { settings } = await machine.state();
  return preferencesFor(flags, await settings.read(), store);
}

/** Makes a function that writes an amount for people, by the locale and the currency of a store. */
export async function amountFormat(
  machine: Machine,
  store: string | undefined,
): Promise<(value: number) => string> {
  const { createNumberFormat } = await import("../present/number-format.js");
  const { display } = await readPreferences(machine, store);
  return createNumberFormat(display).amount;
}

/**
 * Reads a period in the days of a store.
 *
 * @param zone replaces the store's own
 * @throws {ComandaError} `invalid_input`
 */
export async function readPeriod(
  machine: Machine,
  request: PeriodRequest,
  { store, zone }: { readonly store: string; readonly zone: string | undefined },
): Promise<Period> {
  const { resolvePeriod } = await import("../period/resolve.js");
  const days = await readPreferences(machine, store, { time_zone: zone });
  const now = machine.context.clock.now();
  return resolvePeriod(request, { now, zone: days.zone, dayStarts: days.dayStarts });
}

/**
 * Gives the IANA name of a time zone as it is kept; without a name it gives this machine's own.
 *
 * @throws {ComandaError} `invalid_input` where there is no such zone
 */
export async function resolveTimeZone(name?: string): Promise<string> {
  const { machineZone, resolveZone } = await import("../period/calendar.js");
  return resolveZone(name ?? machineZone());
}
