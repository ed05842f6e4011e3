/** The functions that a program gives its client, so that an error of one of them names it. */
import { ComandaError } from "../base/errors.js";
import { CallbackError, type ClientOptions } from "../client/options.js";

/** The functions of each object that a program may give. */
const functionsOf = {
  credentials: ["bearer", "apiKey", "partnerKey", "renew"],
  observer: ["begins", "sends", "attempted", "ended"],
  rateLimiter: ["acquire", "blocked"],
} as const satisfies Partial<Record<keyof ClientOptions, readonly string[]>>;

/** Returns the same options, with functions that reject with a {@link CallbackError} by the name of their option. */
export function withNamedCallbacks(options: ClientOptions): ClientOptions {
  const replaced: Record<string, unknown> = named(options, "", ["onWait", "onFallback"]);
  for (const [name, functions] of Object.entries(functionsOf)) {
    const owner: unknown = options[name as keyof typeof functionsOf];
    if (owner) replaced[name] = Object.assign(Object.create(owner), named(owner, `${name}.`, functions));
  }
  return { ...options, ...replaced };
}

function named(owner: object, prefix: string, names: readonly string[]) {
  const functions: Record<string, (...values: unknown[]) => Promise<unknown>> = {};
  for (const name of names) {
    const run: unknown = Reflect.get(owner, name);
    if (typeof run !== "function") continue;
    functions[name] = async (...values) => {
      try {
        return (await run.apply(owner, values)) as unknown;
      } catch (error) {
        throw error instanceof ComandaError ? error : new CallbackError(prefix + name, error);
      }
    };
  }
  return functions;
}
