/**
 * Node's transport: undici's dispatchers, with a pool of connections for each origin, through the proxy in the environment. undici is
 * loaded for the first request, and not from its main entry, which also loads fetch, WebSocket and caches and takes eight times as long.
 * Its version is pinned, because it has no `exports` map.
 */
// eslint-disable-next-line @typescript-eslint/triple-slash-reference -- the library's types are built from index.ts alone, which would not find it
/// <reference path="./undici-internals.d.ts" />
import { setMaxListeners } from "node:events";
import { isIPv6 } from "node:net";

import type { Dispatcher, Pool } from "undici";

import { isLoopbackHost } from "../base/basics.js";
import { t } from "../languages/language.js";
import { steadyNow, systemClock, whenAborted } from "../base/clock.js";
import { ComandaError, systemErrorCode } from "../base/errors.js";
import {
  answerReader,
  classify,
  isDelimited,
  rejectedUnsent,
  timerMs,
  transportError,
  TransportError,
} from "./transport.js";
import type { HttpRequest, HttpResponse, Transport, TransportFailure } from "./transport.js";

export type Variables = Readonly<Record<string, string | undefined>>;

export interface TransportOptions {
  /** Variables `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`, or their lower-case names. Default: none. */
  readonly env?: Variables | undefined;
  /** Milliseconds to connect, TLS included, which undici rounds to half seconds. Above 0; `Infinity` sets no limit. Default 10,000. */
  readonly connectTimeoutMs?: number | undefined;
  /** Connections to one origin, after which requests wait. An integer of at least 1; default 64. */
  readonly connections?: number | undefined;
}

/**
 * Milliseconds until an idle connection is closed. A write must not use a connection that the service is about to close, because a reset
 * isn't evidence then. Most services wait for 5 seconds or more.
 */
const idleMs = 1000;

/** Milliseconds for each address of a name. Node's 250 ms are too short for a satellite link. */
const addressMs = 2500;

/** Milliseconds until a user name and password that a proxy has refused are sent to it again. */
const refusedMs = 1000;

/** @param endsSoon the process ends soon after its last request, so a V8 flag for all of it suits it */
export function createTransport(
  { env = {}, connectTimeoutMs = 10_000, connections = 64 }: TransportOptions = {},
  endsSoon = false,
): Transport {
  /** By origin, or by the proxy. */
  const dispatchers = new Map<string, Promise<Dispatcher>>();
  let running = 0;
  /** Milliseconds since the epoch when the last request ended. */
  let quietSince = Date.now();
  /** Closes sockets that are still connecting, which undici leaves open, so that the program can exit. */
  let end = new AbortController();

  async function open(origin: string, proxy: string | undefined): Promise<Dispatcher> {
    // Each connection listens to it, and Node warns of a leak from eleven listeners on.
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
      // If a service announces a shorter time, each request gets a new connection.
      keepAliveTimeoutThreshold: idleMs,
    };
    const dispatcher =
      proxy === undefined
        ? (await poolFactory())(origin, options)
        : await proxyDispatcher({ ...options, uri: proxy, proxyTls: connect });
    // Below Node 22 (whose V8 has set methods), V8 continues to optimize undici's WebAssembly parser after the response, which
    // doubles the time of a short call. This flag selects the baseline compiler if it is set before undici first connects. If it
    // were set before undici is loaded, V8 would reject the code cache of Node's modules that undici uses.
    if (endsSoon && !("union" in Set.prototype)) setV8Flag("--liftoff-only");
    return dispatcher;
  }

  /** Lets later requests open new connections. */
  async function leaveConnections(): Promise<void> {
    const left = Promise.allSettled(dispatchers.values());
    const isRunning = running > 0;
    const sockets = end;
    dispatchers.clear();
    end = new AbortController();
    // One that couldn't be opened has failed its own requests.
    for (const each of await left)
      if (each.status === "fulfilled") await (isRunning ? each.value.close() : each.value.destroy());
    if (!isRunning) sockets.abort();
  }

  async function send(request: HttpRequest): Promise<HttpResponse> {
    // Timers that close idle connections don't run while the process is suspended, and the service has closed its side by then.
    if (running === 0 && Math.abs(Date.now() - quietSince) > idleMs) void leaveConnections();
    running += 1;
    try {
      const { origin } = new URL(request.url);
      const proxy = proxyFor(env, origin);
      const key = proxy ?? origin;
      const opened = dispatchers.get(key) ?? open(origin, proxy);
      dispatchers.set(key, opened);
      return await exchange(await opened, request);
    } catch (error) {
      // Only `exchange` sends something, and it throws only these.
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
 * Sends the request once and collects its response.
 *
 * It knows exactly whether the request was sent: undici calls `onRequestStart` in the turn in which it writes the head to a socket that is
 * connected and, for https, authenticated (lib/dispatcher/client-h1.js, `writeH1`). An exchange that is given up before is never sent.
 *
 * @throws {TransportError} without a complete response
 */
function exchange(dispatcher: Dispatcher, request: HttpRequest): Promise<HttpResponse> {
  const { method, url, headers, body, signal, grace } = request;
  const { origin, pathname, search } = new URL(url);
  return new Promise((resolve, reject) => {
    let reader = answerReader(0, [], false);
    let controller: Dispatcher.DispatchController | undefined;
    let isSettled = false;
    let leaveSignal: (() => void) | undefined;

    const settle = () => {
      isSettled = true;
      clearTimeout(timer);
      leaveSignal?.();
    };
    const fail = (error: Error) => {
      if (isSettled) return;
      settle();
      reject(error);
      controller?.abort(error);
    };
    const giveUp = (failure: TransportFailure) => fail(transportError(failure, controller !== undefined));
    const onAbort = () => {
      // Once a write was sent, only the other signal ends the wait.
      if (controller && grace) leaveSignal = whenAborted(grace, () => giveUp("aborted"));
      else giveUp("aborted");
    };
    // After a suspension, the time is over and the response may be there. Node reads it before this callback.
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
          body: body ?? null,
          headersTimeout: 0,
          bodyTimeout: 0,
        },
        {
          onRequestStart(started) {
            if (isSettled) started.abort(transportError("aborted", false));
            else controller = started;
          },
          onResponseStart(_, statusCode, received) {
            // Informational responses (1xx) precede the final one.
            if (statusCode >= 200) reader = answerReader(statusCode, Object.entries(received), false);
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
            settle();
            const whole = reader.whole();
            const isComplete = method === "HEAD" || isDelimited(whole);
            // undici treats a reset like the end of such a body.
            resolve(isComplete ? whole : { ...whole, endsWithConnection: true });
          },
          onResponseError(_, error) {
            settle();
            const isRejected = error instanceof TypeError || systemErrorCode(error) === "UND_ERR_INVALID_ARG";
            reject(isRejected && !controller ? rejectedUnsent(error) : classify(error, Boolean(controller)));
          },
        },
      );
    } catch (error) {
      // A proxy's agent throws for a header of its own. Otherwise the timer would end a request that never began.
      fail(controller ? classify(error, true) : rejectedUnsent(error));
    }
  });
}

/**
 * Returns the proxy of an address from the environment. Lower-case names take precedence, and `HTTP_PROXY` also applies to https
 * without `HTTPS_PROXY`, as in undici's `EnvHttpProxyAgent`. `ALL_PROXY` is ignored.
 *
 * @param url the called address; loopback addresses and the hosts in `NO_PROXY` have no proxy
 * @throws {ComandaError} `configuration` for a proxy that can't be used
 */
export function proxyFor(env: Variables, url: string): string | undefined {
  const target = new URL(url);
  if (isLoopbackHost(target.hostname) || isExempt(target, env["no_proxy"] ?? env["NO_PROXY"] ?? ""))
    return undefined;
  const httpProxy = proxyIn(env, "http_proxy");
  const httpsProxy = proxyIn(env, "https_proxy");
  return (target.protocol === "https:" ? httpsProxy : undefined) ?? httpProxy;
}

/** Returns whether `NO_PROXY` contains the host: `*`, or a host with all its subdomains and an optional port. */
function isExempt({ protocol, hostname, port }: URL, noProxy: string): boolean {
  const host = hostname.replace(/\.$/, "");
  const usedPort = port || (protocol === "https:" ? "443" : "80");
  const entries = noProxy.toLowerCase().split(/[\s,]+/);
  return entries.some((entry) => {
    const written = isIPv6(entry) ? `[${entry}]` : entry;
    // Neither a leading `*.` nor the dot of the root changes the meaning.
    const [, name, onPort = usedPort] = /^(?:\*?\.)?(.*?)\.?(?::(\d+))?$/.exec(written) ?? [];
    return onPort === usedPort && (name === "*" || `.${host}`.endsWith(`.${name}`));
  });
}

/** The error doesn't contain the address, which may contain a password. */
function proxyIn(env: Variables, lowerCaseName: string): string | undefined {
  const name = env[lowerCaseName] === undefined ? lowerCaseName.toUpperCase() : lowerCaseName;
  const value = env[name] ?? "";
  if (value === "") return undefined;
  // Like curl, comanda treats an address without a scheme as an HTTP proxy.
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  try {
    const { protocol, username, password } = new URL(address);
    decodeURIComponent(username + password);
    if (/^https?:$/.test(protocol)) return address;
  } catch {
    // The error below doesn't show the address.
  }
  const message = t`The environment variable ${name} isn't the address of an HTTP proxy.`;
  const hint = t`For example: ${`${name}=http://user:password@proxy.example:8080`}`;
  throw new ComandaError("configuration", message, { hint });
}

/**
 * Returns the function that opens a pool. Its connections skip a `100 Continue` that no request has asked for (RFC 9110, section 15.2):
 * undici closes the connection then, but skips all other interim responses.
 */
async function poolFactory(): Promise<(origin: string | URL, options: Pool.Options) => Pool> {
  const [{ default: OnePool }, { default: symbols }] = await Promise.all([
    import("undici/lib/dispatcher/pool.js"),
    import("undici/lib/core/symbols.js"),
  ]);
  return (origin, options) => {
    // Without the size, undici would read Node's default from node:http, which the build leaves out.
    const pool = new OnePool(origin, { ...options, maxHeaderSize: 16_384 });
    return pool.on("connect", (_, [, { [symbols.kSocket]: socket }]) => {
      const { [symbols.kParser]: parser } = socket;
      const onHeaders = parser.onHeadersComplete.bind(parser);
      parser.onHeadersComplete = (status, ...rest) => onHeaders(status === 100 ? 103 : status, ...rest);
    });
  };
}

/** Returns the error of a tunnel that could not be opened, so that nothing was sent. */
function proxyError(failure: TransportFailure, detail?: string): TransportError {
  const { message } = transportError(failure, false, detail);
  return new TransportError(failure, false, t`at the proxy, ${message}`, { atProxy: true });
}

/** Returns the dispatcher of a proxy. Loaded only if the environment names one. */
async function proxyDispatcher(
  options: Pool.Options & { readonly uri: string; readonly proxyTls: object },
): Promise<Dispatcher> {
  const [{ default: ProxyAgent }, { default: connect }, openPool] = await Promise.all([
    import("undici/lib/dispatcher/proxy-agent.js"),
    import("undici/lib/api/api-connect.js"),
    poolFactory(),
  ]);
  /** Connections to the proxy itself. undici's main entry adds the `connect` to a dispatcher that makes the tunnel. */
  const clientFactory = (origin: URL, poolOptions: object): Dispatcher => {
    const pool = openPool(origin, poolOptions);
    const open = async (tunnel: Dispatcher.ConnectOptions) => {
      const opened = await connect.call(pool, tunnel).catch((error: unknown) => {
        // The proxy is unreachable, so nothing is known about the service. After its own errors, undici would request another tunnel
        // from the proxy at once, 2,000 times a second.
        throw proxyError(classify(error, false).failure, systemErrorCode(error));
      });
      const { statusCode, socket } = opened;
      if (statusCode === 200) return opened;
      socket.on("error", () => undefined).destroy();
      throw proxyError(statusCode === 407 ? "proxy_auth" : "refused", `HTTP ${statusCode}`);
    };
    const isRefused = (error: unknown) => error instanceof TransportError && error.failure === "proxy_auth";
    // A wrong password is sent once, and again after a pause: if the proxy refuses it for the first tunnel, the others don't try it,
    // because it may lock the user out.
    let first: ReturnType<typeof open> | undefined;
    let nextAt = Infinity;
    const openInTurn = async (tunnel: Dispatcher.ConnectOptions) => {
      if (first && steadyNow(systemClock) < nextAt) {
        await first.catch((error: unknown) => {
          if (isRefused(error)) throw error;
        });
        return open(tunnel);
      }
      nextAt = Infinity;
      first = open(tunnel);
      return first.catch((error: unknown) => {
        if (isRefused(error)) nextAt = steadyNow(systemClock) + refusedMs;
        throw error;
      });
    };
    return Object.assign(pool, { connect: openInTurn });
  };
  return new ProxyAgent({ ...options, factory: openPool, clientFactory });
}

/** Sets a flag of V8 for the whole process. An import would load Node's ES module loader, which takes longer than a call. */
export function setV8Flag(flag: string): void {
  // eslint-disable-next-line no-restricted-globals -- the only way to a module of Node that is neither an import nor CommonJS
  process.getBuiltinModule("node:v8").setFlagsFromString(flag);
}
