/**
 * Programs make their client here. Their options are checked by rules first, since not every program has types. The
 * command line's own code has types, and doesn't pay for this.
 */
import { isObject } from "../api/json.js";
import type { Credentials } from "../client/credentials.js";
import type { ClientOptions } from "../client/call.js";
import { createClient as clientOf, type Client } from "../client/client.js";
import {
  aClock,
  aCount,
  aFunction,
  aTimeout,
  aTransport,
  checkOptions,
  functionOf,
  must,
  objectWith,
  optional,
  trueOrFalse,
  type Rules,
} from "../client/checks.js";

/**
 * Makes a client of one store at one environment. Nothing is loaded or opened before its first call.
 *
 * @throws {ComandaError} `configuration` for an option that can't be used
 */
export function createClient(options: ClientOptions): Client {
  checkOptions(clientRules, options, "createClient");
  // An object of a class may hold more than the options.
  if (Object.getPrototypeOf(options.credentials) === Object.prototype)
    checkOptions(credentialRules, options.credentials, "credentials");
  return clientOf(options);
}

const callback = optional(aFunction);
const secret = optional(
  functionOf("For example: credentials: { bearer: async () => process.env.ACCESS_TOKEN }"),
);
const credentialRules: Rules<Credentials> = {
  bearer: secret,
  renew: secret,
  isAdopted: secret,
  apiKey: secret,
  partnerKey: secret,
  hint: secret,
};
const isLimiter = (value: unknown) =>
  isObject(value) && typeof value["acquire"] === "function" && typeof value["blocked"] === "function";
const clientRules: Rules<ClientOptions> = {
  // normalizeBaseUrl says what is wrong with it.
  baseUrl: must("a URL", () => true),
  allowInsecure: optional(trueOrFalse),
  credentials: objectWith(credentialRules),
  fetch: callback,
  transport: optional(aTransport),
  rateLimiter: optional(must("a rate limiter, or false", (value) => value === false || isLimiter(value))),
  clock: optional(aClock),
  random: callback,
  maxWaitMs: optional(
    must("a number of milliseconds of at least 0", (value) => typeof value === "number" && value >= 0),
  ),
  timeoutMs: optional(aTimeout),
  maxRetries: optional(aCount),
  onWait: callback,
  observer: optional(objectWith({})),
  onFallback: callback,
};
