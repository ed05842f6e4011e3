/** What programs put into the emulator, and the people and things that its parts share. It loads nothing. */
import type { OrderStatus, OrderTiming, OrderType } from "../api/values.js";
import type { Order, OperationId } from "../api/models.js";
import type { Scope } from "../api/operations.js";

export const scenes = ["mixed", "busy"] as const;

/**
 * `mixed`: three years of a few orders of every kind, with texts that break careless programs, and every open status in
 * the last hours. `busy`: a restaurant of some 120 orders a day over fourteen months, for sales figures.
 */
export type Scene = (typeof scenes)[number];

/** Every field of section 2.1 may be named. Values that the API keeps open in its answers are closed here. */
export interface NewOrder extends Given<Omit<Order, "status" | "order_type" | "order_timing">> {
  readonly status?: OrderStatus | undefined;
  readonly order_type?: OrderType | undefined;
  readonly order_timing?: OrderTiming | undefined;
  /** The order belongs to a delivery route, so that its driver can't be changed (section 4.1, rule 1). */
  readonly in_delivery_route?: boolean | undefined;
  /** Figures are split by these ids (section 4.7). */
  readonly payment_method_ids?: readonly number[] | undefined;
}

/** A store of your own has such a driver. */
export interface StoreDriverInput {
  /** The id is unique over all stores. */
  id: number;
  name: string;
  /** Only an active driver can be assigned (section 4.1). The default is true. */
  active?: boolean | undefined;
}

/** A store of your own. A field that is left out is made up. */
export interface StoreInput {
  id: number;
  name?: string | undefined;
  /** The zone is an IANA name; the default is `America/Sao_Paulo`. */
  time_zone?: string | undefined;
  /** The code is one of ISO 4217; the default is `BRL`. */
  currency?: string | undefined;
  drivers?: StoreDriverInput[] | undefined;
}

/** These options describe an emulator, however it is started. */
export interface EmulatorSettings {
  /** The same seed, a 32-bit integer, makes the same orders at the same time. The default is 1. */
  readonly seed?: number;
  /** What the made-up orders are like; the default is `mixed`. */
  readonly scene?: Scene;
  /**
   * This many made-up orders are there at the start. The default is 200, and 2,000 for `comanda emulator start`. The scene
   * `busy` has its own number and takes none.
   */
  readonly orders?: number;
  /** Your own stores replace the emulator's three. Their owner is `ana`. */
  readonly stores?: readonly StoreInput[];
  /** Where the emulator's time begins, in milliseconds since the epoch, or a clock that it follows. The default is now. */
  readonly now?: number | { now(): number };
  /** An access token lives this many seconds. The default is 7,200 (section 5.2). */
  readonly accessTokenSeconds?: number;
  /** The limits of section 8 are in force. The default is true. */
  readonly rateLimits?: boolean;
  /** The apps have registered these redirect addresses beside `http://127.0.0.1:8765/callback`. */
  readonly redirectUris?: readonly string[];
}

/**
 * What goes wrong, in one spelling: `{ status: 503, path: "/dispatch", times: 2 }`, or `"status=503,path=/dispatch,times=2"`.
 * In a text a way without a value stands alone (`reset`), and a value in double quotes may have commas.
 */
export interface FaultInput {
  /** The answer has this status, from 200 to 599, and an error body as a gateway has it. */
  status?: number | undefined;
  /** There is no answer: the connection is reset. */
  reset?: true | undefined;
  /** There is no answer until the client gives up. */
  hang?: true | undefined;
  /** The head and half of the body come. */
  truncate?: true | undefined;
  /** What comes is not even HTTP. */
  not_http?: true | undefined;
  /** The right answer comes so many milliseconds late, at most 600,000. */
  delay?: number | undefined;
  /** The answer says that it is JSON, and isn't, is a page, or has no body; with this status, or 200. */
  garbage?: true | number | undefined;
  html?: true | number | undefined;
  empty?: true | number | undefined;
  /** The answer leads to this address, with 302 or another 3xx as the `status`. */
  redirect?: string | undefined;
  /** The answer is a JSON body of so many bytes. */
  oversize?: number | undefined;
  /** The answer is HTTP 429; the wait is in seconds, or a date as HTTP writes it, or there is no `Retry-After`. */
  rate_limit?: true | number | string | undefined;
  method?: string | undefined;
  /** The path contains this, or is all of it where it has `{order_id}` as section 4 writes it. */
  path?: string | undefined;
  operation?: OperationId | undefined;
  /** The fault hits so many requests; without this, all. */
  times?: number | undefined;
  /** So many matching requests go well first. */
  after?: number | undefined;
  /** With `before`, the default, the request isn't processed. With `after` it is, and only the answer goes wrong. */
  when?: "before" | "after" | undefined;
  /** These go with `status`: `{ status: 200, body: '{"error":"order is locked"}' }` denies a change with a 2xx. */
  body?: string | undefined;
  content_type?: string | undefined;
}

export interface Store {
  readonly id: number;
  readonly name: string;
  /** Temporal grouping counts days and hours in this zone, an IANA name. */
  readonly timeZone: string;
  readonly currency: string;
  /** The store has this legacy key (section 5.1). */
  readonly apiKey: string;
}

/** This person can sign in at the portal. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** Only an owner may authorise an app (section 5.2). */
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

/** A driver or an app is changed in the fields that are given; a field that is left out stays as it is. */
export type Given<Fields> = { readonly [Field in keyof Fields]?: Fields[Field] | undefined };

/** An unknown id makes a new driver, of the first store where none is named. */
export type DriverChange = Pick<Driver, "id"> & Given<Driver>;

/** The app is registered at the service (section 5.2). */
export interface App {
  readonly clientId: string;
  readonly name: string;
  /** Redirect addresses are compared to the letter. */
  readonly redirectUris: readonly string[];
  /** Tokens that were issued before a change keep theirs (section 5.3). */
  readonly scopes: readonly Scope[];
  /** An app that is not approved is answered `invalid_client`. */
  readonly approved: boolean;
}

/** The default of `clientId` is `comanda-local`, the emulator's own app; an unknown id makes a new app. */
export type AppChange = Given<App>;

/** An app is installed at a store, and tokens are bound to that. Uninstalling makes it inactive. */
export interface Installation {
  readonly clientId: string;
  readonly storeId: number;
  readonly scopes: readonly Scope[];
  readonly active: boolean;
}
