/** Where to listen for a redirect to this machine (RFC 8252, section 7.3). */

/**
 * The loopback addresses of a loopback host name. A browser may take `localhost` to either of two.
 *
 * @param hostname as `URL.hostname` has it: lower case, IPv6 in brackets
 */
export function loopbackAddresses(hostname: string): readonly string[] {
  if (hostname === "localhost") return ["127.0.0.1", "::1"];
  return [hostname.replace(/^\[(.*)\]$/, "$1")];
}
