/** The redirect address as it is registered (section 5.2): what the browser must come back to. */
import { ComandaError } from "../shared/errors.js";
import { t } from "../shared/language.js";
import type { Environment } from "../state/sessions/session.js";
import { isLoopbackHost } from "../shared/loopback.js";

export interface RedirectAddress {
  /** As registered, to the letter. */
  readonly uri: string;
  /** Scheme, host, port and path, for comparing a pasted address. */
  readonly base: string;
  /** The `Host` header that a browser sends there. */
  readonly host: string;
  readonly path: string;
  /** The query of its own, which comes back with the service's parameters. */
  readonly query: URLSearchParams;
  /** Where to listen for it; absent where this machine can't. */
  readonly listen?: { readonly port: number; readonly addresses: readonly string[] };
}

/** What the service adds: RFC 6749, 4.1.2, and RFC 9207. */
const responseParameters = ["code", "state", "error", "error_description", "error_uri", "iss"];

/** @throws {ComandaError} `configuration` where the address can't take an answer */
export function parseRedirectAddress({ name, redirect_uri }: Environment): RedirectAddress {
  const unusable = (problem: string) =>
    new ComandaError("configuration", t`The redirect_uri of the environment ${name} ${problem}.`, {
      hint: t`Set the registered one: comanda env set ${name} --redirect-uri <uri> …`,
    });
  if (!URL.canParse(redirect_uri)) throw unusable(t`is not a URL`);
  const url = new URL(redirect_uri);
  // RFC 6749, section 3.1.2.
  if (url.hash !== "") throw unusable(t`has a fragment, which a redirect address can't have`);
  const taken = responseParameters.find((parameter) => url.searchParams.has(parameter));
  if (taken !== undefined) throw unusable(t`has a ${taken} of its own, which only the service may set`);
  return {
    uri: redirect_uri,
    base: baseOf(url),
    host: url.host,
    path: url.pathname,
    query: url.searchParams,
    // Without a certificate nothing can listen for `https:`.
    ...(url.protocol === "http:" && isLoopbackHost(url.hostname)
      ? { listen: { port: Number(url.port || "80"), addresses: loopbackAddresses(url.hostname) } }
      : {}),
  };
}

/** Scheme, host, port and path. Not `origin`, which is `null` for an app's own scheme. */
export function baseOf({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${pathname}`;
}

/**
 * The loopback addresses of a loopback host name. A browser may take `localhost` to either of two.
 *
 * @param hostname as `URL.hostname` has it: lower case, IPv6 in brackets
 */
export function loopbackAddresses(hostname: string): readonly string[] {
  if (hostname === "localhost") return ["127.0.0.1", "::1"];
  return [hostname.replace(/^\[(.*)\]$/, "$1")];
}
