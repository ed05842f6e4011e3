/** The work of `startEmulator`, loaded at its first call because its modules require globals of the web. */
import * as z from "zod/mini";

import type { Order } from "../api/models.js";
import type { Client } from "../client/client.js";
import { aFunction, checkInput, checkOptions } from "../client/options.js";
import type { ClientOptions, RateLimiter } from "../client/options.js";
import { createMemoryRateLimiter } from "../client/rate-limit.js";
import { anyText } from "../api/responses.js";
import { ComandaError } from "../base/errors.js";
import { createOrder, newOrderSchema } from "../emulator/domain/new-order.js";
import { movingClock } from "../emulator/domain/time.js";
import type { RouteHandler, RouteMethod } from "../emulator/http/incoming.js";
import { decideAsOwner, type OwnersDecision } from "../emulator/http/oauth.js";
import type { ReceivedMatch, ReceivedRequest } from "../emulator/http/received.js";
import { startEmulator } from "../emulator/index.js";
import type { App, AppChange, Driver, DriverChange, Installation } from "../emulator/inputs.js";
import type { EmulatorOptions, FaultInput, Given, NewOrder } from "../emulator/inputs.js";
import { chosenReadings } from "../emulator/readings.js";
import { integer } from "../emulator/seed/cast.js";
import { controlSchemas, emulatorOptionsSchema } from "../emulator/service.js";
import { withErrors } from "./callbacks.js";
import { createClient } from "./index.js";

/** Options of `createClient`, which replace those of the emulator. */
export interface EmulatorClientOptions extends Given<ClientOptions> {
  /** Id of the store (default: the first one). */
  readonly storeId?: number | undefined;
}

/** Returns functions that throw `invalid_input` for an argument that the emulator doesn't accept. */
const forProgram = <Members extends object>(members: Members) =>
  withErrors(members, (error) => {
    const isWrong = error instanceof RangeError || error instanceof TypeError;
    return isWrong ? new ComandaError("invalid_input", error.message, { cause: error }) : error;
  });

const matchSchema = z.strictObject({
  method: z.optional(z.string()),
  path: z.optional(z.string()),
  operation: z.optional(z.string()),
});
const orderSchema = z.strictObject({ id: integer(1) });

export async function runEmulator(options: EmulatorOptions) {
  checkInput(emulatorOptionsSchema, options);
  const { orders = 200, ...rest } = options;
  const { start } = forProgram({ start: startEmulator });
  const started = await start({ ...rest, orders });
  const { service, world, clock, clientId, partnerKey } = started;
  const signIn = (storeId?: number) => {
    const store = world.storeOf(checkInput(controlSchemas.store, { storeId }).storeId);
    const tokens = service.server.install(store.id);
    return {
      storeId: store.id,
      accessToken: tokens.access_token,
      refreshToken: tokens.refresh_token ?? "",
      /** Legacy key of the store (section 5.1). */
      apiKey: store.apiKey,
      /** Partner key, which creating an order requires in addition to the API key (section 5.1). */
      partnerKey,
      /** Credentials for `createClient`: the keys, and the access token, which is refreshed if the service rejects it. */
      credentials: {
        bearer: () => Promise.resolve(tokens.access_token),
        renew: async (refused: string) => {
          const spent = { client_id: clientId, refresh_token: tokens.refresh_token ?? "" };
          if (refused === tokens.access_token) Object.assign(tokens, service.server.refresh(spent));
          return Promise.resolve(tokens.access_token);
        },
        apiKey: () => Promise.resolve(store.apiKey),
        partnerKey: () => Promise.resolve(partnerKey),
      },
    };
  };
  return forProgram({
    /** Origin, without a slash at the end. The control API is under `/_emulator`. */
    url: started.url,
    /** `base_url` of the specification (section 1). */
    baseUrl: started.baseUrl,
    /** `auth_url` of the specification (section 1): the page of the portal. */
    authUrl: started.authUrl,
    /** Id of an approved app with all scopes (section 5.2). */
    clientId,
    redirectUri: started.redirectUri,
    /** Clock of the emulator, in milliseconds since the epoch: `clock.advance(7_200_000)` lets access tokens expire. */
    clock: forProgram(clock),
    /** Readings, each with its section, its values, its default and its value here. */
    readings: chosenReadings(service.readings),
    /** Stores with their time zones, currencies and API keys. */
    stores: [...world.stores.values()],

    /** Installs the app at a store (default: the first one). */
    signIn,

    /** Creates a client with the credentials of a store. It uses {@link clock}, and advances it instead of waiting. */
    client: (options: EmulatorClientOptions = {}): Client => {
      checkOptions({ options }, { options: z.looseObject({}) });
      let sending = 0;
      const moving = movingClock(clock, () => sending > 0);
      const { storeId, baseUrl = started.baseUrl, clock: ownClock = moving, ...given } = options;
      const limiter = createMemoryRateLimiter(ownClock);
      const counting: RateLimiter = {
        ...limiter,
        async acquire(...wanted) {
          const permit = await limiter.acquire(...wanted);
          sending += 1;
          return {
            settle(sent) {
              sending -= 1;
              return permit.settle(sent);
            },
          };
        },
      };
      const {
        rateLimiter = service.limiter.enabled ? counting : false,
        credentials = signIn(storeId).credentials,
      } = given;
      return createClient({ ...given, baseUrl, clock: ownClock, rateLimiter, credentials });
    },

    /** Creates an order at the store `merchant_id` (default: the first one), inventing absent fields of section 2.1. */
    createOrder: (fields: NewOrder = {}): Order =>
      world.orders.full(createOrder(world, checkInput(newOrderSchema, fields))),

    /** Returns an order as in section 2.1; `undefined` if it doesn't exist. */
    order: (id: number): Order | undefined => {
      const record = world.orders.find(checkInput(orderSchema, { id }).id);
      return record && world.orders.full(record);
    },

    /** Changes an app, or creates one. @returns the changed app */
    setApp: (change: AppChange): App => service.server.setApp(checkInput(controlSchemas.app, change)),

    /** Lists which app is or was installed at which store. */
    installations: (): readonly Installation[] => service.server.installations(),

    /** Removes every app from a store: their tokens and codes are no longer valid (section 5.2). */
    uninstall: (storeId: number): void => {
      const store = world.storeOf(checkInput(controlSchemas.uninstall, { storeId }).storeId);
      service.server.uninstall(store.id);
    },

    /** Lists the drivers of all stores, or of one. */
    drivers: (storeId?: number): readonly Driver[] =>
      world.driversOf(checkInput(controlSchemas.store, { storeId }).storeId),

    /** Creates a driver, or changes one. */
    setDriver: (change: DriverChange): Driver => world.putDriver(checkInput(controlSchemas.driver, change)),

    /** Turns the limits of section 8 on or off, and discards the counted requests. */
    setRateLimits: (enabled: boolean): void =>
      service.limiter.switch(checkInput(controlSchemas.rateLimits, { enabled }).enabled),

    /** Replaces all faults: `{ status: 503, path: "/dispatch", times: 2 }`, or `"status=503,path=/dispatch,times=2"`. */
    setFaults: (...faults: readonly (string | FaultInput)[]): void => service.faults.set(faults),

    /**
     * Answers a call, such as one that the specification names but doesn't show (section 4.12), which otherwise gets a 404. Credentials
     * and rate limit are checked first. If `handler` throws, the response is 500 and {@link received} contains the error.
     *
     * @param path as in section 4, below `/api/partner/v1/`; `{name}` matches one segment, passed in `params`
     * @returns a function that removes the route, as {@link reset} does
     */
    route: (method: RouteMethod, path: string, handler: RouteHandler): (() => void) => {
      checkOptions({ path, handler }, { path: anyText(), handler: aFunction() });
      return service.routes.put(method, path, handler);
    },

    /**
     * Returns requests to the API, oldest first, with digests instead of secrets. Only the last 1,000 requests are logged, including
     * those to pages and to the control API.
     */
    received: (match: ReceivedMatch = {}): readonly ReceivedRequest[] =>
      service.log.received(checkInput(matchSchema, match)),

    /**
     * Asserts that each request to the API since the start or {@link reset} was for one of its operations or a route, even if it is no
     * longer logged.
     *
     * @throws {Error} that lists the first 20 others; not a `ComandaError`, because it fails a test
     */
    assertNoUnexpected: (): void => service.log.assertNoUnexpected(),

    /**
     * Signs an owner in to the portal and decides on the authorization, without a browser.
     *
     * @param url the authorization URL (section 5.2, step 2)
     * @returns the redirect address, with `code` and `state` or with `error`, without calling it
     * @throws {Error} if the portal shows an error page, or doesn't offer the person or the store
     */
    authorize: (url: string, decision: OwnersDecision = {}): Promise<string> =>
      Promise.resolve().then(() =>
        decideAsOwner(service, url, checkInput(controlSchemas.decision, decision)),
      ),

    /** Resets orders, clock, faults, routes, limits and request log. Tokens stay valid. */
    reset: service.reset,

    /** Stops the emulator within a second, even if clients are connected. */
    close: started.close,
  });
}
