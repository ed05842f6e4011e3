/** The devices that the program is given inside of a simulated process: each call goes to the simulation. */
import { transportError } from "../../src/client/http/transport-failure.js";
import type { HttpAnswer, Transport, TransportFailure } from "../../src/client/http/transport.js";
import type { InputStream, StandardStream } from "../../src/toolkit/context.js";
import type { Clock } from "../../src/shared/clock.js";
import type { Hooks } from "./guest.js";

const known = new Map<string, Error>();

/** An error of the simulation's own realm is no `Error` here. The same one each time: there are hundreds in a world. */
export function diskError(code: string): Error {
  const error = known.get(code) ?? Object.assign(new Error(`${code}: simulated`), { code });
  known.set(code, error);
  return error;
}

export function clockOf(hooks: Hooks): Clock {
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
export function transportOf(hooks: Hooks): Transport {
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
        // As the real one: what has arrived by then is read first.
        const onTime = () => void (endTimer = hooks.soon(() => giveUp("timeout")));
        let endTimer = hooks.timer(timeoutMs, onTime, false);
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

export function streamTo(hooks: Hooks, name: "stdout" | "stderr"): StandardStream {
  const write = (text: string | Uint8Array, done?: () => void) => {
    hooks.print(name, String(text));
    done?.();
    return true;
  };
  const nobodyElse = () => undefined;
  const stream = { write, on: nobodyElse, once: nobodyElse, off: nobodyElse, removeListener: nobodyElse };
  return { isTTY: false, columns: undefined, write, stream } as unknown as StandardStream;
}

/** A pipe, out of which a list comes in two pieces. As much of a stream as is read of it. */
export function stdinOf(hooks: Hooks): InputStream {
  const { stdin } = hooks;
  let destroy: (error: Error) => void = () => undefined;
  const destroyed = new Promise<never>((_, reject) => (destroy = reject));
  destroyed.catch(() => undefined);
  async function* pieces() {
    const half = Math.floor(stdin.length / 2);
    for (const piece of [stdin.slice(0, half), stdin.slice(half)]) {
      await Promise.race([destroyed, new Promise<void>((resolve) => hooks.timer(pipeMs, resolve, false))]);
      yield piece;
    }
  }
  const nobodyElse = () => undefined;
  const listeners = { on: nobodyElse, once: nobodyElse, off: nobodyElse, removeListener: nobodyElse };
  const stream = { pipe: nobodyElse, ...listeners, destroy, [Symbol.asyncIterator]: pieces };
  return stream as unknown as InputStream;
}

const pipeMs = 1;
