/**
 * Runs `oidc-provider` as an authorization server at the specification's paths. It requires PKCE, rotates refresh tokens, and
 * revokes the whole family if one is reused.
 */
import { generateKeyPairSync } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

import { Provider, type KoaContextWithOIDC } from "oidc-provider";

import { oauthOperations } from "../../../src/api/oauth.js";
import { scopes } from "../../../src/api/operations.js";
import { registrationOf } from "../../../src/auth/authorize.js";
import { signIn } from "../../../src/auth/sign-in.js";
import { systemClock } from "../../../src/base/clock.js";
import { createTransport } from "../../../src/client/http.js";
import type { Environment, SessionStore } from "../../../src/state/sessions.js";
import { afterwards, freePort, listening, stopServer } from "../../support/resources.js";
import { testEnvironment } from "./sessions.js";

const portalPath = "/portal/authorize";
const consentPath = "/portal/consent/";
const granted = ["orders", "drivers"];
/** The provider logs a warning for each artifact without a configured lifetime. */
const artifacts = ["AccessToken", "RefreshToken", "Grant", "Interaction", "Session", "AuthorizationCode"];
/** Nothing is signed with this key. Generating an RSA key, the default, would take longer than a test. */
const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });

export type AuthorizationServer = Awaited<ReturnType<typeof startAuthorizationServer>>;

export async function startAuthorizationServer() {
  const http = createServer();
  const baseUrl = `http://127.0.0.1:${await listening(http)}`;
  const environment = testEnvironment({
    base_url: baseUrl,
    auth_url: `${baseUrl}${portalPath}?lang=pt`,
    redirect_uri: `http://127.0.0.1:${await freePort()}/callback`,
  });
  afterwards(() => stopServer(http));
  const provider = createProvider(environment);
  /** Every refresh token that arrived, with the status of the response. */
  const refreshes: { readonly token: string; readonly status: number }[] = [];
  /** Called after each rotation, before the response is sent. */
  const onRefreshed: () => Promise<void> | void = () => undefined;

  provider.use(async (ctx, next) => {
    if (ctx.path === portalPath) asPortal(ctx);
    await next();
    if (ctx.path !== oauthOperations.token.path) return;
    const token = (ctx as KoaContextWithOIDC).oidc.body?.["refresh_token"];
    if (typeof token !== "string") return;
    refreshes.push({ token, status: ctx.status });
    await server.onRefreshed();
  });
  const handle = provider.callback();
  http.on("request", (request, response) => {
    if (request.url?.startsWith(consentPath) === true) void consent(provider, request, response);
    else void handle(request, response);
  });

  const server = {
    environment,
    refreshes,
    onRefreshed,
    /** Returns whether the service still accepts a token. */
    isAlive: async (token: string) => {
      const found = (await provider.AccessToken.find(token)) ?? (await provider.RefreshToken.find(token));
      return found?.isValid === true;
    },
  };
  return server;
}

/** Signs a store in as its owner would. */
export async function signInAt(
  { environment }: AuthorizationServer,
  sessions: SessionStore,
  store = "centro",
) {
  const transport = createTransport();
  let page: Promise<void> | undefined;
  const showUrl = (url: string) => {
    page = browse(url);
  };
  const session = await signIn({ environment, store, sessions, transport, clock: systemClock, showUrl });
  await page;
  await transport.close();
  return session;
}

/** Follows redirects with a cookie jar, as a browser would, to the redirect URI. */
async function browse(url: string): Promise<void> {
  const cookies = new Map<string, string>();
  let next = url;
  for (let hop = 0; hop < 12; hop += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(next, { redirect: "manual", headers: cookie === "" ? {} : { cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      const at = pair.indexOf("=");
      cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    const location = answer.headers.get("location");
    if (location === null) return;
    next = new URL(location, next).href;
  }
  throw new Error("too many redirects");
}

function createProvider(environment: Environment): Provider {
  const { base_url, redirect_uri } = environment;
  const { client_id } = registrationOf(environment);
  const { token, revoke } = oauthOperations;
  return new Provider(base_url, {
    clients: [
      {
        client_id,
        application_type: "native",
        token_endpoint_auth_method: "none",
        redirect_uris: [redirect_uri],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        scope: granted.join(" "),
      },
    ],
    routes: { authorization: portalPath, token: token.path, revocation: revoke.path },
    scopes: Object.keys(scopes),
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      revocation: { enabled: true, allowedPolicy: (_, client, token) => token.clientId === client.clientId },
    },
    interactions: { url: (_, { uid }) => consentPath + uid },
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    ttl: Object.fromEntries(artifacts.map((name) => [name, 7200])),
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    cookies: { keys: ["only-for-tests"] },
    clientDefaults: { id_token_signed_response_alg: "ES256" },
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), kty: "EC", alg: "ES256", use: "sig" }] },
  });
}

/** Adds the OAuth parameters that section 5.2 doesn't have. */
function asPortal(ctx: { url: string; querystring: string }): void {
  const parameters = new URLSearchParams(ctx.querystring);
  parameters.set("response_type", "code");
  parameters.set("scope", granted.join(" "));
  ctx.url = `${portalPath}?${parameters.toString()}`;
}

/** Signs in and consents without a page. */
async function consent(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { params } = await provider.interactionDetails(request, response);
  const accountId = "owner-1";
  const grant = new provider.Grant({ accountId, clientId: String(params["client_id"]) });
  grant.addOIDCScope(granted.join(" "));
  const grantId = await grant.save();
  await provider.interactionFinished(request, response, { login: { accountId }, consent: { grantId } });
}
