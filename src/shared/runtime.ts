/**
 * What Node has and other runtimes of JavaScript may lack. The client runs in browsers and in workers too: it asks for such
 * a thing here, and imports no module of Node's.
 */
interface Host {
  readonly hrtime?: { readonly bigint?: () => bigint };
  readonly getBuiltinModule?: (
    name: "events",
  ) => { setMaxListeners(count: number, signal: AbortSignal): void } | undefined;
}

const host: Host = typeof process === "undefined" ? {} : process;
const bootTime = host.hrtime?.bigint;

/** Milliseconds on a clock that nobody sets; `undefined` where the runtime has none that all its processes share. */
export const monotonicMs = bootTime && (() => Number(bootTime()) / 1e6);

/** For a signal that many calls wait for: Node takes more than ten listeners for a leak, and warns of them. */
export function allowManyListeners(signal: AbortSignal): void {
  host.getBuiltinModule?.("events")?.setMaxListeners(0, signal);
}
