/**
 * Programs make their client here. Their options are checked by rules first, since not every program has types. The
 * command line's own code has types, and doesn't pay for this.
 */
import type { ClientOptions } from "../client/call.js";
import { aClock, aCount, aFunction, aLimiter, anObject, aTimeout, aTransport } from "../client/checks.js";
import { checkOptions, trueOrFalse, type Rules } from "../client/checks.js";
import { createClient as clientOf, type Client } from "../client/client.js";
import type { Credentials } from "../client/credentials.js";

/**
 * Makes a client of one store at one environment. Nothing is loaded or opened before its first call.
 *
 * @throws {ComandaError} `configuration` for an option that can't be used
 */
export function createClient(options: ClientOptions): Client {
  checkOptions(clientRules, options, "createClient", ["baseUrl", "credentials"]);
  const { credentials } = options;
  // An object of a class may hold more.
  const isPlain = Object.getPrototypeOf(credentials) === Object.prototype;
  checkOptions(credentialRules, isPlain ? credentials : {}, "credentials");
  return clientOf(options);
}

const credentialRules: Rules<Credentials> = {
  bearer: aFunction,
  renew: aFunction,
  isAdopted: aFunction,
  apiKey: aFunction,
  partnerKey: aFunction,
  hint: aFunction,
};
const clientRules: Rules<ClientOptions> = {
  // normalizeBaseUrl says what is wrong with it.
  baseUrl: ["a URL", () => true],
  allowInsecure: trueOrFalse,
  credentials: anObject,
  fetch: aFunction,
  transport: aTransport,
  rateLimiter: aLimiter,
  clock: aClock,
  random: aFunction,
  maxWaitMs: ["a number of milliseconds of at least 0", (value) => typeof value === "number" && value >= 0],
  timeoutMs: aTimeout,
  maxRetries: aCount,
  onWait: aFunction,
  observer: anObject,
  onFallback: aFunction,
};
