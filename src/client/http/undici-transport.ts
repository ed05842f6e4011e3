/** The transport that every call goes through: undici's dispatchers, one pool of connections an origin. */
// eslint-disable-next-line @typescript-eslint/triple-slash-reference -- the library's types are built from index.ts alone, which would not find it
/// <reference path="./undici-internals.d.ts" />
import type { Socket } from "node:net";

import type { Dispatcher } from "undici";
import buildConnector from "undici/lib/core/connect.js";
import Pool from "undici/lib/dispatcher/pool.js";

import { exchange } from "./exchange.js";
import { proxiesFor, type Variables } from "./proxy.js";
import { timerMs, type Transport } from "./transport.js";

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
   * The program ends soon after its last request: a V8 flag for the whole process suits it, and `close` leaves idle
   * connections to its end. Default true; false is right inside somebody else's long-lived program.
   */
  readonly shortLived?: boolean;
}

/**
 * Milliseconds that an idle connection is kept. A write must not go out on a connection that the service is
 * about to close, since a reset then proves nothing; most services keep theirs for 5 seconds or more.
 */
const idleMs = 1000;

export function createTransport({
  env = {},
  connectTimeoutMs = 10_000,
  connections = 64,
  shortLived = true,
}: TransportOptions = {}): Transport {
  const connectTimeout = timerMs(connectTimeoutMs);
  const connecting = new Set<Socket>();
  const connect = buildConnector({ timeout: connectTimeout, allowH2: false });
  const options = {
    connections,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    // A service that announces a shorter time than this gets a fresh connection each time.
    keepAliveTimeoutThreshold: idleMs,
  };
  const dispatchers = new Map<string, Promise<Dispatcher>>();
  let behindProxy: Promise<Dispatcher> | undefined;
  let running = 0;
  /** What was given up may still be in a dispatcher's queue. */
  let areAllAnswered = true;
  /** Milliseconds since the epoch: since then nothing is running. */
  let quietSince = Date.now();

  const connectNoted = (...[target, callback]: Parameters<typeof connect>) => {
    const socket = connect(target, (...result) => {
      connecting.delete(socket);
      callback(...result);
    });
    connecting.add(socket);
  };

  /** @throws {ComandaError} `configuration` for a proxy that can't be used */
  function dispatcherFor(origin: string): Promise<Dispatcher> {
    const dispatcher = dispatchers.get(origin);
    if (dispatcher) return dispatcher;
    const proxies = proxiesFor(env, origin);
    const created = proxies
      ? (behindProxy ??= import("./proxy-dispatcher.js").then(({ proxyDispatcher }) =>
          proxyDispatcher(proxies, { ...options, connectTimeout }),
        ))
      : Promise.resolve(new Pool(origin, { ...options, connect: connectNoted }));
    dispatchers.set(origin, created);
    return created;
  }

  /** Takes all dispatchers away: from here on, requests get new connections. */
  function takeAll(): readonly Promise<Dispatcher>[] {
    const all = [...new Set(dispatchers.values())];
    dispatchers.clear();
    behindProxy = undefined;
    return all;
  }

  /**
   * The timers that end idle connections don't run while the process stands still: after Ctrl-Z, in a laptop that sleeps,
   * in a cloud's function between two calls. The service has ended its side then.
   */
  function leaveWhatIsTooOld(): void {
    if (running > 0 || Math.abs(Date.now() - quietSince) <= idleMs) return;
    for (const dispatcher of takeAll())
      void dispatcher.then(
        (idle) => idle.destroy(),
        () => undefined, // What could not be loaded has no connections.
      );
  }

  return {
    send: async (request) => {
      if (shortLived && !quiet) await keepCompilerQuiet();
      leaveWhatIsTooOld();
      const { origin, pathname, search } = new URL(request.url);
      running += 1;
      try {
        return await exchange(await dispatcherFor(origin), { origin, path: pathname + search }, request);
      } catch (error) {
        areAllAnswered = false;
        throw error;
      } finally {
        running -= 1;
        quietSince = Date.now();
      }
    },
    close: async () => {
      // Nobody waits for what was given up while it was still connecting; it would keep the program alive.
      if (running === 0) for (const socket of connecting) socket.destroy();
      // An idle connection keeps no program alive. To end it costs 2 ms: Node opens stderr for each socket that it destroys.
      if (shortLived && running === 0 && areAllAnswered && !behindProxy) return;
      const open = await Promise.all(takeAll());
      await Promise.all(
        open.map((dispatcher) => (running === 0 ? dispatcher.destroy() : dispatcher.close())),
      );
    },
  };
}

let quiet = false;

/**
 * Below Node 22, V8 goes on optimising undici's WebAssembly parser in the background after the answer is there,
 * and the process can't end before: half the time of a short call. `--liftoff-only` keeps to the baseline
 * compiler. It has to be set before the parser is compiled, which undici does when it first connects.
 */
async function keepCompilerQuiet(): Promise<void> {
  // Set methods came with the V8 of Node 22.
  quiet = true;
  if ("union" in Set.prototype) return;
  const { setFlagsFromString } = await import("node:v8");
  setFlagsFromString("--liftoff-only");
}
