/**
 * A program's {@link TokenStore} as the sessions that are renewed by the command line's own code. Its lock may promise little:
 *
 * - A refresh is noted before it goes out, by a write that counts only where nothing was written since the read: of any
 *   number of servers one alone refreshes, and the others wait for its note to go.
 * - A note that stays was left by a server that died. Nobody asks before its request must have ended, by each server's own
 *   steady clock from when it first saw the note: clocks that differ do no harm.
 * - A write whose answer was lost is told from one that failed by its own id.
 */
import * as z from "zod/mini";

import { base64url, type RandomBytes } from "../auth/authorize.js";
import { steadyNow, type Clock } from "../client/clock.js";
import { ComandaError } from "../client/errors.js";
import type { Environment, Session, SessionStore } from "../state/sessions.js";
import type { StoredTokens, TokenStore } from "./token-store.js";

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

export function openTokenSessions(options: TokenSessionsOptions): TokenSessions {
  const { store, environment, clock, random } = options;
  const refreshMs = options.requestTimeoutMs + marginMs;
  const running = new Set<Promise<unknown>>();

  async function load(key: string): Promise<Loaded | undefined> {
    const loaded = await store.load(key).catch((error: unknown) => {
      throw storeFailed("load", error);
    });
    const checked = z.safeParse(z.optional(loadedSchema), loaded);
    if (checked.success) return checked.data;
    throw new ComandaError("state_unusable", `What the token store holds for ${key} is not what was saved.`);
  }

  /** Waits until no refresh is out, and gives the tokens. */
  async function loadSettled(key: string): Promise<Loaded | undefined> {
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

  /** @throws {Overtaken} where another process has written since */
  async function save(key: string, tokens: StoredTokens, generation: number, withinMs: number) {
    const start = steadyNow(clock);
    for (let isRepeated = false; ; isRepeated = true) {
      try {
        if (await store.save(key, tokens, generation)) return;
        if (isRepeated && (await load(key))?.tokens.write_id === tokens.write_id) return;
      } catch (error) {
        if (steadyNow(clock) - start >= withinMs) throw storeFailed("save", error);
        await clock.sleep(pauseMs);
        continue;
      }
      throw new Overtaken(key);
    }
  }

  /** Works under the store's lock, and again where another process wrote first. */
  async function locked<Result>(key: string, work: (loaded: Loaded | undefined) => Promise<Result>) {
    let outcome: Promise<Result> | undefined;
    async function turns(): Promise<Result> {
      for (let turn = 1; ; turn += 1) {
        try {
          return await work(await loadSettled(key));
        } catch (error) {
          if (!(error instanceof Overtaken) || turn === 20) throw error;
        }
      }
    }
    const run = store.lock(key, async () => {
      outcome = turns();
      await outcome.catch(() => undefined);
    });
    running.add(run);
    const failure = await run.then(
      () => undefined,
      (error: unknown) => error,
    );
    running.delete(run);
    // What was done is stored, so a failure of the lock does no harm then.
    if (outcome === undefined) throw storeFailed("lock", failure);
    return await outcome;
  }

  function storedTokens({ tokens, environment: own, ...session }: Session): StoredTokens {
    const { signed_in_at, refresh_in_flight, refused_at } = session;
    const { generation, ...kept } = tokens ?? {};
    return {
      ...kept,
      base_url: own.base_url,
      client_id: own.client_id,
      ...(generation !== undefined && { renewals: generation }),
      ...(signed_in_at !== undefined && tokens !== undefined && { signed_in_at }),
      ...(refresh_in_flight && { refresh_in_flight }),
      ...(refused_at !== undefined && { refused_at }),
      write_id: base64url(random(12)),
    };
  }

  const update: SessionStore["update"] = (key, change) =>
    locked(key, async (loaded) => {
      let generation = loaded?.generation ?? 0;
      let current = loaded && sessionOf(key, loaded, environment);
      let deadline = Infinity;
      const leftMs = () => deadline - steadyNow(clock) - marginMs;
      const write = async (next: Session) => {
        const note = next.refresh_in_flight;
        const isOut = note !== undefined && note !== current?.refresh_in_flight;
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
    });

  return {
    async read(key) {
      const loaded = await load(key);
      return loaded && sessionOf(key, loaded, environment);
    },
    reserve: () => Promise.resolve({ release: () => undefined }),
    update,
    remove: async (key, before) => (await update(key, async (current) => before?.(current))) !== undefined,
    async idle() {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}

function sessionOf(store: string, { tokens: stored }: Loaded, environment: Environment): Session {
  const { base_url, client_id, signed_in_at, refresh_in_flight, refused_at, ...tokens } = stored;
  const { access_token, expires_at = 0, renewals: generation = 0, ...kept } = tokens;
  return {
    version: 1,
    store,
    environment: { ...environment, base_url, client_id },
    ...(access_token !== undefined && { tokens: { ...kept, access_token, expires_at, generation } }),
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

function storeFailed(what: keyof TokenStore, error: unknown): ComandaError {
  if (error instanceof ComandaError) return error;
  return new ComandaError("state_unusable", `The token store failed (${what}).`, { cause: error });
}

const [text, moment] = [z.string(), z.optional(z.number())];
const loadedSchema = z.object({
  generation: z.int().check(z.minimum(1)),
  tokens: z.object({
    access_token: z.optional(text),
    refresh_token: z.optional(text),
    expires_at: moment,
    issued_at: moment,
    scopes: z.optional(z.array(text)),
    signed_in_at: moment,
    base_url: text,
    client_id: text,
    renewals: z.optional(z.int()),
    refresh_in_flight: z.optional(z.object({ started_at: z.number(), pid: z.int() })),
    refused_at: moment,
    write_id: text,
  }),
});
type Loaded = z.infer<typeof loadedSchema>;
