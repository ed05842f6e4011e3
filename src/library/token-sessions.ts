/**
 * A program's {@link TokenStore} becomes the sessions that src/auth works with, so that the library refreshes by the same code
 * as the command line. The store's lock may promise little, so these rules hold here:
 *
 * - A refresh is noted before it goes out, by a write that counts only where nothing was written since the read: of any
 *   number of servers one alone refreshes, and the others wait for its note to go.
 * - A note that stays was left by a server that died. Nobody asks before its request must have ended. Each server measures
 *   that by its own steady clock, from when it first saw the note, so that clocks that differ do no harm.
 * - A write whose answer was lost is told from one that failed by its own id.
 */
import * as z from "zod/mini";

import { base64url, type RandomBytes } from "../auth/authorize.js";
import { steadyNow, type Clock } from "../client/clock.js";
import { ComandaError } from "../client/errors.js";
import type { Environment, Session, SessionStore } from "../state/sessions/session.js";
import type { LoadedTokens, StoredTokens, TokenStore } from "./token-store.js";

export interface TokenSessionsOptions {
  readonly store: TokenStore;
  /** New tokens belong to this environment; stored ones name their own. */
  readonly environment: Environment;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** One request for tokens may take this many milliseconds. */
  readonly requestTimeoutMs: number;
}

export interface TokenSessions extends Pick<SessionStore, "read" | "reserve" | "update" | "remove"> {
  /** Resolves when no change is under way any more. */
  idle(): Promise<void>;
}

/** Others may ask this long after the end of a request. */
const marginMs = 3000;
/** Saving is tried for this long, since the answer to a refresh exists nowhere else. */
const storeWithinMs = 30_000;
const pauseMs = 100;
const maxTurns = 20;

export function openTokenSessions(options: TokenSessionsOptions): TokenSessions {
  const { store, environment, clock, random, requestTimeoutMs } = options;
  const refreshMs = requestTimeoutMs + marginMs;
  /** A note of a refresh was first seen here at this time, by its key. */
  const notes = new Map<string, { readonly generation: number; readonly since: number }>();
  const running = new Set<Promise<unknown>>();

  async function load(key: string): Promise<LoadedTokens | undefined> {
    const loaded = await store.load(key).catch((error: unknown) => {
      throw storeFailed("load", error);
    });
    if (loaded === undefined) return undefined;
    const checked = z.safeParse(loadedSchema, loaded);
    if (checked.success) return checked.data;
    throw new ComandaError("state_unusable", `What the token store holds for ${key} is not what was saved.`);
  }

  /** Waits until no refresh is out, and gives the tokens. */
  async function loadSettled(key: string): Promise<LoadedTokens | undefined> {
    for (;;) {
      const loaded = await load(key);
      if (loaded?.tokens.refresh_in_flight === undefined) {
        notes.delete(key);
        return loaded;
      }
      const note = notes.get(key);
      if (note?.generation !== loaded.generation)
        notes.set(key, { generation: loaded.generation, since: steadyNow(clock) });
      else if (steadyNow(clock) - note.since >= refreshMs) return loaded;
      await clock.sleep(pauseMs);
    }
  }

  /**
   * Saves the tokens, and tries again where that fails.
   *
   * @throws {Overtaken} where another process has written since
   */
  async function save(
    key: string,
    tokens: StoredTokens,
    generation: number,
    withinMs: number,
  ): Promise<void> {
    const start = steadyNow(clock);
    for (let attempt = 1; ; attempt += 1) {
      try {
        if (await store.save(key, tokens, generation)) return;
        const isLostAnswer = attempt > 1 && (await load(key))?.tokens.write_id === tokens.write_id;
        if (isLostAnswer) return;
      } catch (error) {
        if (steadyNow(clock) - start >= withinMs) throw storeFailed("save", error);
        await clock.sleep(pauseMs);
        continue;
      }
      throw new Overtaken(key);
    }
  }

  /** Works under the store's lock, and again where another process wrote first. */
  async function locked<Result>(
    key: string,
    work: (loaded: LoadedTokens | undefined) => Promise<Result>,
  ): Promise<Result> {
    let outcome: (() => Result) | undefined;
    const turns = async () => {
      for (let turn = 1; ; turn += 1) {
        try {
          const result = await work(await loadSettled(key));
          return () => result;
        } catch (error) {
          if (error instanceof Overtaken && turn < maxTurns) continue;
          return () => {
            throw error;
          };
        }
      }
    };
    const run = store.lock(key, async () => {
      outcome = await turns();
    });
    running.add(run);
    try {
      await run;
    } catch (error) {
      // The outcome is stored once the work is done, so a failure of the lock does no harm then.
      if (outcome === undefined) throw storeFailed("lock", error);
    } finally {
      running.delete(run);
    }
    if (outcome === undefined) throw storeFailed("lock", undefined);
    return outcome();
  }

  function storedTokens(session: Session): StoredTokens {
    const { tokens, environment: ownEnvironment, signed_in_at, refresh_in_flight, refused_at } = session;
    const { generation: renewals, ...rest } = tokens ?? {};
    return {
      ...rest,
      base_url: ownEnvironment.base_url,
      client_id: ownEnvironment.client_id,
      ...(renewals !== undefined && { renewals }),
      ...(signed_in_at !== undefined && tokens !== undefined && { signed_in_at }),
      ...(refresh_in_flight !== undefined && { refresh_in_flight }),
      ...(refused_at !== undefined && { refused_at }),
      write_id: base64url(random(12)),
    };
  }

  function sessionOf(key: string, { tokens }: LoadedTokens): Session {
    const { access_token, refresh_token, expires_at = 0, issued_at, scopes, renewals = 0 } = tokens;
    const { signed_in_at, refresh_in_flight, refused_at, base_url, client_id } = tokens;
    return {
      version: 1,
      store: key,
      environment: { ...environment, base_url, client_id },
      ...(access_token !== undefined && {
        tokens: {
          access_token,
          expires_at,
          generation: renewals,
          ...(refresh_token !== undefined && { refresh_token }),
          ...(issued_at !== undefined && { issued_at }),
          ...(scopes !== undefined && { scopes: [...scopes] }),
        },
      }),
      ...(signed_in_at !== undefined && { signed_in_at }),
      ...(refresh_in_flight !== undefined && { refresh_in_flight }),
      ...(refused_at !== undefined && { refused_at }),
    };
  }

  return {
    async read(key) {
      const loaded = await load(key);
      return loaded && sessionOf(key, loaded);
    },

    reserve: () => Promise.resolve({ release: () => undefined }),

    update: (key, change) =>
      locked(key, async (loaded) => {
        let generation = loaded?.generation ?? 0;
        let current = loaded && sessionOf(key, loaded);
        let deadline = Infinity;
        const leftMs = () => deadline - steadyNow(clock) - marginMs;
        const write = async (next: Session) => {
          const note = next.refresh_in_flight;
          const before = current?.refresh_in_flight;
          const isOut =
            note !== undefined && (note.started_at !== before?.started_at || note.pid !== before.pid);
          // The deadline counts from before the note can be seen: whoever sees it waits for longer than this.
          if (isOut) deadline = steadyNow(clock) + refreshMs;
          await save(key, storedTokens(next), generation, isOut ? pauseMs * 10 : storeWithinMs);
          generation += 1;
          current = next;
        };
        const assertHeld = () => {
          if (leftMs() <= 0) throw new Overtaken(key);
        };
        const next = await change(current, write, { assertHeld, leftMs });
        if (next) await write(next);
        return current;
      }),

    remove: (key, before) =>
      locked(key, async (loaded) => {
        const remaining = await before?.(loaded && sessionOf(key, loaded));
        if (loaded === undefined || remaining === undefined) return false;
        await save(key, storedTokens(remaining), loaded.generation, storeWithinMs);
        return true;
      }),

    async idle() {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}

/** Another process has written, so what was read is out of date. */
class Overtaken extends ComandaError {
  constructor(key: string) {
    super("lock_timeout", `The tokens of ${key} were changed by another process meanwhile.`);
  }
}

function storeFailed(what: keyof TokenStore, error: unknown): ComandaError {
  if (error instanceof ComandaError) return error;
  return new ComandaError("state_unusable", `The token store failed (${what}).`, { cause: error });
}

const moment = z.optional(z.number());
const loadedSchema = z.object({
  generation: z.int().check(z.minimum(1)),
  tokens: z.object({
    access_token: z.optional(z.string()),
    refresh_token: z.optional(z.string()),
    expires_at: moment,
    issued_at: moment,
    scopes: z.optional(z.array(z.string())),
    signed_in_at: moment,
    base_url: z.string(),
    client_id: z.string(),
    renewals: z.optional(z.int()),
    refresh_in_flight: z.optional(z.object({ started_at: z.number(), pid: z.int() })),
    refused_at: moment,
    write_id: z.string(),
  }),
});
