/**
 * Programs make their client here. Their options are checked by schemas first, since not every program has types. The
 * command line's own code has types, and doesn't pay for this.
 */
import * as z from "zod/mini";

import type { Credentials } from "../client/credentials.js";
import type { CallObserver } from "../client/observer.js";
import { createClient as clientOf, type Client } from "../client/client.js";
import type { ClientOptions } from "../client/client.js";
import {
  aFunction,
  aTimeout,
  aTransport,
  aWait,
  aWholeNumber,
  checkOptions,
  objectWith,
  optionsOf,
} from "../client/checks.js";
import { once } from "../api/once.js";

/**
 * Makes a client of one store at one environment. Nothing is loaded or opened before its first call.
 *
 * @throws {ComandaError} `configuration` for an option that can't be used
 */
export function createClient(options: ClientOptions): Client {
  const { client, credentials } = schemas();
  checkOptions(client, options, "createClient");
  // An object of a class may hold more than the options.
  if (Object.getPrototypeOf(options.credentials) === Object.prototype)
    checkOptions(credentials, options.credentials, "credentials");
  return clientOf(options);
}

const schemas = once(() => {
  const callback = z.optional(aFunction());
  const secret = z.optional(
    aFunction("For example: credentials: { bearer: async () => process.env.ACCESS_TOKEN }"),
  );
  const credentials = {
    bearer: secret,
    renew: secret,
    isAdopted: secret,
    apiKey: secret,
    partnerKey: secret,
    hint: secret,
  } satisfies Record<keyof Credentials, z.ZodMiniType>;
  const observer = {
    begins: callback,
    sends: callback,
    attempted: callback,
    ended: callback,
  } satisfies Record<keyof CallObserver, z.ZodMiniType>;
  return {
    client: optionsOf({
      // normalizeBaseUrl says what is wrong with it.
      baseUrl: z.optional(z.unknown()),
      allowInsecure: z.optional(z.boolean()),
      credentials: objectWith(credentials),
      fetch: callback,
      transport: z.optional(aTransport()),
      rateLimiter: z.pipe(
        z.transform((value) => (value === false ? undefined : value)),
        z.optional(objectWith({ acquire: aFunction(), blocked: aFunction() })),
      ),
      clock: z.optional(objectWith({ now: aFunction(), sleep: aFunction() })),
      random: callback,
      maxWaitMs: z.optional(aWait()),
      timeoutMs: z.optional(aTimeout()),
      maxRetries: z.optional(aWholeNumber(0)),
      onWait: callback,
      observer: z.optional(objectWith(observer)),
      onFallback: callback,
    } satisfies Record<keyof ClientOptions, z.ZodMiniType>),
    credentials: optionsOf(credentials),
  };
});
