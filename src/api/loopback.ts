/**
 * This machine's own addresses are 127.0.0.0/8, ::1 and `localhost` itself (RFC 8252, section 8.3). Every rule about
 * them asks here.
 */

const ipv4Loopback = /^127(?:\.(?:\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])){3}$/;

/**
 * Takes no other names, `localhost.` and `x.localhost` among them: the resolver decides whether these lead to this
 * machine, and no rule of safety may depend on that.
 *
 * @param hostname is in the form of `URL.hostname`: lower case, IPv6 in brackets (accepted without them, too)
 */
export function isLoopbackHost(hostname: string): boolean {
  const name = hostname.toLowerCase();
  return name === "localhost" || name === "[::1]" || name === "::1" || ipv4Loopback.test(name);
}
