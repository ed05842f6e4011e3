/** Text that the service sent, made fit for a message: one line, short, without secrets. */

const longest = 200;

/**
 * Runs of control, formatting and space characters become one space, the secrets of the request are hidden (a service may quote
 * what it refuses), and what is left is cut after 200 characters.
 */
export function serviceText(text: string | undefined, secrets: readonly string[]): string | undefined {
  if (text === undefined) return undefined;
  const open = secrets.filter(Boolean).reduce((rest, secret) => rest.replaceAll(secret, "[hidden]"), text);
  const line = open
    .slice(0, 4 * longest)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  if (line === "") return undefined;
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}

/** An OAuth error identifier as far as it is one (RFC 6749, section 5.2), else `unknown_error`. */
export function errorIdentifier(text: string): string {
  return /^[A-Za-z0-9_.-]{1,64}$/.test(text) ? text : "unknown_error";
}
