/** Where a program keeps its stores' tokens: what {@link createOAuth} asks of it, and the one that keeps them in memory. */

/**
 * One store's tokens, as a plain object that goes into JSON. Keep it as it is, and as the secret that it is: who can read it
 * can act for the store. What isn't named here is for comanda alone.
 */
export interface StoredTokens {
  /** Absent once the store was revoked: what is left says so. */
  readonly access_token?: string | undefined;
  /**
   * Works once: the service gives another with each refresh (section 5.2), and takes a second use for a theft.
   */
  readonly refresh_token?: string | undefined;
  /** Milliseconds since the epoch, as all moments here. */
  readonly expires_at?: number | undefined;
  readonly issued_at?: number | undefined;
  /** Names of section 5.3, as the service gave them. */
  readonly scopes?: readonly string[] | undefined;
  /** When the Owner authorised the app. */
  readonly signed_in_at?: number | undefined;
  /** Whose tokens these are: they are never sent to another address. */
  readonly base_url: string;
  readonly client_id: string;
  /** Counts the refreshes. */
  readonly renewals?: number | undefined;
  /** There while a refresh is out; after a crash it stays, and the next one waits until it must be over. */
  readonly refresh_in_flight?: { readonly started_at: number; readonly pid: number } | undefined;
  /** When the service refused the refresh token: only a new authorization helps. */
  readonly refused_at?: number | undefined;
  /** Tells each write from every other. */
  readonly write_id: string;
}

export interface LoadedTokens {
  readonly tokens: StoredTokens;
  /** Counts the writes of this key, from 1 on; never goes back. */
  readonly generation: number;
}

/**
 * A store of tokens: a table, a collection, a key-value store that can compare and set. Errors of these three come back as
 * `state_unusable`, with the error as `cause`.
 *
 * What makes one refresh of many processes and servers is `save`: a refresh is noted there before it goes out, and whoever
 * is overtaken reads anew. `lock` only spares them the race.
 */
export interface TokenStore {
  /** What was saved last, however many servers save; never a copy that may be older. */
  load(key: string): Promise<LoadedTokens | undefined>;
  /**
   * Writes `tokens` with the generation `expectedGeneration + 1`, if the stored generation is `expectedGeneration`: 0 where
   * there is nothing. Both in one step, as in `update … where key = $1 and generation = $2`, and durably: the service has
   * spent the old refresh token by then.
   *
   * @returns false where another generation is stored; nothing was written then
   */
  save(key: string, tokens: StoredTokens, expectedGeneration: number): Promise<boolean>;
  /**
   * Calls `work` once, when no other work with this key is under way, as far as that can be known: in this process at
   * least. A lock that may end early, such as one with a lease, does no harm.
   *
   * @returns when `work` has ended, with what it gave
   */
  lock<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
}

/** Keeps tokens in this process alone: for tests, and for a program that asks its Owners anew at each start. */
export function createMemoryTokenStore(): TokenStore {
  const kept = new Map<string, string>();
  const load = (key: string): LoadedTokens | undefined => {
    const text = kept.get(key);
    // A copy, as every other store gives one.
    return text === undefined ? undefined : (JSON.parse(text) as LoadedTokens);
  };
  return {
    load: (key) => Promise.resolve(load(key)),
    save(key, tokens, expectedGeneration) {
      if ((load(key)?.generation ?? 0) !== expectedGeneration) return Promise.resolve(false);
      kept.set(key, JSON.stringify({ tokens, generation: expectedGeneration + 1 }));
      return Promise.resolve(true);
    },
    lock: createTurns(),
  };
}

/** Work of one key comes one after the other in this process. */
export function createTurns(): TokenStore["lock"] {
  const turns = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const result = (turns.get(key) ?? Promise.resolve()).then(work);
    const turn = result.then(
      () => undefined,
      () => undefined,
    );
    turns.set(key, turn);
    try {
      return await result;
    } finally {
      if (turns.get(key) === turn) turns.delete(key);
    }
  };
}
