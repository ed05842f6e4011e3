/** Which proxy the environment asks for. */

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ProxySettings {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
}

/** Lower-case names win, as in curl and undici. `undefined` where no proxy is asked for. */
export function proxySettings(env: Environment): ProxySettings | undefined {
  const httpProxy = env["http_proxy"] ?? env["HTTP_PROXY"] ?? "";
  const httpsProxy = env["https_proxy"] ?? env["HTTPS_PROXY"] ?? "";
  if (httpProxy === "" && httpsProxy === "") return undefined;
  // Given as empty strings rather than left out, or undici would look into its own process's environment.
  return { httpProxy, httpsProxy, noProxy: env["no_proxy"] ?? env["NO_PROXY"] ?? "" };
}
