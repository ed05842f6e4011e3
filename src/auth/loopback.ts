/** Which hosts are this machine's own (RFC 8252, section 7.3). */

/**
 * True for `localhost`, 127.0.0.0/8 and `[::1]`: the hosts to which `http:` may carry a secret.
 *
 * @param hostname as `URL.hostname` has it: lower case, IPv6 in brackets
 */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** The addresses to listen on for a redirect to `hostname`. A browser may take `localhost` to either. */
export function loopbackAddresses(hostname: string): readonly string[] {
  if (hostname === "localhost") return ["127.0.0.1", "::1"];
  return [hostname.replace(/^\[(.*)\]$/, "$1")];
}
