/** Sign-ins in words, and facts as aligned lines. */
import type { SignIn } from "../core/stores.js";
import { capitalized, t, translated, type Word } from "../languages/language.js";

/** @param hasToken whether there is an access token: a key can change orders, but has no access to figures */
export function describeState(
  { state, expires_at: end, has_refresh_token: refreshes }: SignIn,
  hasToken = end !== null,
): string {
  if (state === "valid") return hasToken ? t`signed in` : t`API key only: no sales figures, no drivers`;
  if (state === "unreachable") return t`not checked`;
  if (state === "refused")
    return hasToken ? t`refused by the service: sign in again` : t`the service refused the API key`;
  if (state !== "expired") return t`signed out`;
  return refreshes ? t`signed in` : t`the access token has expired: sign in again`;
}

/** Returns lines with the values after their labels, aligned. Those that are `undefined` are left out. */
export function factLines(
  facts: readonly (readonly [label: Word, value: string | undefined])[],
): readonly string[] {
  const shown = facts.filter(([, value]) => value !== undefined);
  const width = Math.max(...shown.map(([label]) => translated(label).length));
  return shown.map(
    ([label, value = ""]) => `${`${capitalized(translated(label))}:`.padEnd(width + 1)}  ${value}`,
  );
}
