/** Serves the two OAuth endpoints: sections 4.10 and 4.11. */
import { type Context, Hono } from "hono";

import { tokenSchema, type TokenResponse } from "../../../contract/oauth.js";
import { codeVerifierSchema, oauthOperations } from "../../../contract/oauth-operations.js";
import { readBody } from "../body.js";
import type { AuthorizationServer } from "./authorization-server.js";
import { OAuthError, maximumFormBytes } from "./choices.js";

/**
 * Makes the endpoints at the contract's paths, to be mounted at the root. Their refusals are those of RFC 6749, 5.2.
 */
export function oauthRoutes(server: AuthorizationServer): Hono {
  const routes = new Hono();

  routes.post(oauthOperations.token.path, async (c) => {
    noStore(c);
    const form = await readForm(c.req.raw);
    return c.json(grant(server, form));
  });

  routes.post(oauthOperations.revoke.path, async (c) => {
    noStore(c);
    const form = await readForm(c.req.raw);
    server.revoke({ token: required(form, "token"), clientId: required(form, "client_id") });
    return c.body(null, 200);
  });

  routes.onError((error, c) => {
    if (!(error instanceof OAuthError)) throw error;
    noStore(c);
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

/** @throws {OAuthError} `invalid_request` for another content type and for repeated parameters (RFC 6749, 3.2) */
async function readForm(request: Request): Promise<URLSearchParams> {
  const [type = ""] = (request.headers.get("content-type") ?? "").split(";");
  if (type.trim().toLowerCase() !== oauthOperations.token.body.type) {
    throw new OAuthError("invalid_request", `the content type must be ${oauthOperations.token.body.type}`);
  }
  const text = await readBody(request, maximumFormBytes);
  if (text === undefined) throw new BodyTooLarge();
  const form = new URLSearchParams(text);
  if (new Set(form.keys()).size < form.size) {
    throw new OAuthError("invalid_request", "a parameter is given more than once");
  }
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
function noStore(c: Context): void {
  c.header("cache-control", "no-store");
  c.header("pragma", "no-cache");
}
