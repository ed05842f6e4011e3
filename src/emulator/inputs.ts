/** The inputs of the emulator, and the types that its parts share. This module imports no code. */
import type { OrderStatus, OrderTiming, OrderType, Scope } from "../api/values.js";
import type { Order, OperationId } from "../api/models.js";
import type { Readings } from "./readings.js";

export const scenes = ["mixed", "busy"] as const;

/**
 * `mixed` has three years of a few orders of every kind, with texts that break careless programs, and every open status in the
 * last hours. `busy` is a restaurant with some 120 orders a day over fourteen months, for sales figures.
 */
export type Scene = (typeof scenes)[number];

/** Accepts every field of section 2.1. Only documented values are accepted, even if the API may return others. */
export interface NewOrder extends Given<Omit<Order, "status" | "order_type" | "order_timing">> {
  readonly status?: OrderStatus | undefined;
  readonly order_type?: OrderType | undefined;
  readonly order_timing?: OrderTiming | undefined;
  /** Whether the order belongs to a delivery route, so that its driver can't be changed (section 4.1, rule 1). */
  readonly in_delivery_route?: boolean | undefined;
  /** The ids by which figures are grouped (section 4.7). */
  readonly payment_method_ids?: readonly number[] | undefined;
}

/** A driver of your own store. */
export interface StoreDriverInput {
  /** The id is unique over all stores. */
  id: number;
  name: string;
  /** Whether the driver can be assigned (section 4.1). The default is true. */
  active?: boolean | undefined;
}

/** Your own store. Missing fields are generated. */
export interface StoreInput {
  id: number;
  name?: string | undefined;
  /** An IANA name; the default is `America/Sao_Paulo`. */
  time_zone?: string | undefined;
  /** An ISO 4217 code; the default is `BRL`. */
  currency?: string | undefined;
  drivers?: StoreDriverInput[] | undefined;
}

/** The options of an emulator. */
export interface EmulatorOptions {
  /** Port on 127.0.0.1 (default: 0, any free port). */
  readonly port?: number | undefined;
  /** A 32-bit integer. The same seed generates the same orders at the same time. The default is 1. */
  readonly seed?: number | undefined;
  /** The kind of generated orders; the default is `mixed`. */
  readonly scene?: Scene | undefined;
  /**
   * The number of generated orders at the start. The default is 200, and 2,000 for `comanda emulator start`. The scene `busy` has
   * its own number and rejects this option.
   */
  readonly orders?: number | undefined;
  /** Your own stores replace the emulator's three. Their owner is `ana`. */
  readonly stores?: readonly StoreInput[] | undefined;
  /** The emulator's initial time in milliseconds since the epoch, or a clock that it follows. The default is now. */
  readonly now?: number | { now(): number } | undefined;
  /** The lifetime of access tokens in seconds. The default is 7,200 (section 5.2). */
  readonly accessTokenSeconds?: number | undefined;
  /** Whether the limits of section 8 are enforced. The default is true. */
  readonly rateLimits?: boolean | undefined;
  /** Redirect addresses of the apps, in addition to `http://127.0.0.1:8765/callback`. */
  readonly redirectUris?: readonly string[] | undefined;
  /** Readings of points that the specification leaves open; `"random"` chooses all of them by `seed`. */
  readonly readings?: Given<Readings> | "random" | undefined;
  /** Faults from the start on; see `setFaults`. */
  readonly faults?: readonly (string | FaultInput)[] | undefined;
}

/**
 * A fault, as an object or a text: `{ status: 503, path: "/dispatch", times: 2 }`, or `"status=503,path=/dispatch,times=2"`.
 * In a text, a kind without a value is only its name (`reset`), and a value in double quotes may contain commas.
 */
export interface FaultInput {
  /** The response has this status, from 200 to 599, and a gateway's error body. */
  status?: number | undefined;
  /** The connection is reset without a response. */
  reset?: true | undefined;
  /** No response arrives until the client gives up. */
  hang?: true | undefined;
  /** The response ends after half of its body, or with `head` before its body, without a length that would show it. */
  truncate?: true | "head" | undefined;
  /** The response isn't HTTP. */
  not_http?: true | undefined;
  /** The correct response is this many milliseconds late, at most 600,000. */
  delay?: number | undefined;
  /** The response claims to be JSON but isn't, is a page, or has no body, with this status or 200. */
  garbage?: true | number | undefined;
  html?: true | number | undefined;
  empty?: true | number | undefined;
  /** The response redirects to this address, with 302 or another 3xx as the `status`. */
  redirect?: string | undefined;
  /** The response is a JSON body of this many bytes. */
  oversize?: number | undefined;
  /** The response is HTTP 429, with `Retry-After` in seconds or as an HTTP date, or without it. */
  rate_limit?: true | number | string | undefined;
  method?: string | undefined;
  /** A part of the path, or its end if it contains `{order_id}` as in section 4. */
  path?: string | undefined;
  operation?: OperationId | undefined;
  /** The number of requests that fail; by default, all. */
  times?: number | undefined;
  /** The number of matching requests that succeed first. */
  after?: number | undefined;
  /**
   * `before`, the default, prevents the processing of the request, and with `delay`, delays it. `after` only replaces its response, as
   * `truncate` always does.
   */
  when?: "before" | "after" | undefined;
  /** The contents with `status`: `{ status: 200, body: '{"error":"order is locked"}' }` denies a change with a 2xx. */
  body?: string | undefined;
  content_type?: string | undefined;
}

export interface Store {
  readonly id: number;
  readonly name: string;
  /** The zone of days and hours in groups, an IANA name. */
  readonly timeZone: string;
  readonly currency: string;
  /** The store's legacy key (section 5.1). */
  readonly apiKey: string;
}

/** A user who can sign in to the portal. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** Only an owner may authorize an app (section 5.2). */
  readonly profile: "owner" | "manager" | "attendant";
  readonly storeIds: readonly number[];
}

export interface Driver {
  readonly id: number;
  readonly name: string;
  readonly storeId: number;
  /** Only an active driver can be assigned (section 4.1). */
  readonly active: boolean;
}

/** The fields to change in a driver or an app; missing fields stay the same. */
export type Given<Fields> = { readonly [Field in keyof Fields]?: Fields[Field] | undefined };

/** An unknown id creates a driver, by default of the first store. */
export type DriverChange = Pick<Driver, "id"> & Given<Driver>;

/** An app that is registered with the service (section 5.2). */
export interface App {
  readonly clientId: string;
  readonly name: string;
  /** Redirect addresses are compared exactly. */
  readonly redirectUris: readonly string[];
  /** A change doesn't affect tokens that were issued before (section 5.3). */
  readonly scopes: readonly Scope[];
  /** An app that isn't approved gets `invalid_client`. */
  readonly approved: boolean;
}

/** The default of `clientId` is `comanda-local`, the emulator's own app; an unknown id creates an app. */
export type AppChange = Given<App>;

/** An app that is installed at a store, to which its tokens are bound. Uninstalling it makes it inactive. */
export interface Installation {
  readonly clientId: string;
  readonly storeId: number;
  readonly scopes: readonly Scope[];
  readonly active: boolean;
}
