/** Reads which proxy the environment asks for. */
import { isLoopbackHost } from "../../api/loopback.js";
import { ComandaError } from "../errors.js";
import { t } from "../../languages/language.js";

export type Variables = Readonly<Record<string, string | undefined>>;

export interface ProxySettings {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
}

/**
 * Lower-case names win, as in undici's `EnvHttpProxyAgent`, which does the rest: `HTTP_PROXY` serves for https where there
 * is no `HTTPS_PROXY`, and `NO_PROXY` names the exceptions. `ALL_PROXY` is not read.
 *
 * @param url where calls go; loopback addresses are never behind a proxy
 * @returns `undefined` where no proxy is asked for
 * @throws {ComandaError} `configuration` for a proxy that can't be used
 */
export function proxiesFor(env: Variables, url: string): ProxySettings | undefined {
  if (isLoopbackHost(new URL(url).hostname)) return undefined;
  const httpProxy = proxyIn(env, "http_proxy");
  const httpsProxy = proxyIn(env, "https_proxy");
  if (httpProxy === "" && httpsProxy === "") return undefined;
  // Given as empty strings rather than left out, or undici would look into its own process's environment.
  return { httpProxy, httpsProxy, noProxy: env["no_proxy"] ?? env["NO_PROXY"] ?? "" };
}

/** Neither the address nor a part of it is shown: it may hold a password. */
function proxyIn(env: Variables, lowerCaseName: string): string {
  const name = env[lowerCaseName] === undefined ? lowerCaseName.toUpperCase() : lowerCaseName;
  const value = env[name] ?? "";
  if (value === "") return "";
  // An address without a scheme is an HTTP proxy's, as curl has it.
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  if (isProxyAddress(address)) return address;
  throw new ComandaError(
    "configuration",
    t`The environment variable ${name} holds no address of an HTTP proxy.`,
    {
      hint: t`For example: ${name}=http://proxy.example:8080. A user name and a password stand before an @, percent-encoded.`,
    },
  );
}

function isProxyAddress(text: string): boolean {
  try {
    const { protocol, username, password } = new URL(text);
    decodeURIComponent(username + password);
    return protocol === "http:" || protocol === "https:";
  } catch {
    return false;
  }
}
