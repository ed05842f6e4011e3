/**
 * `comanda/testing`, or by its other name `comanda/emulator`: the whole service of the specification in this process, for the tests of your own program.
 *
 * ```js
 * const emulator = await startEmulator();
 * const client = emulator.client();
 * ```
 */
import type { Client } from "../client/client.js";
import type { Order } from "../contract/models.js";
import type { SettableClock } from "../emulator/domain/clock.js";
import { createOrder, newOrderSchema } from "../emulator/http/control/new-order.js";
import { check, detailsOf } from "../contract/input.js";
import { type Fault, faultSchema, parseFault } from "../emulator/http/faults/fault.js";
import type { App, Driver, Installation, Store } from "../emulator/domain/model.js";
import type { Lifetimes } from "../emulator/http/oauth/choices.js";
import type {
  CatalogItemInput,
  StoreDriverInput,
  FaultInput,
  NewOrder,
  OptionGroupInput,
  StoreInput,
} from "../emulator/inputs.js";
import { authorizeAsOwner } from "../emulator/http/portal/scripted-owner.js";
import {
  assertNoUnexpected,
  receivedRequests,
  waitForReceived,
  type ReceivedMatch,
  type ReceivedRequest,
} from "../emulator/http/received.js";
import type { LogEntry } from "../emulator/http/request-log.js";
import { chosenReadings, type ChosenReading, type Readings } from "../emulator/readings.js";
import type { RouteAnswer, RouteCall, RouteHandler, RouteMethod } from "../emulator/route-table.js";
import { startEmulator as start, type Emulator as FullEmulator } from "../emulator/http/server.js";
import { signInStore } from "../emulator/sign-in.js";
import { controlOf } from "./control-of.js";
import type { AppChange, DriverChange, EmulatorControl } from "./emulator-control.js";
import { wiredClient, type EmulatorClientOptions } from "./emulator-client.js";
import { checkOptions } from "./emulator-options.js";

// Each from its own file: the types of the whole would ask for those of its HTTP framework.
export type { Order, SettableClock, NewOrder, FaultInput, Store, LogEntry };
export type { AppChange, DriverChange, EmulatorControl, App, Driver, Installation, Lifetimes };
export type { StoreInput, StoreDriverInput, CatalogItemInput, OptionGroupInput };
export type {
  ReceivedMatch,
  ReceivedRequest,
  ChosenReading,
  Readings,
  Client,
  EmulatorClientOptions,
  RouteAnswer,
  RouteCall,
  RouteHandler,
  RouteMethod,
};

/** A moment that an emulator can go back to. What is kept of it is the emulator's own. */
export interface EmulatorSnapshot {
  /** The emulator's time then, in milliseconds since the epoch. */
  readonly now: number;
}

export interface EmulatorOptions {
  /** Default 0: a free one. Bound to 127.0.0.1 alone. */
  readonly port?: number;
  /** The same seed and time make the same orders; a 32-bit integer, default 1. */
  readonly seed?: number;
  /**
   * What the made-up orders are like. `mixed`, the default: three years of orders of every kind, with awkward texts, and
   * every open status in the last hours. `busy`: a restaurant of some 120 orders a day over fourteen months and the
   * running one, for sales figures; yesterday is the same tomorrow. About 80,000 orders take some tenths of a second.
   */
  readonly scene?: "mixed" | "busy";
  /** How many made-up orders there are at the start. Default 200; not for the scene `busy`, which has its own number. */
  readonly orders?: number;
  /** Stores of your own in the place of the three that there are else; their owner is `ana`. */
  readonly stores?: readonly StoreInput[];
  /** Milliseconds since the epoch at which the emulator's time begins, or a clock that it follows. Default: now. */
  readonly now?: number | { now(): number };
  /**
   * What the specification leaves open, by name; each has its values in {@link Emulator.readings}. `"random"` draws all of
   * them by `seed`. Without it the emulator's own, which no service has to share.
   */
  readonly readings?: Partial<Readings> | "random";
  /**
   * Refuses with code 4000 what the emulator's own world doesn't have: fields that the specification doesn't name, unknown
   * sales channels and drivers in filters, items of a cart without an id. Default true; a service may take them.
   */
  readonly strict?: boolean;
  /** What goes wrong from the start on; see {@link Emulator.setFaults}. */
  readonly faults?: readonly (string | FaultInput)[];
  /** How long an access token lives, in seconds. Default 7,200 (section 5.2). */
  readonly accessTokenSeconds?: number;
  /** The limits of section 8. Default true. */
  readonly rateLimits?: boolean;
  /** Redirect addresses that the apps have registered beside `http://127.0.0.1:8765/callback`. */
  readonly redirectUris?: readonly string[];
}

/** A store that is signed in. */
export interface SignedIn {
  readonly storeId: number;
  readonly accessToken: string;
  readonly refreshToken: string;
  /** The store's legacy key (section 5.1). */
  readonly apiKey: string;
  /** Goes along with the API key where an order is created (section 5.1). */
  readonly partnerKey: string;
  /** For `createClient`: the access token, refreshed when it is refused, and the keys. */
  readonly credentials: {
    bearer(): Promise<string>;
    renew(refused: string): Promise<string>;
    apiKey(): Promise<string>;
    partnerKey(): Promise<string>;
  };
}

/** What the person at the portal does. */
export interface OwnersDecision {
  /** Who signs in, by id; default an owner. */
  readonly person?: string;
  /** The store's id; default the first that is offered. */
  readonly store?: number;
  /** `false` refuses. Default `true`. */
  readonly allow?: boolean;
}

export interface Emulator extends EmulatorControl {
  /** Origin, without a slash at the end; `/` explains the emulator, `/openapi.json` describes its API. */
  readonly url: string;
  /** The `base_url` of the specification. */
  readonly baseUrl: string;
  /** The `auth_url` of the specification: the portal's page. */
  readonly authUrl: string;
  /** An approved app with every scope. */
  readonly clientId: string;
  readonly redirectUri: string;
  /** The emulator's time, in milliseconds since the epoch: `clock.advance(7_200_000)` lets tokens expire. */
  readonly clock: SettableClock;
  /** What the specification leaves open: each with its section, its values, the default, and the value that it has here. */
  readonly readings: readonly ChosenReading[];
  /** The stores, with their zones, currencies and API keys. */
  readonly stores: readonly Store[];
  /**
   * A store's consent and tokens, without a browser.
   *
   * @param storeId default: the first store
   * @throws {RangeError} where there is no such store
   */
  signIn(storeId?: number): SignedIn;
  /**
   * A client of this emulator, with a store's credentials. It has the emulator's time, and waits for nothing: where it
   * would wait, for a place in the rate limit or before another attempt, it advances {@link Emulator.clock} instead.
   * Yours to close.
   *
   * @param options as of `createClient`, and `storeId`; all of them optional
   * @throws {RangeError} where there is no such store
   * @throws {ComandaError} `configuration` for options that can't be used
   */
  client(options?: EmulatorClientOptions): Client;
  /**
   * Puts an order into a store: what isn't named is made up.
   *
   * @param fields of section 2.1; `merchant_id` is the store, default the first
   * @throws {RangeError} for fields that contradict each other or the specification
   */
  createOrder(fields?: NewOrder): Order;
  /** An order as the API would show it; `undefined` where there is none. */
  order(id: number): Order | undefined;
  /**
   * What goes wrong from now on, in the place of all before: objects, or the short spelling of
   * `comanda emulator start --fault`, for example `"status=503,path=/dispatch,times=2"`.
   *
   * @throws {SyntaxError} where one can't be read
   */
  setFaults(...faults: readonly (string | FaultInput)[]): void;
  /**
   * Puts an answer where the specification names a call and doesn't show it (section 4.12): order creation, history,
   * catalog and so on, which are else answered 501. Credentials and rate limit are checked before `handler` is asked.
   * What it throws is answered 500, with the cause in {@link Emulator.requests}.
   *
   * @param path below `/api/partner/v1/`; `{name}` stands for one segment, which is in the call's `params`
   * @returns takes the answer away again, as `reset` does
   * @throws {RangeError} for another path or method, or an operation that the specification shows
   */
  route(method: RouteMethod, path: string, handler: RouteHandler): () => void;
  /** Switches the limits of section 8, and forgets the requests that were counted. */
  setRateLimits(enabled: boolean): void;
  /** The last 1,000 requests, oldest first; no header, query or body is in them. */
  requests(): readonly LogEntry[];
  /**
   * What programs sent to the API, oldest first, of the last 1,000 requests: with query, body and the kind of credential;
   * tokens, codes and keys as digests. What was asked of the control surface and of pages isn't among them.
   */
  received(match?: ReceivedMatch): readonly ReceivedRequest[];
  /**
   * The first such request that was answered, or will be.
   *
   * @param options `timeoutMs`: how long to wait for it, default 5,000
   * @throws {Error} where none came by then; it names those that did
   */
  waitForRequest(match?: ReceivedMatch, options?: { readonly timeoutMs?: number }): Promise<ReceivedRequest>;
  /** @throws {Error} that names each request that the API doesn't have, and that no `route` is for */
  assertNoUnexpected(): void;
  /**
   * An owner signs in at the portal and decides, without a browser: for the code flow of a program of your own.
   *
   * @param url the authorization URL (section 5.2, step 2)
   * @returns the redirect address, with `code` and `state` or with `error`; nobody calls it
   * @throws {Error} where the portal shows an error page, or doesn't offer the person or store
   */
  authorize(url: string, decision?: OwnersDecision): Promise<string>;
  /** Orders, pre-filled orders and clock as they are now. Tokens, faults and routes stay out of it. */
  snapshot(): EmulatorSnapshot;
  /**
   * Back to a snapshot of this emulator, as often as you like. The request log begins anew.
   *
   * @throws {RangeError} for a snapshot of another emulator
   */
  restore(snapshot: EmulatorSnapshot): void;
  /** Back to the start: orders, clock, faults, routes, limits and request log; tokens stay good. */
  reset(): void;
  /** Ends within a second, whoever is still connected. */
  close(): Promise<void>;
}

/**
 * Starts an emulator in this process.
 *
 * @throws {Error} with the system's `code`, for example `EADDRINUSE`, where the port can't be opened
 * @throws {TypeError} that names each option that is none, or has a value that it can't have
 * @throws {SyntaxError} where a fault can't be read
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  checkOptions(options);
  const { faults = [], orders = 200, ...rest } = options;
  const emulator = await start({ ...rest, orders, faults: faults.map(readFault) });
  const { service, world } = emulator;
  const snapshots = new WeakMap<EmulatorSnapshot, ReturnType<typeof world.snapshot>>();
  return {
    ...controlOf(service),
    url: emulator.url,
    baseUrl: emulator.baseUrl,
    authUrl: emulator.authUrl,
    clientId: emulator.clientId,
    redirectUri: emulator.redirectUri,
    clock: emulator.clock,
    readings: chosenReadings(service.readings),
    stores: [...world.stores.values()],
    signIn: (storeId) => signIn(emulator, storeId),
    client: (clientOptions = {}) =>
      wiredClient(emulator, (storeId) => signIn(emulator, storeId).credentials, {
        ...(!service.limiter.enabled && { rateLimiter: false }),
        ...clientOptions,
      }),
    createOrder: (fields = {}) => {
      const wanted = check(newOrderSchema, fields, { owner: "The order", kind: "field" });
      if (!wanted.ok) throw new RangeError(`The order can't be: ${detailsOf(wanted)}.`);
      const made = createOrder(world, wanted.value);
      if ("problem" in made) throw new RangeError(`The order can't be: ${made.problem}.`);
      return world.orders.full(made);
    },
    order: (id) => {
      const record = world.orders.find(id);
      return record && world.orders.full(record);
    },
    setFaults: (...next) => {
      service.faults.set(next.map(readFault));
    },
    route: (method, path, handler) => service.routes.put(method, path, handler),
    setRateLimits: (enabled) => {
      service.limiter.enabled = enabled;
      service.limiter.clear();
    },
    requests: () => service.log.entries(),
    received: (match) => receivedRequests(service.log, match),
    waitForRequest: (match = {}, { timeoutMs = 5_000 } = {}) =>
      waitForReceived(service.log, match, timeoutMs),
    assertNoUnexpected: () => {
      assertNoUnexpected(service.log);
    },
    authorize: async (url, { person, store, allow = true } = {}) => {
      const { redirectedTo } = await authorizeAsOwner(url, {
        allow,
        arrives: false,
        ...(person !== undefined && { personId: person }),
        ...(store !== undefined && { storeId: store }),
      });
      return redirectedTo;
    },
    snapshot() {
      const whole = world.snapshot();
      const snapshot = { now: whole.now };
      snapshots.set(snapshot, whole);
      return snapshot;
    },
    restore(snapshot) {
      const whole = snapshots.get(snapshot);
      if (!whole) throw new RangeError("this snapshot is of another emulator");
      world.restore(whole);
      service.log.clear();
    },
    reset: () => {
      service.reset();
    },
    close: () => emulator.close(),
  };
}

function signIn({ service, clientId, partnerKey }: FullEmulator, storeId?: number): SignedIn {
  const { store, tokens } = signInStore(service, storeId);
  let { access_token: accessToken, refresh_token: refreshToken = "" } = tokens;
  return {
    storeId: store.id,
    accessToken,
    refreshToken,
    apiKey: store.apiKey,
    partnerKey,
    credentials: {
      bearer: () => Promise.resolve(accessToken),
      // eslint-disable-next-line @typescript-eslint/require-await -- a rejection, never an exception
      renew: async (refused) => {
        if (refused !== accessToken) return accessToken;
        const next = service.server.refresh({ clientId, refreshToken });
        accessToken = next.access_token;
        refreshToken = next.refresh_token ?? refreshToken;
        return accessToken;
      },
      apiKey: () => Promise.resolve(store.apiKey),
      partnerKey: () => Promise.resolve(partnerKey),
    },
  };
}

function readFault(fault: string | FaultInput): Fault {
  if (typeof fault === "string") return parseFault(fault);
  const read = check(faultSchema, fault, { owner: "The fault", kind: "field" });
  if (read.ok) return read.value;
  throw new SyntaxError(`The fault can't be: ${detailsOf(read)}.`);
}
