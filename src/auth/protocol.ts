/**
 * `oauth4webapi`, set up for one environment: it builds the requests and judges the answers, our transport
 * carries them. There is no discovery document, so the server is described by hand.
 */
import type * as OAuth from "oauth4webapi";

import type { HttpAnswer, Transport } from "../client/http/transport.js";
import { revokePath, tokenPath } from "../api/oauth.js";
import { ComandaError } from "../client/errors.js";
import { t } from "../languages/language.js";
import { isObject, parseJson } from "../api/json.js";
import { isLoopbackHost } from "../api/loopback.js";
import type { Environment } from "../state/sessions/session.js";
import type * as OAuthLibrary from "./oauth-library.js";

export interface OAuthCall {
  readonly environment: Environment;
  readonly transport: Transport;
  /** Milliseconds for one request. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Protocol {
  readonly oauth: typeof OAuthLibrary;
  readonly server: OAuth.AuthorizationServer;
  readonly client: OAuth.Client;
  readonly authentication: OAuth.ClientAuth;
  readonly options: OAuth.TokenEndpointRequestOptions & OAuth.RevocationRequestOptions;
  /** The service's real answer, once the request was sent: the library is shown an orderly copy. */
  answer(): HttpAnswer;
}

/** An answer of the two OAuth endpoints has no reason to be larger. */
const maxBodyBytes = 65_536;
const defaultTimeoutMs = 20_000;

/** @throws {ComandaError} `configuration` where `base_url` is http on another host, and the environment doesn't allow it */
export async function openProtocol(call: OAuthCall): Promise<Protocol> {
  const { environment } = call;
  const insecure = isInsecure(environment);
  // Loaded only for a sign-in, a refresh or a sign-out.
  const oauth = await import("./oauth-library.js");
  let answer: HttpAnswer | undefined;

  const send = async (
    url: string,
    request: { body: URLSearchParams; headers: Record<string, string> },
  ): Promise<Response> => {
    // The library names itself as user agent; the transport sets comanda's.
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => name !== "user-agent"),
    );
    answer = await call.transport.send({
      method: "POST",
      url,
      headers,
      body: request.body.toString(),
      timeoutMs: call.timeoutMs ?? defaultTimeoutMs,
      ...(call.signal ? { signal: call.signal } : {}),
    });
    if (new TextEncoder().encode(answer.body).length > maxBodyBytes) {
      throw new ComandaError(
        "unexpected_answer",
        t`The service's answer is larger than a token answer can be.`,
      );
    }
    return orderly(answer);
  };

  return {
    oauth,
    server: {
      // There is no `iss` in the service's answers; the library only wants it to be there.
      issuer: environment.base_url,
      token_endpoint: environment.base_url + tokenPath,
      revocation_endpoint: environment.base_url + revokePath,
    },
    client: { client_id: environment.client_id, token_endpoint_auth_method: "none" },
    authentication: oauth.None(),
    options: {
      [oauth.customFetch]: send,
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so to stand out; for loopback hosts alone
      ...(insecure ? { [oauth.allowInsecureRequests]: true } : {}),
    },
    answer() {
      if (answer === undefined) throw new TypeError("the request was not sent through the transport");
      return answer;
    },
  };
}

function isInsecure({ name, base_url, allow_insecure: allowed = false }: Environment): boolean {
  const url = URL.canParse(base_url) ? new URL(base_url) : undefined;
  if (url?.protocol === "https:") return false;
  if (url?.protocol === "http:" && (allowed || isLoopbackHost(url.hostname))) return true;
  throw new ComandaError(
    "configuration",
    t`The base_url of the environment ${name} is not an https address.`,
    {
      hint: t`Set it again: comanda env set ${name} --base-url https://… …`,
    },
  );
}

/**
 * Makes an answer that the library can judge. It would take a challenge header for the whole answer, a success
 * other than 200 for a failure, and a JSON body without its content type for none.
 */
function orderly({ status, body }: HttpAnswer): Response {
  return new Response(status === 304 ? null : withoutForeignMembers(body), {
    status: status < 300 ? 200 : status,
    headers: { "content-type": "application/json" },
  });
}

/**
 * `null` stands for a member that is absent. An ID token was never asked for, and the library would refuse
 * the whole answer for one it can't check, or for a lifetime that is no number of seconds: the refresh token would be spent.
 */
function withoutForeignMembers(body: string): string {
  const json = parseJson(body);
  if (!isObject(json)) return body;
  const members: [string, unknown][] = Object.entries({ ...json, expires_in: lifetime(json["expires_in"]) });
  const known = members.filter(([name, value]) => value !== null && name !== "id_token");
  return JSON.stringify(Object.fromEntries(known));
}

const yearSeconds = 365 * 24 * 3600;

/** @returns seconds, at most a year, so that no end is beyond what a clock can show; undefined where none can be used */
function lifetime(given: unknown): number | undefined {
  const seconds = typeof given === "string" ? Number.parseFloat(given) : given;
  return typeof seconds === "number" && seconds > 0 ? Math.min(seconds, yearSeconds) : undefined;
}
