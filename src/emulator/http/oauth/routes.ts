/** Serves the two OAuth endpoints: sections 4.10 and 4.11. Their refusals are those of RFC 6749, section 5.2. */
import { Hono, type MiddlewareHandler } from "hono";

import { tokenSchema, type TokenResponse } from "../../../contract/oauth.js";
import { codeVerifierSchema, oauthOperations } from "../../../contract/oauth-operations.js";
import { readBody } from "../body.js";
import { OAuthError, type AuthorizationServer } from "./authorization-server.js";

/** The two endpoints don't read on beyond so many bytes of a request body, and answer 413. */
const maximumFormBytes = 64 * 1024;

/** The endpoints are at the contract's paths, to be mounted at the root. */
export function oauthRoutes(server: AuthorizationServer): Hono {
  const routes = new Hono();
  for (const { path } of Object.values(oauthOperations)) routes.use(path, noStore);
  routes.post(oauthOperations.token.path, async (c) => c.json(grant(server, await readForm(c.req.raw))));
  routes.post(oauthOperations.revoke.path, async (c) => {
    const form = await readForm(c.req.raw);
    server.revoke({ token: required(form, "token"), clientId: required(form, "client_id") });
    return c.body(null, 200);
  });
  routes.onError((error, c) => {
    if (!(error instanceof OAuthError)) throw error;
    const status = error instanceof BodyTooLarge ? 413 : 400;
    return c.json({ error: error.error, error_description: error.description }, status);
  });
  return routes;
}
function grant(server: AuthorizationServer, form: URLSearchParams): TokenResponse {
  const grantType = required(form, "grant_type");
  switch (grantType) {
    case "authorization_code":
      return server.exchangeCode({
        clientId: required(form, "client_id"),
        code: tokenFrom(form, "code"),
        redirectUri: required(form, "redirect_uri"),
        codeVerifier: codeVerifier(form),
      });
    case "refresh_token":
      return server.refresh({
        clientId: required(form, "client_id"),
        refreshToken: tokenFrom(form, "refresh_token"),
      });
    default:
      throw new OAuthError(
        "unsupported_grant_type",
        "grant_type must be authorization_code or refresh_token",
      );
  }
}

class BodyTooLarge extends OAuthError {
  constructor() {
    super("invalid_request", "the body is too large");
  }
}

/** Another content type and repeated parameters are refused (RFC 6749, section 3.2). */
async function readForm(request: Request): Promise<URLSearchParams> {
  const [type = ""] = (request.headers.get("content-type") ?? "").split(";");
  if (type.trim().toLowerCase() !== oauthOperations.token.body.type)
    throw new OAuthError("invalid_request", `the content type must be ${oauthOperations.token.body.type}`);
  const text = await readBody(request, maximumFormBytes);
  if (text === undefined) throw new BodyTooLarge();
  const form = new URLSearchParams(text);
  if (new Set(form.keys()).size < form.size)
    throw new OAuthError("invalid_request", "a parameter is given more than once");
  return form;
}

/** A parameter without a value counts as absent (RFC 6749, section 3.2). */
function required(form: URLSearchParams, name: string): string {
  const value = form.get(name);
  if (value === null || value === "") throw new OAuthError("invalid_request", `${name} is required`);
  return value;
}

function tokenFrom(form: URLSearchParams, name: string): string {
  const token = required(form, name);
  if (tokenSchema().safeParse(token).success) return token;
  throw new OAuthError("invalid_grant", `${name} has characters or a length that none has`);
}

function codeVerifier(form: URLSearchParams): string {
  const verifier = required(form, "code_verifier");
  if (codeVerifierSchema().safeParse(verifier).success) return verifier;
  throw new OAuthError("invalid_request", "code_verifier must be 43 to 128 unreserved characters");
}

/** RFC 6749, section 5.1, asks for these headers. */
const noStore: MiddlewareHandler = async (c, next) => {
  await next();
  c.header("cache-control", "no-store");
  c.header("pragma", "no-cache");
};
