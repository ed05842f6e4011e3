/** Whether a host name is this machine by definition (RFC 6761, section 6.3; RFC 8252, section 8.3). */

const ipv4Loopback = /^127(?:\.(?:\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])){3}$/;

/** @param hostname as `URL.hostname` has it: lower case, IPv6 in brackets (accepted without them, too) */
export function isLoopbackHost(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, "");
  return (
    name === "localhost" ||
    (name.endsWith(".localhost") && !name.startsWith(".")) ||
    name === "[::1]" ||
    name === "::1" ||
    ipv4Loopback.test(name)
  );
}
