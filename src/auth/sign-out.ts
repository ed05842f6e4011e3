/** Revokes at the service, then forgets the tokens and keys: section 4.11 and RFC 7009. */
import { ComandaError, isUnwritable } from "../client/errors.js";
import { t } from "../languages/language.js";
import type { Session, SessionStore } from "../state/sessions.js";
import { revokeTokens, type OAuthCall } from "./tokens.js";

/**
 * Tokens and keys are forgotten even if the service fails. Alias and environment stay, where the disk has room for them.
 *
 * @returns `error`: why the tokens were not revoked, so that they may work until they expire
 * @throws {ComandaError} `not_signed_in` where the store isn't known, `state_unusable` where its file can't be used
 */
export async function signOut(
  store: string,
  sessions: Pick<SessionStore, "read" | "update"> & Partial<Pick<SessionStore, "remove">>,
  call: Omit<OAuthCall, "environment">,
): Promise<{ readonly former: Session; readonly error: ComandaError | undefined }> {
  let result: { readonly former: Session; readonly error: ComandaError | undefined } | undefined;
  async function revoke(former: Session | undefined) {
    if (former === undefined)
      throw new ComandaError("not_signed_in", t`The store ${store} is not signed in.`, {
        hint: t`See the stores that this machine knows: comanda stores list`,
      });
    const { environment, tokens } = former;
    return { former, error: tokens && (await revokeTokens({ ...call, environment }, tokens)) };
  }
  try {
    // Under the lease, or a refresh of another process could bring new tokens that nobody revokes.
    await sessions.update(store, async (former) => {
      result = await revoke(former);
      return { version: 1, store, environment: result.former.environment };
    });
  } catch (error) {
    // A disk that takes nothing more lets a file go.
    if (!isUnwritable(error) || !sessions.remove) throw error;
    result ??= await revoke(await sessions.read(store));
    await sessions.remove(store);
  }
  if (result === undefined) throw new TypeError("the store of sessions did not read");
  return result;
}
