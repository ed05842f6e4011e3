/** The options of a client, and the settings that they come to. */
import { systemClock, type Clock } from "./clock.js";
import type { CallerOptions, Stopping } from "./call/caller.js";
import { together, type CallObserver, type WaitNotice } from "./call/observer.js";
import type { Credentials } from "./call/credentials.js";
import { fetchTransport } from "./http/fetch-transport.js";
import type { OptionNames } from "./call/call-error.js";
import { createMemoryRateLimiter, type RateLimiter } from "./call/rate-limit.js";
import { normalizeBaseUrl } from "./base-url.js";
import { timerMs, type HttpAnswer, type Transport } from "./http/transport.js";

export interface ClientOptions {
  /**
   * The API host of one environment, the `base_url` of the specification, for example `https://api.service.example`.
   * It may carry a path prefix. `http:` for this machine alone.
   */
  readonly baseUrl: string;
  /**
   * Allows `http:` to another machine, such as an emulator in a container of its own. Credentials and orders go out in the
   * clear, so it is for tests alone. Default false.
   */
  readonly allowInsecure?: boolean;
  /** One function for each credential that the store has (section 5.1); each call asks for the one that it takes. */
  readonly credentials: Credentials;
  /**
   * Requests go through this transport: {@link fetchTransport}, one of `createTransport` of `comanda/node`, or your own.
   * It is yours to close. Default: the platform's `fetch`.
   */
  readonly transport?: Transport;
  /**
   * Holds requests back before the service's limits are reached (section 8). Share one between the clients of one
   * store. Default: one of this client's own, in memory. `false`: none; the service remains the authority.
   */
  readonly rateLimiter?: RateLimiter | false;
  /** The time, and what waits between attempts; for tests. Default: the system's. */
  readonly clock?: Clock;
  /** At least 0 and below 1; spreads the pauses between attempts. Default `Math.random`. */
  readonly random?: () => number;
  /**
   * Milliseconds that one call may spend waiting on rate limits, its own and the service's, and for a service that says
   * with a 5xx when it is back. At least 0; default 300,000. With 0 a call fails at once, as `rate_limited`; with
   * `Infinity` it waits as long as it takes.
   */
  readonly maxWaitMs?: number;
  /**
   * Milliseconds for one exchange, connecting included; a call that is repeated has as many for each. Above 0;
   * default 30,000. `Infinity`, and whatever is above 24.8 days, comes to 24.8 days.
   */
  readonly timeoutMs?: number;
  /**
   * A call may be repeated this often after a failure, where that does no harm; a wait on a rate limit doesn't count.
   * A whole number of at least 0, or `Infinity`; default 3.
   */
  readonly maxRetries?: number;
  /** Told before each wait, with its length. What it throws ends the call, as `callback_failed`. */
  readonly onWait?: (notice: WaitNotice) => void;
  /**
   * Told of each call, from the moment that its request is built: it may refuse it, or write it down. `fileSession` brings
   * one, by which what the command line promises of a store holds for a program too.
   */
  readonly observer?: CallObserver;
  /**
   * Told once, when the access token works no more and calls that take the API key too are sent with that from then on.
   * An error that it throws ends the call, as `callback_failed`.
   */
  readonly onFallback?: () => void;
  /**
   * Told before a call for sales figures whose filter has a value that the API doesn't list and none of this client's
   * answers has shown, such as a `sales_channel` with a slip in it, which would select no order. What it throws ends the
   * call, as `callback_failed`.
   */
  readonly onWarning?: (message: string) => void;
}

/** The command line's own client speaks of flags, and ends as a person stops it. */
export interface CommandLineOptions extends ClientOptions {
  readonly optionNames?: OptionNames;
  readonly stopping?: Stopping;
  /** Told of the answer that a call throws for, where that is no 2xx. */
  readonly onRefusal?: ((answer: HttpAnswer) => void) | undefined;
}

const defaultNames: OptionNames = { baseUrl: "baseUrl", timeoutMs: "timeoutMs", maxWaitMs: "maxWaitMs" };

/**
 * @param filters told of each call before the program's own observer
 * @throws {ComandaError} `configuration` for a base URL that can't be used
 */
export function clientSettings(options: CommandLineOptions, filters?: CallObserver): CallerOptions {
  const { credentials, transport = fetchTransport(), rateLimiter } = options;
  const { clock = systemClock, random = Math.random, optionNames = defaultNames } = options;
  return {
    baseUrl: normalizeBaseUrl(options.baseUrl, options.allowInsecure, optionNames.baseUrl),
    credentials,
    clock,
    random,
    onWait: options.onWait,
    observer: together([filters, options.observer]),
    onFallback: options.onFallback,
    optionNames,
    stopping: options.stopping,
    onRefusal: options.onRefusal,
    transport,
    limiter: rateLimiter === false ? undefined : (rateLimiter ?? createMemoryRateLimiter(clock)),
    maxWaitMs: options.maxWaitMs ?? 300_000,
    timeoutMs: timerMs(options.timeoutMs),
    maxRepeats: options.maxRetries ?? 3,
  };
}
