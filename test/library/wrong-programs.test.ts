/**
 * Programs with one mistake each, which the types find: `npm run check:types` compiles this file and reports those that it would
 * accept. None of them runs. Types don't find mistakes inside a string, such as the form of a date.
 */
import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import {
  ComandaError,
  createClient,
  isComandaError,
  outcomeOf,
  type AnyRequest,
  type CallObserver,
  type CallOptions,
  type CancelInput,
  type Client,
  type ClientOptions,
  type Credentials,
  type DriverInput,
  type ErrorCode,
  type Filters,
  type Order,
  type SalesFiguresOptions,
  type SummaryQuery,
} from "../../src/library/index.js";
import {
  startEmulator,
  type EmulatorClientOptions,
  type EmulatorOptions,
  type FaultInput,
  type NewOrder,
} from "../../src/library/emulator.js";
import type { FileSessionOptions, TransportOptions } from "../../src/library/node.js";
import type { OAuthOptions, StoreClientOptions } from "../../src/library/oauth.js";

declare const client: Client;
declare const order: Order;
const period = { start_date: "2026-10-01T00:00:00-03:00", end_date: "2026-10-31T23:59:59-03:00" };
const days = { start_date: "2026-10-01", end_date: "2026-10-31", date_field: "scheduled_date" } as const;

/** All optional fields of a type; each is `undefined`. */
type Absent<Options> = {
  readonly [Name in keyof Options as object extends Pick<Options, Name> ? Name : never]: undefined;
};
declare const absent: Absent<
  CallObserver &
    CallOptions &
    CancelInput &
    ClientOptions &
    Credentials &
    FileSessionOptions &
    SalesFiguresOptions &
    StoreClientOptions &
    TransportOptions
>;
declare const absentInputs: Absent<AnyRequest & Filters & Omit<DriverInput, "driver_id"> & SummaryQuery>;
declare const absentInTests: Absent<EmulatorClientOptions & EmulatorOptions & FaultInput & NewOrder>;

const wrong = [
  // @ts-expect-error -- ids are digits
  () => client.dispatchOrder({ id: 4711 }),
  // @ts-expect-error -- it is a field
  () => client.cancelOrder("4711", "sold out"),
  // @ts-expect-error -- a driver is a number
  () => client.assignDriver("4711", { driver_id: "12" }),
  // @ts-expect-error -- no other properties
  () => client.assignDriver("4711", { driver_id: 12, note: "x" }),
  // @ts-expect-error -- a friendly number of a marketplace may be null
  (): number => order.external_display_id,
  // @ts-expect-error -- an answer may lack any field
  async (): Promise<number> => (await client.assignDriver("4711", { driver_id: 12 })).value.total,
  // @ts-expect-error -- end_date is required
  () => client.summary({ start_date: period.start_date }),
  // @ts-expect-error -- new Date().toISOString()
  () => client.summary({ start_date: new Date(), end_date: new Date() }),
  // @ts-expect-error -- it is day_of_week
  () => client.groupedSummary({ ...period, group_by: "weekday" }),
  // @ts-expect-error -- a date has no hour
  () => client.groupedSummary({ ...days, group_by: "hour" }),
  // @ts-expect-error -- section 4.8 leaves it out
  () => client.summary({ ...period, filters: { status_in: "canceling" } }),
  // @ts-expect-error -- it is status_in
  () => client.summary({ ...period, filters: { status: "closed" } }),
  () =>
    client.createPrefilledOrder({
      order_type: "takeout",
      // @ts-expect-error -- it is item_id and quantity
      cart: [{ item: 3001, qty: 2 }],
    }),
  // @ts-expect-error -- nothing is delivered
  () => client.createPrefilledOrder({ order_type: "takeout", delivery_address: { city: "Recife" } }),
  // @ts-expect-error -- it is not_found
  (): ErrorCode => "notFound",
  // @ts-expect-error -- it is not_found
  (error: unknown) => isComandaError(error, "notFound"),
  // @ts-expect-error -- the rest of the catch has another code
  (error: unknown): "forbidden" => (isComandaError(error, "not_found") ? error.code : "forbidden"),
  // @ts-expect-error -- it is bearer
  () => createClient({ baseUrl: "https://api.example", credentials: { accessToken: "TOKEN" } }),
  // @ts-expect-error -- controller.signal
  () => client.dispatchOrder("4711", { signal: new AbortController() }),
  // @ts-expect-error -- it is delay
  () => startEmulator({ faults: [{ kind: "slow", ms: 5 }] }),
];

/** Programs that the types must accept: an open value, a code to switch on, the platform's fetch, figures by hour. */
const right = {
  statuses: (one: Order): boolean => one.status === "served_at_the_table" || one.status === "closed",
  channels: () => client.summary({ ...period, filters: { sales_channel_in: ["totem", "marketplace_z"] } }),
  dimension: (group_by: "day" | "hour" | "status") => client.groupedSummary({ ...period, group_by }),
  transport: () => createClient({ baseUrl: "https://api.example", credentials: { bearer: "TOKEN" }, fetch }),
  absent: [
    (): CallObserver & CallOptions & CancelInput & Credentials & SalesFiguresOptions => absent,
    (): FileSessionOptions & StoreClientOptions & TransportOptions => absent,
    (): ClientOptions => ({ ...absent, baseUrl: "https://api.example", credentials: absent }),
    (): Pick<OAuthOptions, "allowInsecure" | "transport" | "clock" | "timeoutMs"> => absent,
    (): AnyRequest => ({ ...absentInputs, method: "GET", path: "/x" }),
    (): SummaryQuery => ({ ...absentInputs, ...period, filters: absentInputs }),
    (): DriverInput => ({ driver_id: 1, driver_fee: undefined }),
    (): EmulatorClientOptions & EmulatorOptions & FaultInput & NewOrder => absentInTests,
  ],
  code: (code: ErrorCode) => code === "outcome_unknown",
  refusals: (error: unknown): string | undefined => {
    if (!isComandaError(error)) return undefined;
    if (isComandaError(error, "not_found")) return error.code satisfies "not_found";
    if (isComandaError(error, "status_conflict")) return error.hint;
    if (!(error instanceof ComandaError)) return error satisfies never;
    return `${error.code}: ${error.message}`;
  },
  outcome: async (): Promise<number | string> => {
    const outcome = await outcomeOf(client.summary(period));
    return outcome.code === null ? outcome.value.total_order_count : outcome.message;
  },
  cart: () =>
    client.createPrefilledOrder({
      order_type: "delivery",
      cart: [{ item_id: 3001, quantity: 2 }],
      delivery_address: { city: "Recife" },
    }),
};

test("each wrong program has a line that the compiler must reject", () => {
  const source = readFileSync(import.meta.filename, "utf8");
  const expected = [...source.matchAll(/^ +\/\/ @ts-expect-error -- /gm)];
  expect(expected).toHaveLength(wrong.length);
  expect(Object.keys(right)).toContain("transport");
});
