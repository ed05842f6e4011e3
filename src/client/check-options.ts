/** Checks of what a program sets: numbers that a timer or a loop would take wrongly, and functions that are none. */
import { ComandaError } from "../shared/errors.js";
import { t } from "../shared/language.js";
import { isObject } from "../shared/json.js";
import { unknownNames } from "../shared/nearest.js";

export function misconfigured(message: string, hint?: string): ComandaError {
  return new ComandaError("configuration", message, hint === undefined ? {} : { hint });
}

/** Node's timers end at once where they are given more: 24.8 days. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * @returns milliseconds for a timer; `Infinity`, and whatever is too long for a timer, becomes the longest
 * @throws {ComandaError} `configuration` for 0, less, and what is no number
 */
export function timerMs(name: string, value: unknown): number {
  if (typeof value === "number" && value > 0) return Math.min(value, longestTimerMs);
  throw misconfigured(t`${name} must be a number of milliseconds above 0, not ${shown(value)}.`);
}

/** @throws {ComandaError} `configuration` for less than 0 and what is no number; `Infinity` will do */
export function waitMs(name: string, value: unknown): number {
  if (typeof value === "number" && value >= 0) return value;
  throw misconfigured(t`${name} must be a number of milliseconds of at least 0, not ${shown(value)}.`);
}

/** @throws {ComandaError} `configuration` for what is neither a whole number of at least `least` nor `Infinity` */
export function wholeNumber(name: string, value: unknown, least: number): number {
  if (typeof value === "number" && value >= least && (Number.isInteger(value) || value === Infinity))
    return value;
  throw misconfigured(t`${name} must be a whole number of at least ${least}, not ${shown(value)}.`);
}

export function aFunction(name: string, value: unknown): void {
  if (typeof value !== "function") throw misconfigured(t`${name} must be a function, not ${shown(value)}.`);
}

/**
 * @param value `undefined` is none
 * @throws {ComandaError} `configuration`
 */
export function optionalFunction(name: string, value: unknown): void {
  if (value !== undefined) aFunction(name, value);
}

/** @throws {ComandaError} `configuration` */
export function anObject(name: string, value: unknown): void {
  if (!isObject(value)) throw misconfigured(t`${name} must be an object, not ${shown(value)}.`);
}

/**
 * @param owner begins the message
 * @throws {ComandaError} `configuration` for what is no object, or has an option that isn't one of the known
 */
export function onlyOptions(owner: string, given: unknown, known: readonly string[]): void {
  anObject(`What ${owner} takes`, given);
  const unknown = isObject(given) ? Object.keys(given).filter((name) => !known.includes(name)) : [];
  if (unknown.length === 0) return;
  const [message, hint] = unknownNames("option", unknown, known).split("\n");
  throw misconfigured(`${owner} ${message}`, hint);
}

/** The names of a type's fields; the compiler holds them to the type. */
export function namesOf<Type>(names: Readonly<Record<keyof Type, true>>): readonly string[] {
  return Object.keys(names);
}

/** @throws {ComandaError} `configuration` for what is no object with these functions */
export function functionsOf(name: string, value: unknown, functions: readonly string[]): void {
  anObject(name, value);
  for (const each of functions) aFunction(`${name}.${each}`, isObject(value) ? value[each] : undefined);
}

/** Numbers as they are, of all else the kind alone: it may be a secret in the wrong place. */
export function shown(value: unknown): string {
  if (typeof value === "number" || value === undefined || value === null) return String(value);
  if (Array.isArray(value)) return t`a list`;
  return typeof value === "object" ? t`an object` : `a ${typeof value}`;
}
