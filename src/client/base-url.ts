/** The address that all calls of a client go to. It stands alone: a command that only looks at an address loads no client. */
import { ComandaError } from "./errors.js";
import { t } from "../languages/language.js";
import { isLoopbackHost } from "../api/loopback.js";

/**
 * The base URL as requests are built on: origin and path prefix, no trailing slash.
 *
 * @param allowInsecure may it be another machine's by http?
 * @param optionName what the hint of an error calls it
 * @throws {ComandaError} `configuration` where it is no http(s) URL, has more than a path, or would send
 *   credentials unprotected to another machine
 */
export function normalizeBaseUrl(baseUrl: string, allowInsecure = false, optionName = "baseUrl"): string {
  const hint = baseUrlHint(optionName);
  const refuse = (why: string) => new ComandaError("configuration", t`The base URL ${why}.`, { hint });
  if (!URL.canParse(baseUrl)) throw refuse(t`is not a URL`);
  const url = new URL(baseUrl);
  const isOpen = url.protocol === "http:" && (allowInsecure || isLoopbackHost(url.hostname));
  if (!isOpen && url.protocol !== "https:")
    throw refuse(t`must start with https://, since http:// is for this machine alone`);
  if (url.username + url.password + url.search + url.hash !== "")
    throw refuse(t`must not have a user name, a password, a query or a fragment`);
  return url.origin + url.pathname.replace(/\/+$/, "");
}

export function baseUrlHint(optionName: string): string {
  return t`Check the base URL: ${optionName}.`;
}
