/**
 * `comanda/testing` is the whole service of the specification in this process, for the tests
 * of your own program.
 *
 * ```js
 * const emulator = await startEmulator();
 * const client = emulator.client();
 * ```
 */
import type { Client } from "../client/client.js";
import type { Order } from "../api/models.js";
import type { SettableClock } from "../emulator/domain/clock.js";
import { createOrder, newOrderSchema } from "../emulator/http/new-order.js";
import { check, detailsOf } from "../api/input.js";
import { readFault } from "../emulator/http/faults.js";
import { Refused } from "../emulator/domain/choices.js";
import type { Store } from "../emulator/domain/model.js";
import type { EmulatorSettings, FaultInput, NewOrder } from "../emulator/inputs.js";
import {
  assertNoUnexpected,
  receivedRequests,
  waitForReceived,
  type ReceivedMatch,
  type ReceivedRequest,
} from "../emulator/http/received.js";
import type { LogEntry } from "../emulator/http/log.js";
import { chosenReadings, type ChosenReading, type Readings } from "../emulator/readings.js";
import type { RouteHandler, RouteMethod } from "../emulator/http/routes.js";
import { startEmulator as start, type Emulator as FullEmulator } from "../emulator/http/server.js";
import { decideAsOwner, type OwnersDecision, signInStore } from "../emulator/sign-in.js";
import { controlOf, type EmulatorControl } from "./emulator-control.js";
import { wiredClient, type EmulatorClientOptions } from "./emulator-client.js";
import { checkOptions } from "./emulator-options.js";

export type { Client, Order, SettableClock, NewOrder, FaultInput, Store, LogEntry, EmulatorControl };
export type { ReceivedMatch, ReceivedRequest, ChosenReading, Readings, RouteHandler, RouteMethod };
export type { EmulatorClientOptions, OwnersDecision };
export type {
  App,
  AppChange,
  Driver,
  DriverChange,
  Installation,
  Lifetimes,
} from "../emulator/domain/model.js";
export type { CatalogItemInput, OptionGroupInput, StoreDriverInput, StoreInput } from "../emulator/inputs.js";
export type { RouteAnswer, RouteCall } from "../emulator/http/routes.js";

/** An emulator can go back to this moment. What it keeps of the moment is not shown here. */
export interface EmulatorSnapshot {
  /** The emulator's time was this, in milliseconds since the epoch. */
  readonly now: number;
}

export interface EmulatorOptions extends EmulatorSettings {
  /** The server listens on this port of 127.0.0.1. The default 0 takes a free one. */
  readonly port?: number;
  /**
   * The specification leaves some questions open. A reading answers one by its name; {@link Emulator.readings} lists
   * the values. `"random"` draws all of them by `seed`. Without this option the emulator takes its own readings,
   * which no service has to share.
   */
  readonly readings?: Partial<Readings> | "random";
  /** These faults go wrong from the start on; see {@link Emulator.setFaults}. */
  readonly faults?: readonly (string | FaultInput)[];
}

export interface SignedIn {
  readonly storeId: number;
  readonly accessToken: string;
  readonly refreshToken: string;
  /** The store has this legacy key (section 5.1). */
  readonly apiKey: string;
  /** This key goes along with the API key where an order is created (section 5.1). */
  readonly partnerKey: string;
  /** These credentials are for `createClient`: the access token, refreshed when it is refused, and the keys. */
  readonly credentials: {
    bearer(): Promise<string>;
    renew(refused: string): Promise<string>;
    apiKey(): Promise<string>;
    partnerKey(): Promise<string>;
  };
}

export interface Emulator extends EmulatorControl {
  /** The origin has no slash at the end; `/_emulator` lists what it can be told. */
  readonly url: string;
  /** The specification calls this address `base_url` (section 1). */
  readonly baseUrl: string;
  /** The specification calls this address `auth_url` (section 1). It is the portal's page. */
  readonly authUrl: string;
  /** An approved app with every scope has this id (section 5.2). */
  readonly clientId: string;
  readonly redirectUri: string;
  /**
   * The clock shows the emulator's time, in milliseconds since the epoch: `clock.advance(7_200_000)` lets tokens
   * expire.
   */
  readonly clock: SettableClock;
  /**
   * The specification leaves these questions open. Each has its section, its values, the default, and the value that
   * it has here.
   */
  readonly readings: readonly ChosenReading[];
  /** The stores stand here with their zones, currencies and API keys. */
  readonly stores: readonly Store[];
  /**
   * Gives a store's consent and tokens, without a browser.
   *
   * @param storeId default: the first store
   * @throws {RangeError} where there is no such store
   */
  signIn(storeId?: number): SignedIn;
  /**
   * Makes a client of this emulator, with a store's credentials. It has the emulator's time, and waits for nothing:
   * where it would wait, for a place in the rate limit or before another attempt, it advances {@link Emulator.clock}
   * instead. Close it when you are done with it.
   *
   * @param options are those of `createClient`, and `storeId`; all of them are optional
   * @throws {RangeError} where there is no such store
   * @throws {ComandaError} `configuration` for options that can't be used
   */
  client(options?: EmulatorClientOptions): Client;
  /**
   * Puts an order into a store. A field that is left out is made up.
   *
   * @param fields are those of section 2.1; `merchant_id` is the store, by default the first
   * @throws {RangeError} for fields that contradict each other or the specification
   */
  createOrder(fields?: NewOrder): Order;
  /** Gives an order as the API would show it (section 2.1); `undefined` where there is none. */
  order(id: number): Order | undefined;
  /**
   * Sets what goes wrong from now on, in the place of all faults before: `{ status: 503, path: "/dispatch", times: 2 }`,
   * or the same as a text, `"status=503,path=/dispatch,times=2"`.
   *
   * @throws {SyntaxError} where one can't be read
   */
  setFaults(...faults: readonly (string | FaultInput)[]): void;
  /**
   * Answers a call in the place of the service, above all what the specification names and doesn't show (section 4.12):
   * order creation, history, catalog and so on, which are answered 501 without a route. Credentials and rate limit are
   * checked before `handler` is called.
   * An error that it throws is answered 500, with the cause in {@link Emulator.requests}.
   *
   * @param path as section 4 writes it, below `/api/partner/v1/`; `{name}` stands for one segment, which is in the call's
   *   `params`
   * @returns a function that removes the route, as `reset` does
   * @throws {RangeError} for another path or method
   */
  route(method: RouteMethod, path: string, handler: RouteHandler): () => void;
  /** Switches the limits of section 8, and forgets the requests that were counted. */
  setRateLimits(enabled: boolean): void;
  /** Lists the last 1,000 requests, oldest first, without headers, queries and bodies. */
  requests(): readonly LogEntry[];
  /**
   * Lists what programs sent to the API, oldest first, of the last 1,000 requests: with query, body and the kind of
   * credential; tokens, codes and keys as digests. Requests to the control surface and to pages aren't among them.
   */
  received(match?: ReceivedMatch): readonly ReceivedRequest[];
  /**
   * Waits for the first such request that was answered, or will be.
   *
   * @param options `timeoutMs`: how many milliseconds to wait for it, default 5,000
   * @throws {Error} where none came by then; it names the requests that did
   */
  waitForRequest(match?: ReceivedMatch, options?: { readonly timeoutMs?: number }): Promise<ReceivedRequest>;
  /**
   * Checks that every request was for the API.
   *
   * @throws {Error} that names each request that the API doesn't have, and that no `route` is for
   */
  assertNoUnexpected(): void;
  /**
   * Lets an owner sign in at the portal and decide, without a browser, for the code flow of a program of your own.
   *
   * @param url is the authorization URL (section 5.2, step 2)
   * @returns the redirect address, with `code` and `state` or with `error`; nobody calls it
   * @throws {Error} where the portal shows an error page, or doesn't offer the person or store
   */
  authorize(url: string, decision?: OwnersDecision): Promise<string>;
  /** Remembers orders, pre-filled orders and clock as they are now. Tokens, faults and routes stay out of it. */
  snapshot(): EmulatorSnapshot;
  /**
   * Goes back to a snapshot of this emulator, as often as you like. The request log begins anew.
   *
   * @throws {RangeError} for a snapshot of another emulator
   */
  restore(snapshot: EmulatorSnapshot): void;
  /** Goes back to the start with orders, clock, faults, routes, limits and request log; tokens stay valid. */
  reset(): void;
  /** Ends the emulator within a second, even if clients are still connected. */
  close(): Promise<void>;
}

/**
 * Starts an emulator in this process.
 *
 * @throws {Error} with the system's `code`, for example `EADDRINUSE`, where the port can't be opened
 * @throws {TypeError} that names each unknown option, and each value that an option can't have
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
      const input = check(newOrderSchema, fields, { owner: "The order", kind: "field" });
      if (!input.ok) throw new RangeError(`The order can't be: ${detailsOf(input)}.`);
      try {
        return world.orders.full(createOrder(world, input.value));
      } catch (error) {
        throw error instanceof Refused ? new RangeError(`The order can't be: ${error.message}.`) : error;
      }
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
      service.limiter.switch(enabled);
    },
    requests: () => service.log.entries(),
    received: (match) => receivedRequests(service.log, match),
    waitForRequest: (match = {}, { timeoutMs = 5_000 } = {}) =>
      waitForReceived(service.log, match, timeoutMs),
    assertNoUnexpected: () => {
      assertNoUnexpected(service.log);
    },
    // eslint-disable-next-line @typescript-eslint/require-await -- a rejection, never an exception
    authorize: async (url, decision = {}) => decideAsOwner(service, url, decision),
    snapshot() {
      const worldSnapshot = world.snapshot();
      const snapshot = { now: worldSnapshot.now };
      snapshots.set(snapshot, worldSnapshot);
      return snapshot;
    },
    restore(snapshot) {
      const worldSnapshot = snapshots.get(snapshot);
      if (!worldSnapshot) throw new RangeError("this snapshot is of another emulator");
      world.restore(worldSnapshot);
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
