/** The functions that a program gives its client, so that an error of one of them names it. */
import { ComandaError } from "../base/errors.js";
import { CallbackError, type ClientOptions } from "../client/options.js";

/** Returns the same options, with functions that reject with a {@link CallbackError} by the name of their option. */
export function withNamedCallbacks(options: ClientOptions): ClientOptions {
  const { credentials, observer, journal, rateLimiter } = options;
  return {
    ...options,
    ...named(options, "", ["onWait", "onFallback"]),
    credentials: replaced(credentials, named(credentials, "credentials.", credentialNames)),
    ...(observer && { observer: replaced(observer, named(observer, "observer.", observerNames)) }),
    ...(journal && { journal: replaced(journal, named(journal, "journal.", ["willSend", "ended"])) }),
    ...(rateLimiter && {
      rateLimiter: replaced(rateLimiter, named(rateLimiter, "rateLimiter.", ["acquire", "blocked"])),
    }),
  };
}

const credentialNames = ["bearer", "apiKey", "partnerKey", "renew"] as const;
const observerNames = ["begins", "sends", "attempted", "ended"] as const;

/** Returns an object that has these functions, and everything else from the program's own. */
function replaced<Owner extends object>(owner: Owner, functions: object): Owner {
  return Object.assign(Object.create(owner) as Owner, functions);
}

function named<Owner extends object>(owner: Owner, prefix: string, names: readonly (keyof Owner & string)[]) {
  const functions: Record<string, (...values: unknown[]) => Promise<unknown>> = {};
  for (const name of names) {
    const run: unknown = owner[name];
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
