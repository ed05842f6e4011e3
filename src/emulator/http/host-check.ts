/**
 * Is the request meant for this machine? A web page can give a name of its own the address of this machine (DNS
 * rebinding); its requests then come here from within the page's own origin, which no check of origins would see.
 */
import { isLoopbackHost } from "../../shared/loopback.js";

/** @param url as the server made it: of the request's target and its `Host` */
export function isForThisMachine(url: string): boolean {
  const start = url.indexOf("://") + 3;
  const end = url.indexOf("/", start);
  const authority = end < 0 ? url.slice(start) : url.slice(start, end);
  return isLoopbackHost(authority.replace(/:\d*$/, ""));
}
