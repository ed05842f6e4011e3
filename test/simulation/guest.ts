/**
 * What runs inside of a simulated process: the program itself, from its command line on, over a machine whose every call
 * goes to the simulation. It is bundled and run in a realm of its own, with a queue of its own for what is awaited, so
 * that the simulation can let one process stand still in the middle of a call and run another.
 */
import { runLine } from "../../src/cli/program.js";
import { transportError } from "../../src/client/http/transport-failure.js";
import type { HttpAnswer, Transport, TransportFailure } from "../../src/client/index.js";
import type { Context, StandardStream } from "../../src/commands/index.js";
import type { Clock } from "../../src/shared/clock.js";
import type { Disk } from "../../src/shared/disk.js";
import { ComandaError } from "../../src/shared/errors.js";
import { createCriticalSections } from "../../src/state/locks/critical-sections.js";
import type { ProcessTable } from "../../src/state/locks/process-identity.js";
import { openSessions } from "../../src/state/sessions/sessions.js";
import { openStateFolder } from "../../src/state/state-folder.js";
import type { Request } from "./service.js";

/** What the simulation gives one process. Everything is answered at once, or by calling back. */
export interface Hooks {
  readonly pid: number;
  readonly boot: string;
  readonly home: string;
  readonly uid: number;
  readonly disk: Disk;
  now(): number;
  monotonic(): number;
  /** @returns what takes it back */
  timer(ms: number, fire: () => void, repeats: boolean): () => void;
  send(request: Request, events: SendEvents): { isSent(): boolean; giveUp(): void };
  bytes(count: number): Uint8Array;
  fraction(): number;
  runs(pid: number): boolean;
  print(stream: "stdout" | "stderr", text: string): void;
  exit(code: number): void;
}

export interface SendEvents {
  answer(answer: HttpAnswer): void;
  fail(failure: TransportFailure, sent: boolean): void;
}

/** What the simulation may ask of a process. */
export interface Guest {
  /** @returns what gives the process SIGTERM */
  start(hooks: Hooks, argv: readonly string[]): () => void;
  /** Keeps a session as a sign-in would have. */
  signIn(hooks: Hooks, baseUrl: string, expiresAt: number): void;
}

/** An error of the simulation's own realm is no `Error` here. */
function diskOf(hooks: Hooks): Disk {
  const disk = new Proxy(hooks.disk, {
    get(target, name) {
      const call: unknown = Reflect.get(target, name);
      if (typeof call !== "function") return call;
      return (...given: unknown[]): unknown => {
        try {
          return Reflect.apply(call, target, given);
        } catch (error) {
          throw ownError(error);
        }
      };
    },
  });
  return {
    ...disk,
    fdatasyncMeanwhile: (descriptor) =>
      new Promise((resolve, reject) => {
        const sync = () => {
          try {
            disk.fdatasync(descriptor);
            resolve();
          } catch (error) {
            reject(ownError(error));
          }
        };
        hooks.timer(syncMs, sync, false);
      }),
  };
}

const syncMs = 0.1;

function ownError(thrown: unknown): Error {
  const { message, code } = thrown as { readonly message: string; readonly code?: string };
  return Object.assign(new Error(message), code !== undefined && { code });
}

function clockOf(hooks: Hooks): Clock {
  return {
    now: () => hooks.now(),
    monotonic: () => hooks.monotonic(),
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        const onAbort = () => {
          end();
          reject(signal?.reason as Error);
        };
        const end = hooks.timer(
          ms,
          () => {
            signal?.removeEventListener("abort", onAbort);
            resolve();
          },
          false,
        );
        signal?.addEventListener("abort", onAbort, { once: true });
      }),
    every: (ms, work) => hooks.timer(ms, work, true),
  };
}

const usualTimeoutMs = 30_000;

/** The rules of `Transport`, on a network that the simulation plays. */
function transportOf(hooks: Hooks): Transport {
  return {
    send: (request) =>
      new Promise<HttpAnswer>((resolve, reject) => {
        const { method, url, headers, body, signal, grace, timeoutMs = usualTimeoutMs } = request;
        if (signal?.aborted) {
          reject(transportError("aborted", false));
          return;
        }
        const fail = (failure: TransportFailure, sent: boolean) => {
          end();
          reject(transportError(failure, sent));
        };
        const text = typeof body === "string" ? body : "";
        const out = hooks.send(
          { method, url, headers, body: text },
          {
            answer(answer) {
              end();
              resolve(answer);
            },
            fail,
          },
        );
        const giveUp = (failure: TransportFailure) => {
          out.giveUp();
          fail(failure, out.isSent());
        };
        const onSignal = () => {
          if (!grace || !out.isSent()) giveUp("aborted");
        };
        const onGrace = () => giveUp("aborted");
        const endTimer = hooks.timer(timeoutMs, () => giveUp("timeout"), false);
        const end = () => {
          endTimer();
          signal?.removeEventListener("abort", onSignal);
          grace?.removeEventListener("abort", onGrace);
        };
        signal?.addEventListener("abort", onSignal);
        grace?.addEventListener("abort", onGrace);
      }),
    close: () => Promise.resolve(),
  };
}

/** As the real one, but that a look at a process is one at the simulation's. */
function processesOf(hooks: Hooks): ProcessTable {
  const { pid, boot } = hooks;
  const self = { pid, start: String(pid), boot, pid_namespace: "pid:[1]", host: "till" };
  return {
    self: () => self,
    tag: () => Buffer.from(boot.padEnd(4).slice(-4)).toString("hex"),
    exists: (other) => hooks.runs(other),
    look: (other) => (other.boot !== boot ? "out of sight" : hooks.runs(other.pid) ? "running" : "gone"),
    uptimeMs: () => hooks.monotonic(),
    userName: () => "ana",
  };
}

function streamTo(hooks: Hooks, name: "stdout" | "stderr"): StandardStream {
  const write = (text: string | Uint8Array, done?: () => void) => {
    hooks.print(name, String(text));
    done?.();
    return true;
  };
  const nobodyElse = () => undefined;
  const stream = { write, on: nobodyElse, once: nobodyElse, off: nobodyElse, removeListener: nobodyElse };
  return { isTTY: false, columns: undefined, write, stream } as unknown as StandardStream;
}

/** How long after a signal what is out is given up, and how long after that the program ends; as src/cli has it. */
const [graceMs, tellingMs] = [3_000, 500];

function contextOf(hooks: Hooks): { context: Context; terminate: () => void } {
  const [interruption, giveUp] = [new AbortController(), new AbortController()];
  const critical = createCriticalSections();
  const terminate = () => {
    if (interruption.signal.aborted) return;
    const reason = new ComandaError("terminated", "Terminated.");
    interruption.abort(reason);
    hooks.timer(graceMs, () => giveUp.abort(reason), false);
    hooks.timer(
      graceMs + tellingMs,
      () => void critical.idle().then(() => hooks.exit(reason.exitCode)),
      false,
    );
  };
  const context: Context = {
    version: "0.0.0",
    env: { COMANDA_CONFIG_DIR: hooks.home, NO_COLOR: "1" },
    host: {
      pid: hooks.pid,
      platform: "linux",
      getuid: () => hooks.uid,
      kill: () => true,
    },
    system: {
      disk: diskOf(hooks),
      random: {
        bytes: (count) => hooks.bytes(count),
        fraction: () => hooks.fraction(),
      },
    },
    openTransport: () => transportOf(hooks),
    processes: processesOf(hooks),
    get stdin(): never {
      throw new Error("nothing is read from stdin in a simulated world");
    },
    stdout: streamTo(hooks, "stdout"),
    stderr: streamTo(hooks, "stderr"),
    clock: clockOf(hooks),
    signal: interruption.signal,
    grace: giveUp.signal,
    onSignal: () => () => undefined,
    atExit: () => () => undefined,
    critical,
    openBrowser: () => Promise.reject(new Error("there is no browser in a simulated world")),
    self: ["node", "comanda"],
  };
  return { context, terminate };
}

export const guest: Guest = {
  start(hooks, argv) {
    const { context, terminate } = contextOf(hooks);
    void runLine(context, argv).then((code) => hooks.exit(context.signal.aborted ? code || 143 : code));
    return terminate;
  },
  signIn(hooks, baseUrl, expiresAt) {
    const { context } = contextOf(hooks);
    const { clock, host, system, processes: table } = context;
    const state = openStateFolder({
      folder: hooks.home,
      clock,
      process: host,
      system,
      ...(table && { table }),
    });
    const session = {
      version: 1 as const,
      store: "centro",
      environment: {
        name: "local",
        base_url: baseUrl,
        auth_url: `${baseUrl}/authorize`,
        client_id: "comanda",
        redirect_uri: "http://127.0.0.1:8765/callback",
      },
      signed_in_at: clock.now(),
      tokens: { access_token: "access-0", refresh_token: "refresh-0", expires_at: expiresAt, generation: 1 },
    };
    void openSessions(state)
      .update("centro", () => Promise.resolve(session))
      .then(() => hooks.exit(0));
  },
};
