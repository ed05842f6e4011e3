/**
 * Other runtimes of JavaScript may lack what Node has. The client runs in browsers and in workers too, so it asks for
 * such a thing here, and imports no module of Node's.
 */
interface Host {
  readonly hrtime?: { readonly bigint?: () => bigint };
  readonly getBuiltinModule?: (
    name: "events",
  ) => { setMaxListeners(count: number, signal: AbortSignal): void } | undefined;
}

const host: Host = typeof process === "undefined" ? {} : process;
const bootTime = host.hrtime?.bigint;

/**
 * Gives milliseconds on a clock that nobody sets; it is `undefined` where the runtime has none that all its processes
 * share.
 */
export const monotonicMs = bootTime && (() => Number(bootTime()) / 1e6);

/** Its bytes are fit for secrets in every runtime (W3C, Web Cryptography API). */
export const webRandom = {
  bytes: (count: number): Uint8Array => globalThis.crypto.getRandomValues(new Uint8Array(count)),
  fraction: Math.random,
};

export async function sha256(text: string): Promise<Uint8Array> {
  return new Uint8Array(await globalThis.crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}

/** Readies a signal that many calls wait for: Node takes more than ten listeners for a leak, and warns of them. */
export function allowManyListeners(signal: AbortSignal): void {
  // Another realm's or a polyfill's is none of Node's.
  if (signal instanceof AbortSignal) host.getBuiltinModule?.("events")?.setMaxListeners(0, signal);
}
