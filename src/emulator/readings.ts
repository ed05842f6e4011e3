/**
 * The specification leaves some points open, which are named switches here. Each value is a service that keeps to the specification; the
 * first is the emulator's own choice, and no promise of the service: a client must do with every other one as well.
 *
 * What stays a choice without a switch stands in `domain/choices.ts`.
 */
import { nameSuggestion } from "../shared/nearest.js";
import { createRandom } from "./domain/random.js";

export type ReadingValue = string | number | boolean;

interface Reading {
  /** The section is one of the specification. */
  readonly section: string;
  /** The first value is the default. */
  readonly values: readonly [ReadingValue, ...ReadingValue[]];
  readonly text: string;
}

const bodies = ["message", "error_object", "empty", "text"] as const;

export const readingTable = {
  success_status: {
    section: "4.2 to 4.5",
    values: [204, 200, 202],
    text: "HTTP status of a status change that was done.",
  },
  success_type: {
    section: "4.2 to 4.5",
    values: ["none", "application/json"],
    text: "Content-Type of the empty answer to a status change.",
  },
  prefilled_status: { section: "4.9", values: [201, 200], text: "HTTP status of a pre-filled order." },
  conflict_status: {
    section: "7",
    values: [409, 400, 403, 404, 422],
    text: "HTTP status of error code 4002.",
  },
  error_details: {
    section: "7",
    values: ["some", "never", "always"],
    text: "Which errors have details beside 4000: that of 4002, none, or all but 4010.",
  },
  forbidden_body: { section: "7", values: bodies, text: "Body of HTTP 403." },
  rate_limit_body: { section: "7", values: bodies, text: "Body of HTTP 429." },
  retry_after: {
    section: "8",
    values: ["seconds", "date", "none"],
    text: "Retry-After header of HTTP 429.",
  },
  challenge: { section: "7", values: [false, true], text: "Has HTTP 401 a WWW-Authenticate header?" },
  json_type: {
    section: "4",
    values: ["application/json", "application/json; charset=utf-8"],
    text: "Content-Type of an answer in JSON.",
  },
  unknown_fields: {
    section: "9",
    values: [false, true],
    text: "Do answers have fields that the specification doesn't name?",
  },
  order_nulls: {
    section: "2.1",
    values: ["null", "absent"],
    text: "How an order shows that there is no value: by null, or by leaving the field out.",
  },
  timestamps: {
    section: "1",
    values: ["store", "utc", "milliseconds"],
    text: "Times of an order: with the store's offset, in UTC with Z, or with milliseconds.",
  },
  option_price: {
    section: "2.3",
    values: ["mixed", "unit_price", "total_price"],
    text: "Name of an option's price.",
  },
  change_name: {
    section: "2.5",
    values: ["mixed", "change_for", "change_of"],
    text: "Name of a payment's change amount.",
  },
  dispatch_from: {
    section: "3",
    values: ["preparing", "ready", "any_open"],
    text: "From which statuses an order can be dispatched: accepted ones, only ready, also unconfirmed ones.",
  },
  dispatch_again: {
    section: "3",
    values: ["refused", "accepted"],
    text: "What becomes of dispatching an order a second time.",
  },
  finalize_from: {
    section: "3",
    values: ["accepted", "handed_over", "any_open"],
    text: "From which statuses an order can be finalized: accepted ones, those handed over, also unconfirmed ones.",
  },
  cancel_from: {
    section: "3",
    values: ["any_open", "before_dispatch"],
    text: "From which statuses an order can be canceled.",
  },
  card_cancellation: {
    section: "3",
    values: ["at_once", "after_a_minute", "fails"],
    text: "How the cancellation of an order that was paid online by credit card ends.",
  },
  driver_on_finished: {
    section: "4.1",
    values: ["accepted", "refused"],
    text: "Can a finished order get another driver? Refused with code 4000.",
  },
  check_order: {
    section: "4",
    values: ["order_first", "body_first"],
    text: "What is checked first: that the order exists (4041), or the body (4000).",
  },
  order_id_form: {
    section: "4",
    values: [404, 400],
    text: "HTTP status for an order_id that can't be one.",
  },
  unasked_body: {
    section: "4.3 to 4.5",
    values: ["ignored", "refused"],
    text: "What becomes of a body where none is asked for.",
  },
  two_credentials: {
    section: "5.1",
    values: ["bearer", "api_key"],
    text: "Which credential counts where a call has both.",
  },
  limit_window: {
    section: "8",
    values: ["sliding", "fixed"],
    text: "Are the last 60 seconds looked at, or the minute of the clock?",
  },
  limit_counts: {
    section: "8",
    values: ["admitted", "all"],
    text: "Which calls count against a rate limit: those let through, or also those answered 429.",
  },
  six_months_clock: {
    section: "8",
    values: ["written", "store", "utc"],
    text: "By which clock the span of a period is measured: by the offsets it is written with, the store's, or UTC.",
  },
  three_years: {
    section: "8",
    values: ["day", "instant"],
    text: "How far back a period may start: to that day in the store, or to the instant.",
  },
  period_end: {
    section: "4.6",
    values: ["included", "excluded"],
    text: "Does an order of the very instant of end_date count? A last day always does.",
  },
  canceled_orders: {
    section: "4.6",
    values: ["counted", "left_out"],
    text: "Do canceled orders count in sales figures that have no filter for status?",
  },
  empty_average: { section: "2.8", values: ["zero", "null"], text: "Average of no orders." },
  average_rounding: { section: "2.8", values: ["half_up", "down"], text: "How an average is rounded." },
  hour_key: { section: "4.7", values: ["number", "text", "clock"], text: "Key of an hour: 9, 09 or 09:00." },
  day_key: { section: "4.7", values: ["iso", "brazilian"], text: "Key of a day: 2026-11-20 or 20/11/2026." },
  day_of_week_key: {
    section: "4.7",
    values: ["sunday_0", "sunday_1", "monday_1", "name"],
    text: "Key of a day of the week: which day has which number, or its English name.",
  },
  week_key: {
    section: "4.7",
    values: ["iso", "monday", "sunday"],
    text: "Key of a week: 2026-W47, or its first day, a Monday or a Sunday.",
  },
  month_key: {
    section: "4.7",
    values: ["month", "first_day"],
    text: "Key of a month: 2026-11 or 2026-11-01.",
  },
  id_key: {
    section: "4.7",
    values: ["number", "text"],
    text: "Type of the key of a driver or payment method.",
  },
  no_value_group: {
    section: "4.7",
    values: ["null_key", "empty_key", "left_out"],
    text: "The group of orders without an origin or payment. That of no driver is shown.",
  },
  several_payments: {
    section: "4.7",
    values: ["first", "each"],
    text: "To which group an order belongs that was paid in several ways.",
  },
  empty_groups: {
    section: "4.7",
    values: ["left_out", "zero"],
    text: "Are hours and days without orders left out?",
  },
  group_order: {
    section: "4.7",
    values: ["time_and_count", "newest_and_key"],
    text: "Order of groups: in time, others by count; or the newest first, others by key.",
  },
  group_labels: {
    section: "4.7",
    values: ["portuguese", "key"],
    text: "Labels of groups other than drivers.",
  },
  refresh_rotation: {
    section: "5.2",
    values: ["rotate", "same", "absent"],
    text: "The refresh token in the answer to a refresh: a new one, the same, or none, where the old one stays good.",
  },
  refresh_reuse: {
    section: "5.2",
    values: ["revokes_all", "refused", "accepted"],
    text: "What becomes of a refresh token that was replaced and is used again.",
  },
  refresh_ends_access: {
    section: "5.2",
    values: [false, true],
    text: "Does a refresh end the access tokens before it?",
  },
  refresh_scope: {
    section: "5.2",
    values: ["given", "absent"],
    text: "Is scope in the answer to a refresh?",
  },
  code_reuse: {
    section: "5.2",
    values: ["revokes_all", "refused"],
    text: "What becomes of the tokens of a code that is used again.",
  },
  code_seconds: { section: "5.2", values: [60, 30, 600], text: "How long a code lives." },
  refresh_days: { section: "5.2", values: [30, 1, 365], text: "How long a refresh token lives." },
  client_refusal: { section: "7", values: [400, 401], text: "HTTP status of invalid_client." },
  error_description: {
    section: "7",
    values: ["given", "absent"],
    text: "Is error_description in an OAuth error?",
  },
  revoke_answer: {
    section: "4.11",
    values: ["empty_200", "empty_204", "object_200"],
    text: "Answer to a revocation.",
  },
  revoke_unknown: {
    section: "4.11",
    values: ["success", "refused"],
    text: "What becomes of revoking a token that the service doesn't know.",
  },
  revoke_reach: {
    section: "4.11",
    values: ["given", "all"],
    text: "Revoking an access token revokes it alone, or all of its consent's. A refresh token takes all along.",
  },
} as const satisfies Record<string, Reading>;

export type ReadingName = keyof typeof readingTable;
export type Readings = {
  readonly [Name in ReadingName]: (typeof readingTable)[Name]["values"][number];
};

/** Programs get a reading in this form. */
export interface DescribedReading {
  readonly name: string;
  readonly section: string;
  readonly values: readonly ReadingValue[];
  readonly default: ReadingValue;
  readonly text: string;
}

export const describedReadings: readonly DescribedReading[] = Object.entries<Reading>(readingTable).map(
  ([name, { section, values, text }]) => ({ name, section, values, default: values[0], text }),
);

export interface ChosenReading extends DescribedReading {
  /** The reading has this value here. */
  readonly value: ReadingValue;
}

export function chosenReadings(readings: Readings): readonly ChosenReading[] {
  const values: Readonly<Record<string, ReadingValue>> = readings;
  return describedReadings.map((reading) => ({ ...reading, value: values[reading.name] ?? reading.default }));
}

export interface Deviation {
  readonly reading: string;
  readonly value: ReadingValue;
}

/** Lists every value that is not a default. */
export const deviations: readonly Deviation[] = describedReadings.flatMap(({ name, values }) =>
  values.slice(1).map((value) => ({ reading: name, value })),
);

/**
 * @param chosen by name, or `"random"`: each is drawn by the seed
 * @throws {RangeError} for an unknown name or value; it lists those that there are
 */
export function chooseReadings(chosen: Readonly<Record<string, unknown>> | "random", seed = 1): Readings {
  if (chosen === "random") {
    const random = createRandom(seed);
    return settled(
      describedReadings.map(({ name, values }) => [name, values[random.int(0, values.length - 1)]]),
    );
  }
  for (const name of Object.keys(chosen)) {
    if (!isReadingName(name)) throw unknownReading(name);
  }
  return settled(
    describedReadings.map((reading) => {
      const value = chosen[reading.name];
      return [reading.name, value === undefined ? reading.default : allowedValue(reading, value)];
    }),
  );
}

/** @param text `name=value`. @throws {RangeError} as {@link chooseReadings} does */
export function parseReading(text: string): Deviation {
  const [, name = text, value = ""] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  const reading = describedReadings.find((candidate) => candidate.name === name);
  if (!reading) throw unknownReading(name);
  return { reading: name, value: allowedValue(reading, value) };
}

function isReadingName(name: string): name is ReadingName {
  return Object.hasOwn(readingTable, name);
}

function settled(entries: readonly (readonly [string, unknown])[]): Readings {
  const readings = Object.fromEntries(entries);
  if (!hasAll(readings)) throw new RangeError("a reading has no value");
  return readings;
}

function hasAll(values: Readonly<Record<string, unknown>>): values is Readings {
  return describedReadings.every(({ name, values: allowed }) =>
    allowed.some((value) => value === values[name]),
  );
}

export const usualReadings: Readings = chooseReadings({});

/** A number and its text are the same value: a command line has texts alone. */
function allowedValue({ name, values }: DescribedReading, value: unknown): ReadingValue {
  const allowed = values.find((candidate) => candidate === value || String(candidate) === value);
  if (allowed !== undefined) return allowed;
  throw new RangeError(`The reading ${name} can be ${values.join(", ")}, not ${String(value)}.`);
}

function unknownReading(name: string): RangeError {
  const names = describedReadings.map((reading) => reading.name);
  return new RangeError(
    `There is no reading "${name}".${nameSuggestion(name, names)} There are ${names.join(", ")}.`,
  );
}
