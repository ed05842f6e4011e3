/**
 * The specification leaves some points open, which are named switches here. Each value is a service that keeps to the specification; the
 * first is the emulator's own choice, and no promise of the service: a client must do with every other one as well.
 */
import { suggestion } from "../base/basics.js";
import { t } from "../languages/language.js";
import { createRandom } from "./domain/random.js";

export type ReadingValue = string | number | boolean;

/**
 * @param section is one of the specification
 * @param values begin with the default
 */
function reading<const Values extends readonly [ReadingValue, ...ReadingValue[]]>(
  section: string,
  values: Values,
  text: string,
) {
  return { section, values, text };
}

const bodies = ["message", "error_object", "empty", "text"] as const;
const jsonTypes = ["application/json", "application/json; charset=utf-8"] as const;
const weekdayKeys = ["sunday_0", "sunday_1", "monday_1", "name"] as const;

export const readingTable = {
  success_status: reading("4.2 to 4.5", [204, 200, 202], "HTTP status of a status change that was done."),
  success_type: reading("4.2 to 4.5", ["none", "application/json"], "Content-Type of its empty answer."),
  prefilled_status: reading("4.9", [201, 200], "HTTP status of a pre-filled order."),
  conflict_status: reading("7", [409, 400, 403, 404, 422], "HTTP status of error code 4002."),
  error_details: reading("7", ["some", "never", "always"], "Which errors have details beside 4000."),
  forbidden_body: reading("7", bodies, "Body of HTTP 403."),
  rate_limit_body: reading("7", bodies, "Body of HTTP 429."),
  retry_after: reading("8", ["seconds", "date", "none"], "Retry-After header of HTTP 429."),
  challenge: reading("7", [false, true], "Has HTTP 401 a WWW-Authenticate header?"),
  json_type: reading("4", jsonTypes, "Content-Type of an answer in JSON."),
  unknown_fields: reading("9", [false, true], "Do answers have fields that the specification doesn't name?"),
  order_nulls: reading("2.1", ["null", "absent"], "No value in an order: null, or the field is left out."),
  timestamps: reading("1", ["store", "utc", "milliseconds"], "Form of an order's times."),
  option_price: reading("2.3", ["mixed", "unit_price", "total_price"], "Name of an option's price."),
  change_name: reading("2.5", ["mixed", "change_for", "change_of"], "Name of a payment's change amount."),
  dispatch_from: reading("3", ["preparing", "ready", "any_open"], "Statuses that can be dispatched."),
  dispatch_again: reading("3", ["refused", "accepted"], "What becomes of dispatching an order twice."),
  finalize_from: reading("3", ["accepted", "handed_over", "any_open"], "Statuses that can be finalized."),
  cancel_from: reading("3", ["any_open", "before_dispatch"], "From which statuses an order can be canceled."),
  card_cancellation: reading(
    "3",
    ["at_once", "after_a_minute", "fails"],
    "How a card payment's reversal ends.",
  ),
  driver_on_finished: reading("4.1", ["accepted", "refused"], "Can a finished order get another driver?"),
  check_order: reading("4", ["order_first", "body_first"], "Checked first: order (4041) or body (4000)."),
  order_id_form: reading("4", [404, 400], "HTTP status for an order_id that can't be one."),
  unasked_body: reading("4.3 to 4.5", ["ignored", "refused"], "What becomes of a body that isn't asked for."),
  two_credentials: reading("5.1", ["bearer", "api_key"], "Which credential counts where a call has both."),
  limit_window: reading("8", ["sliding", "fixed"], "The last 60 seconds, or the minute of the clock?"),
  limit_counts: reading("8", ["admitted", "all"], "Do calls answered 429 count against the limit?"),
  six_months_clock: reading("8", ["written", "store", "utc"], "By whose clock a period's span is measured."),
  three_years: reading("8", ["day", "instant"], "A period starts at most 3 years back, by day or instant."),
  period_end: reading("4.6", ["included", "excluded"], "Does an order of end_date's very instant count?"),
  canceled_orders: reading("4.6", ["counted", "left_out"], "Do canceled orders count without a filter?"),
  empty_revenue: reading("2.8", ["zero", "null"], "Revenue of no orders."),
  empty_average: reading("2.8", ["zero", "null"], "Average of no orders."),
  average_rounding: reading("2.8", ["half_up", "down"], "How an average is rounded."),
  hour_key: reading("4.7", ["number", "text", "clock"], "Key of an hour: 9, 09 or 09:00."),
  day_key: reading("4.7", ["iso", "brazilian"], "Key of a day: 2026-11-20 or 20/11/2026."),
  day_of_week_key: reading("4.7", weekdayKeys, "Key of a weekday: which day has which number, or its name."),
  week_key: reading("4.7", ["iso", "monday", "sunday"], "Key of a week: 2026-W47, or its first day."),
  month_key: reading("4.7", ["month", "first_day"], "Key of a month: 2026-11 or 2026-11-01."),
  id_key: reading("4.7", ["number", "text"], "Type of the key of a driver or payment method."),
  no_value_group: reading("4.7", ["null_key", "empty_key", "left_out"], "Group of orders without a value."),
  several_payments: reading("4.7", ["first", "each"], "The group of an order that was paid in several ways."),
  empty_groups: reading("4.7", ["left_out", "zero"], "Are hours and days without orders left out?"),
  group_order: reading("4.7", ["time_and_count", "newest_and_key"], "Order of groups, in time and others."),
  group_labels: reading("4.7", ["portuguese", "key"], "Labels of groups other than drivers."),
  refresh_rotation: reading("5.2", ["rotate", "same", "absent"], "The refresh token that a refresh answers."),
  refresh_reuse: reading(
    "5.2",
    ["revokes_all", "refused", "accepted"],
    "What becomes of a refresh token that was replaced and is used again.",
  ),
  refresh_ends_access: reading("5.2", [false, true], "Does a refresh end the access tokens before it?"),
  refresh_scope: reading("5.2", ["given", "absent"], "Is scope in the answer to a refresh?"),
  code_reuse: reading("5.2", ["revokes_all", "refused"], "The tokens of a code that is used again."),
  code_seconds: reading("5.2", [60, 30, 600], "How long a code lives."),
  refresh_days: reading("5.2", [30, 1, 365], "How long a refresh token lives."),
  client_refusal: reading("7", [400, 401], "HTTP status of invalid_client."),
  error_description: reading("7", ["given", "absent"], "Is error_description in an OAuth error?"),
  revoke_answer: reading("4.11", ["empty_200", "empty_204", "object_200"], "Answer to a revocation."),
  revoke_unknown: reading("4.11", ["success", "refused"], "What becomes of revoking an unknown token."),
  revoke_reach: reading("4.11", ["given", "all"], "Does revoking an access token end its consent's others?"),
};

export type Readings = {
  readonly [Name in keyof typeof readingTable]: (typeof readingTable)[Name]["values"][number];
};

/** Programs get a reading in this form. */
export interface DescribedReading {
  readonly name: string;
  readonly section: string;
  readonly values: readonly ReadingValue[];
  readonly default: ReadingValue;
  readonly text: string;
}

export const describedReadings: readonly DescribedReading[] = Object.entries(readingTable).map(
  ([name, { section, values, text }]) => ({ name, section, values, default: values[0], text }),
);

export interface ChosenReading extends DescribedReading {
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

export const deviations: readonly Deviation[] = describedReadings.flatMap(({ name, values }) =>
  values.slice(1).map((value) => ({ reading: name, value })),
);

/**
 * @param chosen by name, or `"random"`: each is drawn by the seed. A number and its text are the same value, since a command
 *   line has texts alone.
 * @throws {RangeError} for an unknown name or value; it lists those that there are
 */
export function chooseReadings(
  chosen: Readonly<Record<string, ReadingValue | undefined>> | "random",
  seed = 1,
): Readings {
  const random = createRandom(seed);
  const readings: Record<string, ReadingValue> = {};
  for (const { name, values, default: usual } of describedReadings)
    readings[name] = chosen === "random" ? random.pick(values) : usual;
  for (const [name, value] of Object.entries(chosen === "random" ? {} : chosen)) {
    const values = describedReadings.find((reading) => reading.name === name)?.values;
    const names = Object.keys(readingTable);
    if (!values)
      throw new RangeError(
        t`There is no reading "${name}".${suggestion(name, names)} There are ${names.join(", ")}.`,
      );
    const allowed = values.find((candidate) => candidate === value || String(candidate) === value);
    if (allowed !== undefined) readings[name] = allowed;
    else if (value !== undefined)
      throw new RangeError(t`The reading ${name} can be ${values.join(", ")}, not ${String(value)}.`);
  }
  if (!hasAll(readings)) throw new RangeError("a reading has no value");
  return readings;
}

function hasAll(values: Readonly<Record<string, unknown>>): values is Readings {
  return describedReadings.every(({ name }) => name in values);
}

export const usualReadings: Readings = chooseReadings({});
