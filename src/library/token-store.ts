/**
 * A program keeps its stores' tokens as {@link TokenStore} says; here they are sessions that the command line's own code renews.
 *
 * - A refresh is noted before it goes out, by a write that counts only where nothing was written since the read: of any
 *   number of servers one alone refreshes, and the others wait for its note to go.
 * - A note that stays was left by a server that died. Nobody asks before its request must have ended, by each server's own
 *   steady clock from when it first saw the note: clocks that differ do no harm.
 * - A write whose answer was lost is told from one that failed by its own id.
 */
import { steadyNow, type Clock } from "../base/clock.js";
import { ComandaError } from "../base/errors.js";
import type { Environment, Session, SessionStore, SessionWrite } from "../state/sessions.js";

/**
 * One store's tokens are a plain object that goes into JSON. Keep it as it is, and as the secret that it is: whoever
 * can read it can act for the store. All times are in milliseconds since the epoch.
 */
export interface StoredTokens {
  /** The access token is absent once the store was revoked. */
  readonly access_token?: string | undefined;
  /** It works once: the service gives another with each refresh (section 5.2), and takes a second use for a theft. */
  readonly refresh_token?: string | undefined;
  /** The access token expires at this time. */
  readonly expires_at?: number | undefined;
  readonly issued_at?: number | undefined;
  /** The service granted these scopes (section 5.3). */
  readonly scopes?: readonly string[] | undefined;
  /** The Owner authorised the app at this time. */
  readonly signed_in_at?: number | undefined;
  /** The tokens belong to this address, and are never sent to another. */
  readonly base_url: string;
  readonly client_id: string;
  /** Counts the refreshes. */
  readonly renewals?: number | undefined;
  /** A refresh is out while this is there. After a crash it stays, and the next refresh waits until that one must be over. */
  readonly refresh_in_flight?: { readonly started_at: number; readonly pid: number } | undefined;
  /** The service refused the refresh token at this time: only a new authorization helps. */
  readonly refused_at?: number | undefined;
  /** The id tells each write from every other. */
  readonly write_id: string;
}

export interface LoadedTokens {
  readonly tokens: StoredTokens;
  /** Counts the writes of this key, from 1 on; it never goes back. */
  readonly generation: number;
}

/**
 * Tokens can be kept in a table, a collection, or a key-value store that can compare and set. What these methods throw
 * comes back as `state_unusable`, as its `cause`.
 */
export interface TokenStore {
  /** Gives what was saved last, however many servers save; it must never be a copy that may be older. */
  load(key: string): Promise<LoadedTokens | undefined>;
  /**
   * Writes `tokens` with the generation `expectedGeneration + 1`, if the stored generation is `expectedGeneration`: 0
   * where there is nothing. Compare and write in one step, as in `update … where key = $1 and generation = $2`, and
   * durably: the service has spent the old refresh token by then.
   *
   * @returns false where another generation is stored; nothing was written then
   */
  save(key: string, tokens: StoredTokens, expectedGeneration: number): Promise<boolean>;
  /**
   * Calls `work` once, when no other work with this key is under way, as far as that can be known: in this process at
   * least. It spares processes the race alone: a lock that may end early, such as one with a lease, does no harm.
   *
   * @returns the result of `work`, when it has ended
   */
  lock<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
}

/** Keeps tokens in this process alone: for tests, and for a program that asks its Owners anew at each start. */
export function createMemoryTokenStore(): TokenStore {
  const kept = new Map<string, LoadedTokens>();
  /** The end of the last work with each key. */
  const turns = new Map<string, Promise<unknown>>();
  return {
    load: (key) => Promise.resolve(structuredClone(kept.get(key))),
    save(key, tokens, expectedGeneration) {
      if ((kept.get(key)?.generation ?? 0) !== expectedGeneration) return Promise.resolve(false);
      kept.set(key, structuredClone({ tokens, generation: expectedGeneration + 1 }));
      return Promise.resolve(true);
    },
    async lock(key, work) {
      const result = (turns.get(key) ?? Promise.resolve()).then(work);
      const turn = result.catch(() => undefined);
      turns.set(key, turn);
      try {
        return await result;
      } finally {
        if (turns.get(key) === turn) turns.delete(key);
      }
    },
  };
}

/** Others may ask this long after the end of a request. */
const marginMs = 3000;
/** Saving is tried for this long, since the answer to a refresh exists nowhere else; a note of one for the second. */
const saveWithinMs = 30_000;
const noteWithinMs = 1000;
const pauseMs = 100;

/**
 * @param environment new tokens belong to it; stored ones name their own
 * @param timeoutMs one request for tokens may take so long
 */
export function openTokenSessions(
  store: TokenStore,
  environment: Environment,
  { clock, timeoutMs }: { clock: Clock; timeoutMs: number },
) {
  const refreshMs = timeoutMs + marginMs;
  const running = new Set<Promise<unknown>>();

  /** Waits until no refresh is out, and gives the tokens. */
  async function loadSettled(key: string): Promise<LoadedTokens | undefined> {
    let note: { readonly generation: number; readonly since: number } | undefined;
    for (;;) {
      const loaded = await store.load(key);
      if (loaded?.tokens.refresh_in_flight === undefined) return loaded;
      const { generation } = loaded;
      if (note?.generation !== generation) note = { generation, since: steadyNow(clock) };
      else if (steadyNow(clock) - note.since >= refreshMs) return loaded;
      await clock.sleep(pauseMs);
    }
  }

  /** @throws {Overtaken} where another process has written since */
  async function save(key: string, session: Session, generation: number, withinMs: number) {
    const tokens = { ...storedTokens(session), write_id: crypto.randomUUID() };
    const start = steadyNow(clock);
    for (;;) {
      try {
        if (await store.save(key, tokens, generation)) return;
        if ((await store.load(key))?.tokens.write_id === tokens.write_id) return;
      } catch (error) {
        if (steadyNow(clock) - start >= withinMs) throw error;
        await clock.sleep(pauseMs);
        continue;
      }
      throw new Overtaken(key);
    }
  }

  async function changed(key: string, change: Parameters<SessionStore["update"]>[1]) {
    const loaded = await loadSettled(key);
    let generation = loaded?.generation ?? 0;
    let current = loaded && sessionOf(key, loaded.tokens, environment);
    let deadline = Infinity;
    const leftMs = () => deadline - steadyNow(clock) - marginMs;
    const assertHeld = () => {
      if (leftMs() <= 0) throw new Overtaken(key);
    };
    const write: SessionWrite = async (next) => {
      const note = next.refresh_in_flight;
      const isOut = note !== undefined && note !== current?.refresh_in_flight;
      // The deadline counts from before the note can be seen: whoever sees it waits for longer than this.
      if (isOut) deadline = steadyNow(clock) + refreshMs;
      await save(key, next, generation, isOut ? noteWithinMs : saveWithinMs);
      generation += 1;
      current = next;
    };
    const next = await change(current, write, { assertHeld, leftMs });
    if (next) await write(next);
    return current;
  }

  /** Begins again with what is stored by then where another process wrote first. */
  async function update(key: string, change: Parameters<SessionStore["update"]>[1]) {
    const work = async () => {
      for (let turn = 1; ; turn += 1) {
        try {
          return await changed(key, change);
        } catch (error) {
          if (!(error instanceof Overtaken) || turn === 20) throw error;
        }
      }
    };
    const run = withTokenStoreErrors(() => store.lock(key, work));
    running.add(run);
    try {
      return await run;
    } finally {
      running.delete(run);
    }
  }

  return {
    read: (key: string) =>
      withTokenStoreErrors(async () => {
        const loaded = await store.load(key);
        return loaded && sessionOf(key, loaded.tokens, environment);
      }),
    update,
    /** Resolves when no change is under way any more. */
    async idle() {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}

function storedTokens(session: Session): Omit<StoredTokens, "write_id"> {
  const { signed_in_at, refresh_in_flight, refused_at, environment } = session;
  const { generation: renewals, ...tokens } = session.tokens ?? {};
  const { base_url, client_id } = environment;
  return { ...tokens, renewals, base_url, client_id, signed_in_at, refresh_in_flight, refused_at };
}

function sessionOf(store: string, stored: StoredTokens, environment: Environment): Session {
  const { base_url, client_id, signed_in_at, refresh_in_flight, refused_at } = stored;
  const { access_token, refresh_token, expires_at = 0, issued_at, renewals: generation = 0 } = stored;
  const scopes = stored.scopes && [...stored.scopes];
  return {
    version: 1,
    store,
    environment: { ...environment, base_url, client_id },
    tokens:
      access_token === undefined
        ? undefined
        : { access_token, refresh_token, expires_at, issued_at, scopes, generation },
    signed_in_at,
    refresh_in_flight,
    refused_at,
  };
}

/** Another process has written, so what was read is out of date. */
class Overtaken extends ComandaError {
  constructor(key: string) {
    super("lock_timeout", `The tokens of ${key} were changed by another process meanwhile.`);
  }
}

/** What is no error of ours, the program's store has thrown. */
async function withTokenStoreErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ComandaError) throw error;
    const hint = "Its cause is what the store of tokens threw.";
    throw new ComandaError("state_unusable", "The token store failed.", { hint, cause: error });
  }
}
