/**
 * The JSON documents that comanda prints, each described once. The types of the code come from these schemas, which it imports only as
 * types, so that no command loads zod for its output. The help topic `json` and an assistant's tools use them at run time.
 */
import * as z from "zod";

import { authSchemes, statusChangeNames } from "../api/operations.js";
import { dateFields, dimensions } from "../api/values.js";
import { evidences, outcomes } from "../base/errors.js";
import { settledAs } from "../state/journal.js";

const text = z.string();
const textOrNull = z.string().nullable();
const integer = z.int();
const count = z.int().nonnegative();
const amount = z.number().describe("at most two decimals");
const when = z.iso.datetime({ offset: true });
const alias = text.describe("store alias");
const storeLabel = text.describe("store alias, or the host of a store from environment variables");
const storeOrNull = textOrNull.describe("store alias; null if environment variables contain the credentials");

const errorFields = {
  exit_code: integer,
  code: text.describe("stable error code of comanda"),
  service_code: integer.nullable().describe("the API's number (section 7)"),
  message: text,
};

/** An error of `--json`, on stderr. */
export const errorDocument = z.strictObject({
  error: z.strictObject({
    ...errorFields,
    outcome: z
      .enum(outcomes)
      .nullable()
      .describe("for several orders, the most uncertain one; null if only a signal ended the command"),
    http_status: integer.nullable(),
    details: textOrNull.describe("text from the service"),
    hint: textOrNull.describe("what to do next"),
    evidence: z.enum(evidences).nullable(),
  }),
});

const outcomeFields = {
  http_status: integer.nullable().describe("null if there was no response"),
  code: textOrNull.describe("null if the outcome is done"),
  message: textOrNull,
  details: textOrNull.describe("text from the service"),
  attempts: count.describe("number of requests, including those that could not be sent"),
  evidence: z
    .enum(evidences)
    .nullable()
    .describe(
      "api: a response from the API; gateway: a response that may not be from the API; nobody: no response; null: nothing was sent",
    ),
  service_code: integer.nullable().describe("the API's number (section 7)"),
};

/** The outcome of one order: a line of `orders … --json`. */
export const orderLine = z.strictObject({
  at: when.describe("time of the outcome"),
  store: storeOrNull,
  order_id: text,
  action: z.enum([...statusChangeNames, "assign"]),
  outcome: z
    .enum([...outcomes, "skipped"])
    .describe(
      "unknown: the request was sent, but no answer says whether the order was changed; skipped: not sent",
    ),
  ...outcomeFields,
  resumed: z.literal(true).optional().describe("an earlier command sent the change"),
});

/** The outcome of an assignment, with the order as the service returned it (section 2.1). */
export const assignment = z.strictObject({
  ...orderLine.shape,
  driver: z.strictObject({ id: integer, name: textOrNull }),
  order: z
    .looseObject({})
    .nullable()
    .describe("the order as the service returned it; null if it returned none"),
});

export const driver = z.strictObject({
  id: integer,
  name: text,
  orders: count
    .nullable()
    .describe("today and in the 30 days before; null if only older figures name the driver"),
  last_day: text.describe("last day of the newest figures that name the driver, YYYY-MM-DD"),
});

export const prefilledOrder = z.strictObject({
  store: storeOrNull,
  id: text,
  order_url: text.describe("opens the digital menu with a full cart"),
  checkout_url: text.describe("opens the checkout"),
});

export const change = z.strictObject({
  at: when,
  store: textOrNull,
  environment: text,
  operation: text.describe("the API's operation, such as dispatchOrder"),
  order_id: textOrNull,
  arguments: z.record(text, z.unknown()),
  driver_name: text.optional().describe("name of the assigned driver, if figures on this machine contain it"),
  outcome: z.enum(outcomes),
  http_status: integer.nullable(),
  code: textOrNull,
  service_code: integer.nullable(),
  attempts: count,
  evidence: z.enum(evidences).nullable(),
  actor: textOrNull.describe("user of the machine"),
  settled: z
    .strictObject({ outcome: z.enum(settledAs), by: text, at: when, note: textOrNull })
    .optional()
    .describe("the outcome that a person recorded"),
});

const periodFields = {
  from: text.describe("date-time, or a date if date_field is scheduled_date"),
  to: text,
  time_zone: text,
  day_starts: text.optional().describe("HH:MM, if days start after midnight"),
};
const period = z.strictObject({ label: text.optional().describe("only in comparisons"), ...periodFields });
const currency = textOrNull.describe("ISO 4217 code; null if none is set");

const feeFields = {
  orders: count,
  with_fee: count.describe("orders whose fee is above 0"),
  zero_fee: count.describe("orders whose fee is 0: the driver is paid nothing"),
  fee_not_set: count.describe("orders without a fee (null); the store may still owe one"),
  fee_not_shown: count.describe("orders whose fee no response showed"),
  total_fee: amount,
  canceled_orders: count.describe("orders canceled from this machine, included in the other figures"),
  canceled_fee: amount,
};

/** The fees of the drivers that one store assigned from this machine. */
export const driversOwedAtStore = z.strictObject({
  store: storeLabel,
  period,
  currency,
  drivers: z.array(z.strictObject({ driver_id: integer, name: textOrNull, ...feeFields })),
  totals: z.strictObject(feeFields),
  unknown: count.describe("assignments and cancellations whose outcome is unknown"),
});
export const driversOwed = z.strictObject({ stores: z.array(driversOwedAtStore) });

const metrics = {
  total_order_count: count,
  total_revenue: amount,
  average_order_value: amount,
};
export const difference = z.strictObject({
  absolute: z.number(),
  percent: z.number().nullable().describe("null if the previous value is 0"),
});
const changed = difference.nullable().describe("null if one side is missing");
const changes = { total_order_count: changed, total_revenue: changed, average_order_value: changed };
const key = z.union([text, z.number(), z.boolean()]).nullable().describe("the service's key, for filters");
const group = {
  key,
  label: textOrNull,
};
const groupLine = z.strictObject({
  ...group,
  ...metrics,
  days: count.optional().describe("days of the period with this weekday or hour"),
});
const groupChange = z.strictObject({
  ...group,
  previous_key: key.optional(),
  ...changes,
  per_day: z
    .strictObject({ total_order_count: changed, total_revenue: changed })
    .nullable()
    .optional()
    .describe("only for weekdays and hours"),
});
const dimension = z.enum(dimensions);
const freshness = {
  asked_at: when.describe("request time of the oldest answer"),
  cached: z.boolean().describe("whether an answer came from this machine's cache"),
};

/** A driver in a store's list, with the figures that name the driver. */
export const listedDriver = z.strictObject({
  ...driver.shape,
  store: storeLabel,
  period,
  ...freshness,
});

/** The figures of one store in one period: of all orders, or by groups. */
export const periodFigures = z.strictObject({
  total_order_count: count.optional(),
  total_revenue: amount.optional(),
  average_order_value: amount.optional(),
  group_by: dimension.optional(),
  groups: z.array(groupLine).optional(),
  totals: z.strictObject(metrics).optional().describe("all groups, including omitted ones"),
  omitted: z
    .strictObject({ groups: count, ...metrics })
    .optional()
    .describe("groups beyond the requested number"),
  period,
  ...freshness,
});

const about = {
  store: textOrNull.describe(
    "store alias, or the host of a store from environment variables; null for the total of several stores",
  ),
  query: z
    .strictObject({
      filters: z.array(text).describe("as sent, such as status_not_in=canceled"),
      date_field: z.enum(dateFields),
    })
    .describe("what was counted"),
  currency,
};
const alerts = z
  .array(
    z.strictObject({
      rule: text,
      holds: z.boolean().nullable().describe("null if there is nothing to compare with"),
      value: z.number(),
      baseline: z.number().nullable(),
    }),
  )
  .optional();

/** One store's figures. */
export const storeFigures = z.strictObject({ ...about, ...periodFigures.shape, alerts });

/** One store's figures, compared with those of another period. */
export const comparedFigures = z.strictObject({
  ...about,
  current: periodFigures,
  previous: periodFigures,
  change: z
    .strictObject({
      total_order_count: changed.optional(),
      total_revenue: changed.optional(),
      average_order_value: changed.optional(),
      group_by: dimension.optional(),
      groups: z.array(groupChange).optional(),
      totals: z.strictObject(changes).optional(),
    })
    .nullable(),
  alerts,
});

/** A store without figures. */
export const missingStore = z.strictObject({ store: text, error: z.strictObject(errorFields) });

const anyFigures = z.union([storeFigures, comparedFigures]);
export const figuresOfStores = z.strictObject({
  stores: z.array(z.union([storeFigures, comparedFigures, missingStore])),
  total: anyFigures
    .nullable()
    .describe("null for drivers and for different currencies; without stores that have an error"),
});

/** The requests for figures that `--dry-run` shows. */
export const plannedFigures = z.strictObject({
  calls: count,
  seconds: count.nullable().describe("expected wait; null if comanda doesn't count requests"),
  requests: z.array(
    z.strictObject({
      store: text,
      endpoint: z.enum(["summary", "grouped"]),
      group_by: dimension.nullable(),
      from: text,
      to: text,
      date_field: z.enum(dateFields),
      filters: z.array(text),
      cached: z.boolean(),
    }),
  ),
});

const soldDay = z.strictObject({ total_order_count: count, total_revenue: amount });
const earlierDays = z.strictObject({ days: count, from: text, to: text, sign_ins: z.array(text) }).nullable();
export const syncedStore = z.strictObject({
  store: text,
  currency,
  days: count,
  changed: z.array(z.strictObject({ date: text, before: soldDay, now: soldDay })),
  joined: earlierDays.describe("days of an earlier sign-in to the same store, which now count"),
  hidden: earlierDays.describe(
    "days of earlier sign-ins that may be another store's, once after a new sign-in",
  ),
});
export const synced = z.strictObject({ stores: z.array(z.union([syncedStore, missingStore])) });

/** A request that `--dry-run` shows, with its secrets masked. */
export const describedRequest = z.strictObject({
  method: text,
  url: text,
  headers: z.record(text, text),
  body: textOrNull,
});

const credentialCheck = z.strictObject({
  credential: z.enum(authSchemes),
  call: z.enum(["summary", "deliver"]),
  result: z.enum(["accepted", "not_allowed", "refused", "not_checked"]),
  evidence: z.enum(evidences).nullable(),
  message: textOrNull,
});

const signInFields = {
  store: textOrNull,
  environment: textOrNull,
  state: z
    .enum(["valid", "expired", "refused", "unreachable", "signed_out"])
    .describe(
      "state of the access token; the next command renews an expired token if there is a refresh token",
    ),
  scopes: z.array(text),
  expires_at: when.nullable().describe("null without an access token"),
  has_api_key: z.boolean(),
  has_partner_key: z.boolean(),
  has_refresh_token: z.boolean(),
  can_change_orders: z.boolean(),
};
/** `login`. */
export const signIn = z.strictObject({ ...signInFields, checked: z.array(credentialCheck).optional() });
/** `status`. */
export const storeStatus = z.strictObject({
  ...signIn.shape,
  time_zone: textOrNull.optional().describe("null if none is set; absent without a store"),
});
/** `stores list`. */
export const listedStore = z.strictObject({
  ...signInFields,
  store: alias,
  default: z.boolean(),
  time_zone: textOrNull,
  error: textOrNull.describe("why the sign-in can't be read"),
});
export const defaultStore = z.strictObject({ store: alias, environment: text, default: z.literal(true) });
export const storeSettings = z.strictObject({
  store: alias,
  time_zone: textOrNull,
  day_starts: text.optional(),
  currency,
  locale: textOrNull,
});
export const renamedStore = z.strictObject({ store: alias, renamed_from: text });
export const removedStore = z.strictObject({ store: alias, removed: z.literal(true) });
/** `logout`. */
export const signedOut = z.strictObject({
  store: alias,
  revoked: z.boolean().describe("whether the service revoked the tokens"),
  deleted: z.literal(true).describe("tokens and keys were deleted from this machine"),
  keys_still_valid: z
    .array(z.enum(["api_key", "partner_key"]))
    .describe("the deleted keys, which stay valid at the service"),
});

export const environment = z.strictObject({
  name: text,
  base_url: textOrNull,
  auth_url: textOrNull.describe("null if only keys are used"),
  client_id: textOrNull,
  redirect_uri: textOrNull,
  allow_insecure: z.boolean().optional().describe("whether http is allowed, for tests"),
  source: z.enum(["setting", "built-in", "unset"]),
});
export const removedEnvironment = z.strictObject({ name: text, removed: z.literal(true) });

export const finding = z.strictObject({
  check: text,
  status: z.enum(["ok", "warning", "failure"]),
  message: text,
  hint: textOrNull.describe("what to do; null if nothing is wrong"),
});

export const startedEmulator = z.strictObject({
  url: text,
  base_url: text,
  auth_url: text,
  client_id: text,
  redirect_uri: text,
  scene: text,
  orders: count,
  seed: integer,
  store: textOrNull.describe("name of the first store"),
  order_ids: z.record(text, z.array(integer)).describe("ids of the newest delivery orders, by status"),
});
const readingValue = z.union([text, z.number(), z.boolean()]);
export const matrixRun = z.strictObject({
  reading: textOrNull,
  value: readingValue.nullable(),
  exit_code: integer,
  ok: z.boolean(),
});
export const reading = z.strictObject({
  name: text,
  section: text,
  values: z.array(readingValue),
  default: readingValue,
  text: text,
});
