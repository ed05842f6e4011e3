/**
 * The sessions of `comanda/oauth`, which the program's {@link TokenStore} stores and the code of the command line refreshes.
 *
 * - A refresh is noted before it is sent. The note is saved only if nothing was saved since the read, so that only one server
 *   refreshes. The others wait until the note is removed.
 * - A note stays if its server crashed. The others refresh once its request must have ended, each by its own steady clock.
 * - A write has its own id. If its response was lost, the id shows whether it succeeded.
 */
import { registrationOf } from "../auth/authorize.js";
import { isObject } from "../base/basics.js";
import { steadyNow, type Clock } from "../base/clock.js";
import { ComandaError, isComandaError } from "../base/errors.js";
import type { Environment, Session, SessionChange } from "../state/sessions.js";
import { withErrors } from "./callbacks.js";

/**
 * The tokens of one store, as a plain object for JSON. Store it unchanged and secret: anyone who can read it can act for the store.
 * All times are milliseconds since the epoch.
 */
export interface StoredTokens {
  /** `undefined` once the store's tokens are revoked. */
  readonly access_token?: string | undefined;
  /** Can be used once: each refresh returns another one (section 5.2), and the service treats a second use as theft. */
  readonly refresh_token?: string | undefined;
  /** Expiry of the access token. */
  readonly expires_at?: number | undefined;
  readonly issued_at?: number | undefined;
  /** Scopes that the service granted (section 5.3). */
  readonly scopes?: readonly string[] | undefined;
  /** Time of the owner's authorization. */
  readonly signed_in_at?: number | undefined;
  /** Address that the tokens belong to. They are never sent to another one. */
  readonly base_url: string;
  readonly client_id: string;
  /** Number of refreshes since the owner's authorization. */
  readonly renewals?: number | undefined;
  /** Note of a running refresh. It stays after a crash, and the next refresh waits until that one must have ended. */
  readonly refresh_in_flight?: { readonly started_at: number; readonly pid: number } | undefined;
  /** Time at which the service refused the refresh token. The store must be authorized again. */
  readonly refused_at?: number | undefined;
  /** Id of the write. */
  readonly write_id: string;
}

export interface LoadedTokens {
  readonly tokens: StoredTokens;
  /** Number of writes of this key, which never decreases. */
  readonly generation: number;
}

/**
 * Stores tokens, for example in a table, or in a key-value store with compare-and-set. Errors of these methods become the `cause` of
 * `state_unusable`.
 */
export interface TokenStore {
  /** Returns what was saved last by any server, and never an older copy. */
  load(key: string): Promise<LoadedTokens | undefined>;
  /**
   * Writes `tokens` with the generation `expectedGeneration + 1` if the stored generation is `expectedGeneration` (0 if there is none).
   * Compare and write in one step, such as `update … where key = $1 and generation = $2`, and durably: the service no longer accepts
   * the old refresh token.
   *
   * @returns false if another generation is stored, and nothing was written
   */
  save(key: string, tokens: StoredTokens, expectedGeneration: number): Promise<boolean>;
  /**
   * Calls `work` once, while no other work with this key runs, at least in this process. It only reduces conflicts: a lock that ends
   * early, such as a lease, is safe.
   *
   * @returns the result of `work`, once it has ended
   */
  lock<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
}

/** Stores tokens in the memory of this process, for tests and for programs that authorize again at each start. */
export function createMemoryTokenStore(): TokenStore {
  const stored = new Map<string, LoadedTokens>();
  /** The last work with each key. */
  const turns = new Map<string, Promise<unknown>>();
  return {
    load: (key) => Promise.resolve(structuredClone(stored.get(key))),
    save(key, tokens, expectedGeneration) {
      if ((stored.get(key)?.generation ?? 0) !== expectedGeneration) return Promise.resolve(false);
      stored.set(key, structuredClone({ tokens, generation: expectedGeneration + 1 }));
      return Promise.resolve(true);
    },
    lock(key, work) {
      const turn = (turns.get(key) ?? Promise.resolve()).then(work, work);
      turns.set(key, turn);
      return turn;
    },
  };
}

/** Time after the latest end of a request, before another server sends one. */
const marginMs = 3000;
/** Saving tokens is retried for this long, because only the response to a refresh contains them; a note, for a second. */
const saveWithinMs = 30_000;
const noteWithinMs = 1000;
const pauseMs = 100;

/** @param environment of new tokens; stored ones contain theirs */
export function openTokenSessions(
  store: TokenStore,
  environment: Environment,
  { clock, timeoutMs }: { clock: Clock; timeoutMs: number },
) {
  const refreshMs = timeoutMs + marginMs;
  const running = new Set<Promise<unknown>>();

  async function load(key: string): Promise<LoadedTokens | undefined> {
    const loaded: unknown = (await store.load(key)) ?? undefined;
    const { tokens, generation } = isObject(loaded) ? loaded : {};
    if (loaded === undefined || (isObject(tokens) && Number.isSafeInteger(generation)))
      return loaded as LoadedTokens | undefined;
    const message = "store.load returned a value that isn't LoadedTokens.";
    throw new ComandaError("state_unusable", message, {
      hint: "It must return { tokens, generation }, where generation is a number, or undefined.",
    });
  }

  /** Returns the tokens once no refresh is running. */
  async function loadSettled(key: string): Promise<LoadedTokens | undefined> {
    let note: { readonly generation: number; readonly since: number } | undefined;
    for (;;) {
      const loaded = await load(key);
      if (loaded?.tokens.refresh_in_flight === undefined) return loaded;
      const { generation } = loaded;
      if (note?.generation !== generation) note = { generation, since: steadyNow(clock) };
      else if (steadyNow(clock) - note.since >= refreshMs) return loaded;
      await clock.sleep(pauseMs);
    }
  }

  /** @throws {ComandaError} `lock_timeout` if another process has written since */
  async function save(
    key: string,
    unmarked: Omit<StoredTokens, "write_id">,
    generation: number,
    withinMs: number,
  ) {
    const tokens = { ...unmarked, write_id: crypto.randomUUID() };
    const deadline = steadyNow(clock) + withinMs;
    for (;;) {
      try {
        if (await store.save(key, tokens, generation)) return;
        if ((await load(key))?.tokens.write_id === tokens.write_id) return;
        break;
      } catch (error) {
        if (steadyNow(clock) >= deadline) throw error;
        await clock.sleep(pauseMs);
      }
    }
    throw overtaken(key);
  }

  async function changed(key: string, change: SessionChange) {
    const loaded = await loadSettled(key);
    let generation = loaded?.generation ?? 0;
    let current = loaded && sessionOf(key, loaded.tokens, environment);
    let deadline = Infinity;
    const leftMs = () => deadline - steadyNow(clock) - marginMs;
    const assertHeld = () => {
      if (leftMs() <= 0) throw overtaken(key);
    };
    const write = async (next: Session) => {
      const note = next.refresh_in_flight;
      const isOut = note !== undefined && note !== current?.refresh_in_flight;
      // The deadline is set before others can see the note, so that they wait for longer.
      if (isOut) deadline = steadyNow(clock) + refreshMs;
      // A session's number of refreshes continues after another authorization.
      const isAuthorized = next.tokens && next.signed_in_at !== current?.signed_in_at;
      const tokens = { ...storedTokens(next), ...(isAuthorized && { renewals: 0 }) };
      await save(key, tokens, generation, isOut ? noteWithinMs : saveWithinMs);
      generation += 1;
      current = next;
    };
    const next = await change(current, { write, assertHeld, leftMs });
    if (next) await write(next);
    return current;
  }

  /** Starts again with the stored tokens if another process wrote first. */
  function update(key: string, change: SessionChange) {
    const work = async () => {
      for (let turn = 1; ; turn += 1) {
        try {
          return await changed(key, change);
        } catch (error) {
          if (!isComandaError(error, "lock_timeout") || turn === 20) throw error;
        }
      }
    };
    const locked = async () => {
      let turn: ReturnType<typeof work> | undefined;
      // The result is that of `work`, whatever the program's lock returns.
      await store.lock(key, () => (turn ??= work()));
      if (!turn) throw new ComandaError("callback_failed", "store.lock didn't call its work.");
      return turn;
    };
    const run = locked().finally(() => running.delete(run));
    running.add(run);
    return run;
  }

  const sessions = {
    async read(key: string) {
      const loaded = await load(key);
      return loaded && sessionOf(key, loaded.tokens, environment);
    },
    update,
    /** Resolves once no change is running. */
    async idle() {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
  // Wraps the errors of the program's store, which aren't ours.
  return withErrors(sessions, (error) => {
    if (error instanceof ComandaError) return error;
    const hint = "The error's cause is what the store threw.";
    return new ComandaError("state_unusable", "The token store failed.", { hint, cause: error });
  });
}

function storedTokens(session: Session): Omit<StoredTokens, "write_id"> {
  const { signed_in_at, refresh_in_flight, refused_at, environment } = session;
  const { generation: renewals, ...tokens } = session.tokens ?? {};
  const { base_url } = environment;
  const { client_id } = registrationOf(environment);
  return { ...tokens, renewals, base_url, client_id, signed_in_at, refresh_in_flight, refused_at };
}

function sessionOf(store: string, stored: StoredTokens, environment: Environment): Session {
  const { base_url, client_id, signed_in_at, refresh_in_flight, refused_at } = stored;
  const { access_token, refresh_token, expires_at = 0, issued_at, renewals: generation = 0 } = stored;
  const scopes = stored.scopes && [...stored.scopes];
  const rest = { refresh_token, expires_at, issued_at, scopes, generation };
  return {
    version: 1,
    store,
    environment: { ...environment, base_url, client_id },
    tokens: access_token === undefined ? undefined : { access_token, ...rest },
    signed_in_at,
    refresh_in_flight,
    refused_at,
  };
}

/** Makes the error for a process that another one has overtaken, so that what it read is outdated. */
function overtaken(key: string): ComandaError {
  return new ComandaError("lock_timeout", `Another process has changed the tokens of ${key}.`);
}
