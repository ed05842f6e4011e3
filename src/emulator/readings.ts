/**
 * The points that the specification leaves open, as named switches. A service with any of the values follows the specification. The
 * first value is the emulator's default, not a guarantee of the service, so a client must accept all of them. Their texts are in
 * English in every language, as the specification and the help topics are.
 */
import { alternatives, suggestion } from "../base/basics.js";
import { localDefaults } from "../base/defaults.js";
import { ComandaError } from "../base/errors.js";
import { t } from "../languages/language.js";
import { createRandom } from "./domain/random.js";

export type ReadingValue = string | number | boolean;

/**
 * The types contain the texts, too, because the build writes them into the library's docstrings.
 *
 * @param section of the specification
 * @param values the default first
 */
function reading<
  Section extends string,
  const Values extends readonly [ReadingValue, ...ReadingValue[]],
  Text extends string,
>(section: Section, values: Values, text: Text) {
  return { section, values, text };
}

const bodies = ["message", "error_object", "empty", "text"] as const;
const jsonTypes = ["application/json", "application/json; charset=utf-8"] as const;
const weekdayKeys = ["sunday_0", "sunday_1", "monday_1", "name"] as const;

export const readingTable = {
  success_status: reading("4.2 to 4.5", [204, 200, 202], "HTTP status of a successful status change."),
  success_type: reading("4.2 to 4.5", ["none", "application/json"], "Content-Type of a status change."),
  prefilled_status: reading("4.9", [201, 200], "HTTP status when a pre-filled order is created."),
  conflict_status: reading("7", [409, 400, 403, 404, 422], "HTTP status of error code 4002."),
  error_details: reading("7", ["some", "never", "always"], "Whether errors other than 4000 have details."),
  forbidden_body: reading("7", bodies, "Body of an HTTP 403 response."),
  rate_limit_body: reading("7", bodies, "Body of an HTTP 429 response."),
  retry_after: reading("8", ["seconds", "date", "none"], "Retry-After header of an HTTP 429 response."),
  challenge: reading("7", [false, true], "Whether HTTP 401 has a WWW-Authenticate header."),
  json_type: reading("4", jsonTypes, "Content-Type of a JSON response."),
  unknown_fields: reading("9", [false, true], "Whether responses contain undocumented fields."),
  order_nulls: reading("2.1", ["null", "absent"], "A missing value in an order: null, or no field at all."),
  timestamps: reading("1", ["store", "utc", "milliseconds"], "Format of an order's timestamps."),
  option_price: reading("2.3", ["mixed", "unit_price", "total_price"], "Field name of an option's price."),
  change_name: reading("2.5", ["mixed", "change_for", "change_of"], "Field name of a payment's change."),
  dispatch_from: reading("3", ["preparing", "ready", "any_open"], "Statuses that allow dispatching."),
  dispatch_again: reading("3", ["refused", "accepted"], "Result of dispatching an order twice."),
  finalize_from: reading("3", ["accepted", "handed_over", "any_open"], "Statuses that allow finalizing."),
  cancel_from: reading("3", ["any_open", "before_dispatch"], "Statuses that allow canceling."),
  card_cancellation: reading("3", ["at_once", "after_a_minute", "fails"], "Result of an online card refund."),
  driver_on_finished: reading("4.1", ["accepted", "refused"], "Whether a finished order can get a driver."),
  check_order: reading("4", ["order_first", "body_first"], "First check: order (4041) or body (4000)."),
  order_id_form: reading("4", [404, 400], "HTTP status if order_id isn't a valid id."),
  unasked_body: reading("4.3 to 4.5", ["ignored", "refused"], "Result of sending an unexpected body."),
  two_credentials: reading("5.1", ["bearer", "api_key"], "Credential that applies if a request has both."),
  limit_window: reading("8", ["sliding", "fixed"], "Rate limit window: the last 60 s or a clock minute."),
  limit_counts: reading("8", ["admitted", "all"], "Requests that count toward the rate limit."),
  six_months_clock: reading("8", ["written", "store", "utc"], "Clock that measures how long a period is."),
  three_years: reading("8", ["day", "instant"], "How the 3-year limit is measured: by day or instant."),
  period_end: reading("4.6", ["included", "excluded"], "Whether an order created at end_date counts."),
  canceled_orders: reading("4.6", ["counted", "left_out"], "Whether canceled orders count without a filter."),
  empty_revenue: reading("2.8", ["zero", "null"], "Revenue if there are no orders."),
  empty_average: reading("2.8", ["zero", "null"], "Average order value if there are no orders."),
  average_rounding: reading("2.8", ["half_up", "down"], "How the average order value is rounded."),
  hour_key: reading("4.7", ["number", "text", "clock"], "Key of an hour: 9, 09 or 09:00."),
  day_key: reading("4.7", ["iso", "brazilian"], "Key of a day: 2026-11-20 or 20/11/2026."),
  day_of_week_key: reading("4.7", weekdayKeys, "Key of a weekday: name, or number from Sunday or Monday."),
  week_key: reading("4.7", ["iso", "monday", "sunday"], "Key of a week: 2026-W47 or the date it starts."),
  month_key: reading("4.7", ["month", "first_day"], "Key of a month: 2026-11 or 2026-11-01."),
  id_key: reading("4.7", ["number", "text"], "Type of the key of a driver or payment method."),
  no_value_group: reading("4.7", ["null_key", "empty_key", "left_out"], "Group of orders without a value."),
  several_payments: reading("4.7", ["first", "each"], "Group of an order with several payment methods."),
  empty_groups: reading("4.7", ["left_out", "zero"], "How hours and days without orders are returned."),
  group_order: reading("4.7", ["time_and_count", "newest_and_key"], "Sort order: time groups, other groups."),
  group_labels: reading("4.7", ["portuguese", "key"], "Labels of all groups except drivers."),
  refresh_rotation: reading("5.2", ["rotate", "same", "absent"], "Refresh token returned by a refresh."),
  refresh_reuse: reading("5.2", ["revokes_all", "refused", "accepted"], "Result of reusing a refresh token."),
  refresh_ends_access: reading("5.2", [false, true], "Whether a refresh revokes earlier access tokens."),
  refresh_scope: reading("5.2", ["given", "absent"], "Whether the response to a refresh contains scope."),
  code_reuse: reading("5.2", ["revokes_all", "refused"], "Result of reusing an authorization code."),
  code_seconds: reading("5.2", [60, 30, 600], "Lifetime of an authorization code in seconds."),
  refresh_days: reading("5.2", [30, 1, 365], "Lifetime of a refresh token in days."),
  client_refusal: reading("7", [400, 401], "HTTP status of invalid_client."),
  error_description: reading("7", ["given", "absent"], "Whether an OAuth error contains error_description."),
  revoke_answer: reading("4.11", ["empty_200", "empty_204", "object_200"], "Response to a revocation."),
  revoke_unknown: reading("4.11", ["success", "refused"], "Result of revoking an unknown token."),
  revoke_reach: reading("4.11", ["given", "all"], "Tokens that are revoked with an access token."),
};

export type Readings = {
  readonly [Name in keyof typeof readingTable]: (typeof readingTable)[Name]["values"][number];
};

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

/** The values that differ from the default. */
export const deviations = describedReadings.flatMap(({ name, values }) =>
  values.slice(1).map((value) => ({ reading: name, value })),
);

/**
 * @param chosen values by name, or `"random"` for values drawn by the seed. A number and its text are the same value, because a
 *   command line has only texts.
 * @throws {ComandaError} `invalid_input` for an unknown name or value
 */
export function chooseReadings(
  chosen: Readonly<Record<string, ReadingValue | undefined>> | "random",
  seed: number = localDefaults.seed,
): Readings {
  const random = createRandom(seed);
  const given = chosen === "random" ? {} : chosen;
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(readingTable, name));
  if (unknown !== undefined) {
    const question = suggestion(unknown, Object.keys(readingTable));
    throw new ComandaError("invalid_input", t`Unknown reading "${unknown}".${question}`, {
      hint: t`See: ${"comanda emulator readings"}`,
    });
  }
  const entries = describedReadings.map(({ name, values, default: usual }) => {
    const { [name]: value = chosen === "random" ? random.pick(values) : usual } = given;
    const allowed = values.find((candidate) => candidate === value || String(candidate) === value);
    if (allowed !== undefined) return [name, allowed] as const;
    const problem = t`Invalid value "${String(value)}" for ${name}.`;
    throw new ComandaError("invalid_input", problem, { hint: t`Use ${alternatives(values.map(String))}.` });
  });
  return Object.fromEntries(entries) as Readings;
}

export const usualReadings: Readings = chooseReadings({});
