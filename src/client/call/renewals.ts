/**
 * Renewals of access tokens, shared between the calls of a client. A service that rotates refresh tokens takes a second
 * use of one for theft, and ends the sign-in (RFC 9700, section 4.14.2): a token is therefore renewed once, however many
 * calls it was refused to.
 */
export interface Renewals {
  /** The newest token known to have replaced this one; `undefined` where there is none yet. */
  replacementOf(token: string): string | undefined;
  /**
   * Joins the renewal of this token that is running, or begins one. A renewal that fails, fails for all who wait for
   * it; the next call begins another.
   *
   * @returns another token; `undefined` where there is none to be had
   */
  renew(refused: string): Promise<string | undefined>;
}

/** Enough for the slowest call; old tokens needn't lie in memory for good. */
const remembered = 8;

/** @param getNew asks for another token; nobody's signal ends it, since others may be waiting for it too */
export function shareRenewals(getNew: (refused: string) => Promise<string | undefined>): Renewals {
  const running = new Map<string, Promise<string | undefined>>();
  const replacements = new Map<string, string>();

  function remember(old: string, renewed: string): void {
    // It is good again, whatever took its place before: so no chain of replacements is a circle.
    replacements.delete(renewed);
    replacements.set(old, renewed);
    for (const oldest of replacements.keys()) {
      if (replacements.size <= remembered) break;
      replacements.delete(oldest);
    }
  }

  async function renewed(refused: string): Promise<string | undefined> {
    try {
      const token = await getNew(refused);
      if (token === undefined || token === refused) return undefined;
      remember(refused, token);
      return token;
    } finally {
      running.delete(refused);
    }
  }

  return {
    replacementOf: (token) => {
      let newest = replacements.get(token);
      for (let next = newest; next !== undefined; next = replacements.get(next)) newest = next;
      return newest;
    },
    renew: (refused) => {
      const renewal = running.get(refused);
      if (renewal) return renewal;
      const begun = renewed(refused);
      running.set(refused, begun);
      return begun;
    },
  };
}
