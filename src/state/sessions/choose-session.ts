/** Finds the session that is meant: of the store that is named, else of the default, else the only one there is. */
import { ComandaError } from "../../client/errors.js";
import { t } from "../../languages/language.js";
import { suggestion } from "../../api/nearest.js";
import type { Settings } from "../settings/settings.js";
import { defaultStore } from "../settings/store-settings.js";
import type { Session, SessionStore } from "./session.js";

export type SessionChoice =
  | { readonly kind: "session"; readonly session: Session }
  /** The store that is named isn't known. */
  | { readonly kind: "unknown"; readonly alias: string; readonly aliases: readonly string[] }
  /** No store is known. */
  | { readonly kind: "none" }
  /** Several are known, and nothing says which one. */
  | { readonly kind: "several"; readonly aliases: readonly [string, ...string[]] };

export interface NamedStore {
  /** A flag, an option or a variable names it. */
  readonly named: string | undefined;
  /** They name the default, and are absent where only the store that is named will do. */
  readonly settings?: Pick<Settings, "default_store" | "stores"> | undefined;
}

/**
 * The caller has the words for what is not a session: they name its own flags or options.
 *
 * @throws {ComandaError} `state_unusable` where the session's file can't be used
 */
export async function chooseSession(
  sessions: Pick<SessionStore, "read" | "list">,
  { named, settings = {} }: NamedStore,
): Promise<SessionChoice> {
  const alias = named ?? settings.default_store;
  const session = alias === undefined ? undefined : await sessions.read(alias);
  if (session) return { kind: "session", session };
  const listed = await sessions.list();
  const aliases = listed.map(({ store }) => store);
  if (named !== undefined) return { kind: "unknown", alias: named, aliases };
  const renamed = defaultStore(settings, aliases);
  const followed = renamed === alias || renamed === undefined ? undefined : await sessions.read(renamed);
  if (followed) return { kind: "session", session: followed };
  const [only, ...others] = listed;
  if (only === undefined) return { kind: "none" };
  if (others.length > 0)
    return { kind: "several", aliases: [only.store, ...others.map(({ store }) => store)] };
  if ("error" in only) throw only.error;
  return { kind: "session", session: only };
}

/** @param hint what to do */
export function unknownStore(alias: string, aliases: readonly string[], hint: string): ComandaError {
  const message = t`This machine knows no store "${alias}".${suggestion(alias, aliases)}`;
  return new ComandaError("invalid_input", message, { hint });
}
