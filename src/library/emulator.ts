/** `comanda/testing` is the whole service of the specification in this process, for the tests of your own program. */
import * as z from "zod/mini";

import type { Order } from "../api/models.js";
import { withGuardedCallbacks } from "./callbacks.js";
import { checkCall, checkOptions, clientOptionKinds, type ClientOptions } from "../client/options.js";
import { createClient, type Client } from "../client/client.js";
import type { Clock } from "../base/clock.js";
import { ComandaError, systemErrorCode } from "../base/errors.js";
import { checkInput } from "../client/explain.js";
import { anyInteger } from "../api/responses.js";
import { oneOf } from "../api/schema.js";
import { isObject } from "../base/basics.js";
import { createOrder, newOrderSchema } from "../emulator/domain/new-order.js";
import type { SettableClock } from "../emulator/domain/time.js";
import { readFault } from "../emulator/http/faults.js";
import type { RouteHandler, RouteMethod } from "../emulator/http/incoming.js";
import { decideAsOwner, type OwnersDecision } from "../emulator/http/oauth.js";
import type { ReceivedMatch, ReceivedRequest } from "../emulator/http/received.js";
import { startEmulator as start } from "../emulator/index.js";
import { ownStoresSchema } from "../emulator/seed/cast.js";
import {
  scenes,
  type EmulatorSettings,
  type FaultInput,
  type NewOrder,
  type Store,
} from "../emulator/inputs.js";
import { chosenReadings, type ChosenReading, type Readings } from "../emulator/readings.js";
import { controlOf } from "../emulator/service.js";

export type { Client, Order, SettableClock, NewOrder, FaultInput, Store, OwnersDecision };
export type { ReceivedMatch, ReceivedRequest, ChosenReading, Readings, RouteHandler, RouteMethod };
export type {
  App,
  AppChange,
  Driver,
  DriverChange,
  Installation,
  StoreDriverInput,
  StoreInput,
} from "../emulator/inputs.js";
export type { RouteAnswer, RouteCall } from "../emulator/http/incoming.js";

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

/** These are the options of `createClient`. An option replaces what the emulator sets. */
export interface EmulatorClientOptions extends Partial<ClientOptions> {
  /** The client acts for the store of this id. The default is the first store. */
  readonly storeId?: number;
}

const whole = (least: number, most = Number.MAX_SAFE_INTEGER) =>
  z.optional(anyInteger(z.minimum(least), z.maximum(most)));
const isClock = (value: unknown) => isObject(value) && typeof value["now"] === "function";
const optionsSchema = z.strictObject({
  port: whole(0, 65_535),
  seed: whole(-(2 ** 31), 2 ** 31 - 1),
  scene: z.optional(oneOf(scenes)),
  orders: whole(0),
  stores: z.optional(ownStoresSchema),
  now: z.optional(z.custom((now) => Number.isFinite(now) || isClock(now), "must be milliseconds or a clock")),
  accessTokenSeconds: whole(1),
  rateLimits: z.optional(z.boolean()),
  redirectUris: z.optional(z.array(z.string())),
  readings: z.optional(
    z.custom((given) => given === "random" || isObject(given), "must be an object or random"),
  ),
  faults: z.optional(z.array(z.unknown())),
} satisfies Record<keyof EmulatorOptions, unknown>);

/** Makes the error for a program whose argument can't be used. Any other error stays as it is. */
function argumentError(error: unknown): unknown {
  const isWrong = error instanceof RangeError || error instanceof SyntaxError || error instanceof TypeError;
  return isWrong ? new ComandaError("invalid_input", error.message, { cause: error }) : error;
}

/** The stack of what these functions throw begins with the program's own call. */
function forProgram<Members extends object>(members: Members): Members {
  const guarded = Object.entries({ ...members }).map(([name, member]: [string, unknown]) => {
    if (typeof member !== "function") return [name, member];
    const guard = (...given: readonly unknown[]): unknown => {
      try {
        const result: unknown = Reflect.apply(member, undefined, given);
        if (!(result instanceof Promise)) return result;
        return result.catch((error: unknown) => {
          throw argumentError(error);
        });
      } catch (thrown) {
        const error = argumentError(thrown);
        if (error instanceof ComandaError) Error.captureStackTrace(error, guard);
        throw error;
      }
    };
    return [name, guard];
  });
  return Object.fromEntries(guarded) as Members;
}

/**
 * Starts an emulator in this process.
 *
 * @throws {ComandaError} `invalid_input` for an option that isn't valid, with its field; `configuration` for a port that can't be
 *   opened
 */
export async function startEmulator(options: EmulatorOptions = {}) {
  checkInput(optionsSchema, options);
  const { faults = [], orders = 200, ...rest } = options;
  const started = await Promise.resolve()
    .then(() => start({ ...rest, orders, faults: faults.map(readFault) }))
    .catch((error: unknown) => {
      const code = systemErrorCode(error);
      if (code === undefined) throw argumentError(error);
      const message = `The emulator can't listen on port ${options.port ?? 0} (${code}).`;
      throw new ComandaError("configuration", message, { hint: "Port 0 takes a free one.", cause: error });
    });
  const { service, world, clock, clientId, partnerKey } = started;
  const signIn = (storeId?: number) => {
    const store = world.storeOf(storeId);
    const tokens = service.server.install(store.id);
    let { access_token: accessToken, refresh_token: refreshToken = "" } = tokens;
    return {
      storeId: store.id,
      accessToken,
      refreshToken,
      /** The store has this legacy key (section 5.1). */
      apiKey: store.apiKey,
      /** This key goes along with the API key where an order is created (section 5.1). */
      partnerKey,
      /** These credentials are for `createClient`: the access token, refreshed when it is refused, and the keys. */
      credentials: {
        bearer: () => Promise.resolve(accessToken),
        renew: (refused: string) =>
          Promise.resolve().then(() => {
            if (refused !== accessToken) return accessToken;
            const next = service.server.refresh({ client_id: clientId, refresh_token: refreshToken });
            accessToken = next.access_token;
            refreshToken = next.refresh_token ?? refreshToken;
            return accessToken;
          }),
        apiKey: () => Promise.resolve(store.apiKey),
        partnerKey: () => Promise.resolve(partnerKey),
      },
    };
  };
  return forProgram({
    ...controlOf(service),
    /** The origin has no slash at the end; `/_emulator` lists what it can be told. */
    url: started.url,
    /** The specification calls this address `base_url` (section 1). */
    baseUrl: started.baseUrl,
    /** The specification calls this address `auth_url` (section 1). It is the portal's page. */
    authUrl: started.authUrl,
    /** An approved app with every scope has this id (section 5.2). */
    clientId,
    redirectUri: started.redirectUri,
    /** Shows the emulator's time, in milliseconds since the epoch: `clock.advance(7_200_000)` lets tokens expire. */
    clock: forProgram(clock),
    /** What the specification leaves open: its section, the values, the default, and the value that it has here. */
    readings: chosenReadings(service.readings),
    /** The stores stand here with their zones, currencies and API keys. */
    stores: [...world.stores.values()],

    /** Gives a store's consent and tokens, by default of the first. @throws {ComandaError} `invalid_input` where there is no such store */
    signIn,

    /**
     * Makes a client of this emulator, with a store's credentials. It has the emulator's time, and waits for nothing:
     * where it would wait, for a place in the rate limit or before another attempt, it advances {@link clock} instead.
     *
     * @throws {ComandaError} `invalid_input` where there is no such store
     * @throws {ComandaError} `configuration` for a base URL that can't be used
     */
    client: ({ storeId, ...given }: EmulatorClientOptions = {}): Client => {
      const options = {
        baseUrl: started.baseUrl,
        clock: movingClock(clock),
        ...(!service.limiter.enabled && { rateLimiter: false as const }),
        ...given,
        credentials: given.credentials ?? signIn(storeId).credentials,
      };
      checkOptions<ClientOptions>(options, clientOptionKinds);
      return createClient({ ...withGuardedCallbacks(options), checkCall });
    },

    /**
     * Puts an order into the store `merchant_id`, by default the first. A field of section 2.1 that is left out is made up.
     *
     * @throws {ComandaError} `invalid_input` for fields that contradict each other or the specification
     */
    createOrder: (fields: NewOrder = {}): Order =>
      world.orders.full(createOrder(world, checkInput(newOrderSchema, fields))),

    /** Gives an order as the API would show it (section 2.1); `undefined` where there is none. */
    order: (id: number): Order | undefined => {
      const record = world.orders.find(id);
      return record && world.orders.full(record);
    },

    /**
     * Sets what goes wrong from now on, in the place of all faults before: `{ status: 503, path: "/dispatch", times: 2 }`,
     * or the same as a text, `"status=503,path=/dispatch,times=2"`.
     *
     * @throws {ComandaError} `invalid_input` where one can't be read
     */
    setFaults: (...faults: readonly (string | FaultInput)[]): void =>
      service.faults.set(faults.map(readFault)),

    /**
     * Answers a call in the place of the service, above all what the specification names and doesn't show (section 4.12):
     * order creation, history, catalog and so on, which are answered 404 without a route. Credentials and rate limit are
     * checked before `handler` is called. An error that it throws is answered 500, with the cause in {@link received}.
     *
     * @param path as section 4 writes it, below `/api/partner/v1/`; `{name}` stands for one segment, which is in the call's
     *   `params`
     * @returns a function that removes the route, as {@link reset} does
     * @throws {ComandaError} `invalid_input` for another path or method
     */
    route: (method: RouteMethod, path: string, handler: RouteHandler): (() => void) =>
      service.routes.put(method, path, handler),

    /**
     * Lists what was sent to the API, of the last 1,000 requests, oldest first: in full, but for secrets, of which a digest
     * tells whether two are the same.
     */
    received: (match?: ReceivedMatch): readonly ReceivedRequest[] => service.log.received(match),

    /** @throws {Error} that names each request that the API doesn't have, and that no `route` is for */
    assertNoUnexpected: (): void => service.log.assertNoUnexpected(),

    /**
     * Lets an owner sign in at the portal and decide, without a browser, for the code flow of a program of your own.
     *
     * @param url is the authorization URL (section 5.2, step 2)
     * @returns the redirect address, with `code` and `state` or with `error`; nobody calls it
     * @throws {Error} where the portal shows an error page, or doesn't offer the person or store
     */
    authorize: (url: string, decision: OwnersDecision = {}): Promise<string> =>
      Promise.resolve().then(() => decideAsOwner(service, url, decision)),

    /** Goes back to the start with orders, clock, faults, routes, limits and request log; tokens stay valid. */
    reset: service.reset,

    /** Ends the emulator within a second, even if clients are still connected. */
    close: started.close,
  });
}

export type Emulator = Awaited<ReturnType<typeof startEmulator>>;
/** A store's consent and tokens. */
export type SignedIn = ReturnType<Emulator["signIn"]>;

/**
 * Makes a clock of the emulator's time. A wait takes none of the machine's time: it sets the emulator's clock on to
 * its end.
 */
function movingClock(clock: SettableClock): Clock {
  let [counted, seen] = [0, clock.now()];
  return {
    now: () => clock.now(),
    // It goes on with what a test moves the clock on, and not back with a reset: nothing waits for that time again.
    monotonic() {
      const before = seen;
      seen = clock.now();
      return (counted += Math.max(0, seen - before));
    },
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      const end = clock.now() + ms;
      // Waits that begin at the same time end at the same time: the first moves the clock, the others find it moved.
      await Promise.resolve();
      if (end > clock.now()) clock.advance(end - clock.now());
    },
  };
}
