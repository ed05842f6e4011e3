/**
 * Node's own transport: undici's dispatchers, one pool of connections an origin, behind the proxy that the environment names.
 * undici is loaded when the first request goes out, past its front door, which loads fetch, WebSocket and caches as well and
 * costs eight times the start-up. undici has no `exports` map, so these paths are open; its version is pinned, and test/client
 * holds the behaviour that is relied upon.
 */
// eslint-disable-next-line @typescript-eslint/triple-slash-reference -- the library's types are built from index.ts alone, which would not find it
/// <reference path="./undici-internals.d.ts" />
import { setMaxListeners } from "node:events";
import { isIPv6 } from "node:net";

import type { Dispatcher, Pool } from "undici";

import { isLoopbackHost } from "../base/basics.js";
import { t } from "../languages/language.js";
import { whenAborted } from "../base/clock.js";
import { ComandaError, systemErrorCode } from "../base/errors.js";
import {
  answerReader,
  classify,
  rejectedUnsent,
  timerMs,
  transportError,
  TransportError,
  type HttpRequest,
  type HttpResponse,
  type PatientRequest,
  type Transport,
  type TransportFailure,
} from "./transport.js";

export type Variables = Readonly<Record<string, string | undefined>>;

export interface TransportOptions {
  /**
   * The variables that `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` (or their lower-case names) are read from. Default:
   * none.
   */
  readonly env?: Variables;
  /**
   * Milliseconds to connect, TLS included; undici counts in steps of half a second. Above 0, `Infinity` for no such
   * limit; default 10,000.
   */
  readonly connectTimeoutMs?: number;
  /** Connections to one origin at most; further requests wait. A whole number of at least 1; default 64. */
  readonly connections?: number;
  /**
   * The program ends soon after its last request: a V8 flag for the whole process suits it. Default false in
   * `comanda/node`, since a program may live long, and true in the command line.
   */
  readonly shortLived?: boolean;
}

/**
 * Milliseconds that an idle connection is kept. A write must not go out on a connection that the service is
 * about to close, since a reset then proves nothing; most services keep theirs for 5 seconds or more.
 */
const idleMs = 1000;

/** Milliseconds for each address of a name. Node's quarter of a second is too short for a satellite's round trip. */
const addressMs = 2500;

export function createTransport({
  env = {},
  connectTimeoutMs = 10_000,
  connections = 64,
  shortLived = true,
}: TransportOptions = {}): Transport {
  /** By origin; those that may lie behind a proxy share one. */
  const dispatchers = new Map<string, Promise<Dispatcher>>();
  let running = 0;
  /** Milliseconds since the epoch: since then nothing is running. */
  let quietSince = Date.now();
  /** Ends sockets that are still connecting: undici leaves them, and they would keep the program alive. */
  let end = new AbortController();

  async function open(origin: string, proxies: ProxySettings | undefined): Promise<Dispatcher> {
    // Each connection listens to it; Node would take eleven listeners for a leak and warn on stderr.
    setMaxListeners(0, end.signal);
    const connect = {
      timeout: timerMs(connectTimeoutMs),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: addressMs,
      signal: end.signal,
    };
    const options = {
      connect,
      connections,
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: idleMs,
      // A service that announces a shorter time than this gets a fresh connection each time.
      keepAliveTimeoutThreshold: idleMs,
    };
    if (proxies) return proxyDispatcher({ ...options, ...proxies, proxyTls: connect });
    const { default: OnePool } = await import("undici/lib/dispatcher/pool.js");
    return new OnePool(origin, options);
  }

  /** From here on, requests get new connections. */
  async function leaveConnections(): Promise<void> {
    const left = [...dispatchers.values()];
    const isRunning = running > 0;
    const sockets = end;
    dispatchers.clear();
    end = new AbortController();
    for (const each of left) {
      const dispatcher = await each;
      await (isRunning ? dispatcher.close() : dispatcher.destroy());
    }
    if (!isRunning) sockets.abort();
  }

  async function send(request: HttpRequest): Promise<HttpResponse> {
    // Below Node 22 (set methods came with its V8), V8 goes on optimising undici's WebAssembly parser in the background after
    // the answer is there, and the process can't end before: half the time of a short call. The flag keeps to the baseline
    // compiler, where it is set before undici first connects.
    if (shortLived && dispatchers.size === 0 && !("union" in Set.prototype))
      (await import("node:v8")).setFlagsFromString("--liftoff-only");
    // The timers that end idle connections don't run while the process stands still: after Ctrl-Z, in a laptop that sleeps,
    // in a cloud's function between two calls. The service has ended its side then.
    if (running === 0 && Math.abs(Date.now() - quietSince) > idleMs) void leaveConnections();
    running += 1;
    try {
      const { origin } = new URL(request.url);
      const proxies = proxiesFor(env, origin);
      const key = proxies ? "behind a proxy" : origin;
      const opened = dispatchers.get(key) ?? open(origin, proxies);
      dispatchers.set(key, opened);
      return await exchange(await opened, request);
    } catch (error) {
      // Only `exchange` sends something, and it throws nothing else.
      if (error instanceof TransportError || error instanceof ComandaError) throw error;
      throw rejectedUnsent(error);
    } finally {
      running -= 1;
      quietSince = Date.now();
    }
  }

  return { send, close: leaveConnections };
}

/**
 * Sends the request once and collects its answer.
 *
 * Whether it was sent is exact: undici calls `onRequestStart` in the same turn in which it writes the head to a
 * socket that is connected and, for https, authenticated (lib/dispatcher/client-h1.js, `writeH1`). An exchange
 * that is given up before that is stopped there, so it never goes out behind the caller's back.
 *
 * @throws {TransportError} where no complete answer came
 */
function exchange(dispatcher: Dispatcher, request: PatientRequest): Promise<HttpResponse> {
  const { method, url, headers, body, signal, grace } = request;
  const { origin, pathname, search } = new URL(url);
  return new Promise((resolve, reject) => {
    let reader = answerReader(0, {}, false);
    let controller: Dispatcher.DispatchController | undefined;
    let isSettled = false;
    let leaveSignal: (() => void) | undefined;

    /** Is it the first word on this exchange? */
    const settle = () => {
      const isFirst = !isSettled;
      isSettled = true;
      clearTimeout(timer);
      leaveSignal?.();
      return isFirst;
    };
    const fail = (error: Error) => {
      if (!settle()) return;
      reject(error);
      controller?.abort(error);
    };
    const errorOf = (error: unknown) => {
      const isRejected = error instanceof TypeError || systemErrorCode(error) === "UND_ERR_INVALID_ARG";
      return isRejected && !controller ? rejectedUnsent(error) : classify(error, controller !== undefined);
    };
    const giveUp = (failure: TransportFailure) => fail(transportError(failure, controller !== undefined));
    const onAbort = () => {
      // A write that is out is given up by the other signal alone.
      if (controller && grace) leaveSignal = whenAborted(grace, () => giveUp("aborted"));
      else giveUp("aborted");
    };
    // A process that stood still finds its time over, and the answer there: Node reads that next, and then comes to this.
    const timer = setTimeout(() => setImmediate(() => giveUp("timeout")), timerMs(request.timeoutMs));
    if (signal) leaveSignal = whenAborted(signal, onAbort);
    if (signal?.aborted) return;
    try {
      dispatcher.dispatch(
        {
          origin,
          path: pathname + search,
          method,
          headers: { "accept-encoding": "identity", ...headers },
          body: body instanceof Uint8Array ? Buffer.from(body) : (body ?? null),
          headersTimeout: 0,
          bodyTimeout: 0,
        },
        {
          onRequestStart(started) {
            if (isSettled) started.abort(transportError("aborted", false));
            else controller = started;
          },
          onResponseStart(_, statusCode, received) {
            // Informational answers (1xx) come before the real one.
            if (statusCode >= 200) reader = answerReader(statusCode, received, false);
          },
          onResponseData(started, chunk) {
            if (chunk.length === 0 || isSettled) return;
            try {
              const beginning = reader.add(chunk);
              if (beginning === undefined) return;
              settle();
              resolve(beginning);
              started.abort(transportError("bad_answer", true));
            } catch (error) {
              fail(classify(error, true));
            }
          },
          onResponseEnd() {
            if (settle()) resolve(reader.whole());
          },
          onResponseError(_, error) {
            if (settle()) reject(errorOf(error));
          },
        },
      );
    } catch (error) {
      // The timer would go on otherwise, and end a request that has never begun.
      fail(errorOf(error));
    }
  });
}

type ProxySettings = NonNullable<ReturnType<typeof proxiesFor>>;

/**
 * Reads the proxies from the environment. Lower-case names win, and `HTTP_PROXY` serves for https if there is no
 * `HTTPS_PROXY`, as in undici's `EnvHttpProxyAgent`. `ALL_PROXY` is not read.
 *
 * @param url where calls go; loopback addresses are never behind a proxy, nor are the hosts that `NO_PROXY` names
 * @returns `undefined` if no proxy is set for this address
 * @throws {ComandaError} `configuration` for a proxy that can't be used
 */
export function proxiesFor(env: Variables, url: string) {
  const target = new URL(url);
  if (isLoopbackHost(target.hostname) || isExempt(target, env["no_proxy"] ?? env["NO_PROXY"] ?? ""))
    return undefined;
  const httpProxy = proxyIn(env, "http_proxy");
  const httpsProxy = proxyIn(env, "https_proxy");
  if (httpProxy === "" && httpsProxy === "") return undefined;
  // If one were left out, undici would read the environment of its own process.
  return { httpProxy, httpsProxy, noProxy: "" };
}

/**
 * Returns whether `NO_PROXY` names the host. Its entries are separated by commas or blanks. Each is `*`, or a host with all of its
 * subdomains (`example.com`, `.example.com`, `*.example.com`), with or without a port.
 */
function isExempt({ protocol, hostname, port }: URL, noProxy: string): boolean {
  const withoutRoot = (host: string) => host.replace(/\.$/, "");
  const host = withoutRoot(hostname);
  const usedPort = port || (protocol === "https:" ? "443" : "80");
  const entries = noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  return entries.some((entry) => {
    const written = isIPv6(entry) ? `[${entry}]` : entry;
    const [, named = "", onPort = usedPort] = /^(.*?)(?::(\d+))?$/.exec(written) ?? [];
    const name = withoutRoot(named.replace(/^\*?\./, ""));
    return onPort === usedPort && (name === "*" || name === host || host.endsWith(`.${name}`));
  });
}

/** Neither the address nor a part of it is shown: it may hold a password. */
function proxyIn(env: Variables, lowerCaseName: string): string {
  const name = env[lowerCaseName] === undefined ? lowerCaseName.toUpperCase() : lowerCaseName;
  const value = env[name] ?? "";
  if (value === "") return "";
  // An address without a scheme is an HTTP proxy's, as curl has it.
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  try {
    const { protocol, username, password } = new URL(address);
    decodeURIComponent(username + password);
    if (/^https?:$/.test(protocol)) return address;
  } catch {
    // It is told below, without what it holds.
  }
  const message = t`The environment variable ${name} isn't the address of an HTTP proxy.`;
  const hint = t`For example: ${`${name}=http://user:password@proxy.example:8080`}`;
  throw new ComandaError("configuration", message, { hint });
}

/** The dispatcher for hosts that may lie behind a proxy; loaded only where the environment names one. */
async function proxyDispatcher(
  options: Pool.Options & ProxySettings & { readonly proxyTls: object },
): Promise<Dispatcher> {
  const [{ default: EnvHttpProxyAgent }, { default: OnePool }, { default: connect }] = await Promise.all([
    import("undici/lib/dispatcher/env-http-proxy-agent.js"),
    import("undici/lib/dispatcher/pool.js"),
    import("undici/lib/api/api-connect.js"),
  ]);
  /**
   * The connections to the proxy itself. undici's front door gives every dispatcher its `connect`, which makes the
   * tunnel; past the front door, we do.
   */
  const clientFactory = (origin: URL, poolOptions: object): Dispatcher => {
    const pool = new OnePool(origin, poolOptions);
    const open = async (tunnel: Dispatcher.ConnectOptions) => {
      let status: number;
      try {
        const opened = await connect.call(pool, tunnel);
        status = opened.statusCode;
        if (status === 200) return opened;
        opened.socket.on("error", () => undefined).destroy();
      } catch (error) {
        // It was the proxy that could not be reached: of the service nothing is known. For an error of its own, undici asks the
        // proxy for a tunnel again at once, 2,000 times a second, for ever.
        throw transportError(classify(error, false).failure, false, systemErrorCode(error), true);
      }
      throw transportError(status === 407 ? "proxy_auth" : "refused", false, `HTTP ${status}`, true);
    };
    // A password that is wrong goes out once: what the proxy refuses to the first tunnel isn't tried with the others.
    let first: ReturnType<typeof open> | undefined;
    const openInTurn = async (tunnel: Dispatcher.ConnectOptions) => {
      if (!first) return (first = open(tunnel));
      await first.catch((error: unknown) => {
        if (error instanceof TransportError && error.failure === "proxy_auth") throw error;
      });
      return open(tunnel);
    };
    return Object.assign(pool, { connect: openInTurn });
  };
  return new EnvHttpProxyAgent({ ...options, clientFactory });
}
