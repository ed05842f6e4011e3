/** A program keeps its stores' tokens as {@link TokenStore} says; one store that keeps them in memory is here. */

/**
 * One store's tokens are a plain object that goes into JSON. Keep it as it is, and as the secret that it is: whoever
 * can read it can act for the store. Fields that aren't named here are for comanda alone.
 */
export interface StoredTokens {
  /** The access token is absent once the store was revoked. */
  readonly access_token?: string | undefined;
  /**
   * A refresh token works once: the service gives another with each refresh (section 5.2), and takes a second use for
   * a theft.
   */
  readonly refresh_token?: string | undefined;
  /** The access token expires at this time. All times here are in milliseconds since the epoch. */
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
  /**
   * A refresh is out while this is there. After a crash it stays, and the next refresh waits until that one must be
   * over.
   */
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
 * Tokens can be kept in a table, a collection, or a key-value store that can compare and set. Errors of these three
 * methods come back as `state_unusable`, with the error as `cause`.
 *
 * `save` lets one of many processes and servers refresh: a refresh is noted there before it goes out, and a process
 * that was overtaken reads anew. `lock` only spares them the race.
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
   * least. A lock that may end early, such as one with a lease, does no harm.
   *
   * @returns the result of `work`, when it has ended
   */
  lock<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
}

/** Keeps tokens in this process alone: for tests, and for a program that asks its Owners anew at each start. */
export function createMemoryTokenStore(): TokenStore {
  const texts = new Map<string, string>();
  const load = (key: string): LoadedTokens | undefined => {
    const text = texts.get(key);
    // Every other store gives a copy, so this one does too.
    return text === undefined ? undefined : (JSON.parse(text) as LoadedTokens);
  };
  return {
    load: (key) => Promise.resolve(load(key)),
    save(key, tokens, expectedGeneration) {
      if ((load(key)?.generation ?? 0) !== expectedGeneration) return Promise.resolve(false);
      texts.set(key, JSON.stringify({ tokens, generation: expectedGeneration + 1 }));
      return Promise.resolve(true);
    },
    lock: createTurns(),
  };
}

/** Lets work with the same key run one after the other in this process. */
function createTurns(): TokenStore["lock"] {
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
