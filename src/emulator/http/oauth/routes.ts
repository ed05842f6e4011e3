/** Serves the two OAuth endpoints: sections 4.10 and 4.11. Their refusals are those of RFC 6749, section 5.2. */
import { Hono, type MiddlewareHandler } from "hono";
import type * as z from "zod/mini";

import type { OAuthErrorIdentifier } from "../../../contract/errors.js";
import { check, detailsOf } from "../../../contract/input.js";
import { oauthOperations } from "../../../contract/oauth-operations.js";
import { readBody } from "../body.js";
import { OAuthError, type AuthorizationServer } from "./authorization-server.js";

/** The two endpoints don't read on beyond so many bytes of a request body, and answer 413. */
const maximumFormBytes = 64 * 1024;

/** The endpoints are at the contract's paths, to be mounted at the root. */
export function oauthRoutes(server: AuthorizationServer): Hono {
  const routes = new Hono();
  for (const { path } of Object.values(oauthOperations)) routes.use(path, noStore);
  routes.post(oauthOperations.token.path, async (c) => {
    const form = await readForm(c.req.raw, oauthOperations.token.body.schema());
    const { client_id: clientId } = form;
    if (form.grant_type === "refresh_token")
      return c.json(server.refresh({ clientId, refreshToken: form.refresh_token }));
    const { code, redirect_uri: redirectUri, code_verifier: codeVerifier } = form;
    return c.json(server.exchangeCode({ clientId, code, redirectUri, codeVerifier }));
  });
  routes.post(oauthOperations.revoke.path, async (c) => {
    const { token, client_id } = await readForm(c.req.raw, oauthOperations.revoke.body.schema());
    server.revoke({ token, clientId: client_id });
    return c.body(null, 200);
  });
  routes.onError((error, c) => {
    if (!(error instanceof OAuthError)) throw error;
    const status = error instanceof BodyTooLarge ? 413 : 400;
    return c.json({ error: error.error, error_description: error.description }, status);
  });
  return routes;
}

class BodyTooLarge extends OAuthError {
  constructor() {
    super("invalid_request", "the body is too large");
  }
}

/** Another content type and repeated parameters are refused (RFC 6749, section 3.2). */
async function readForm<Schema extends z.ZodMiniType>(
  request: Request,
  schema: Schema,
): Promise<z.output<Schema>> {
  const [type = ""] = (request.headers.get("content-type") ?? "").split(";");
  if (type.trim().toLowerCase() !== oauthOperations.token.body.type)
    throw new OAuthError("invalid_request", `the content type must be ${oauthOperations.token.body.type}`);
  const text = await readBody(request, maximumFormBytes);
  if (text === undefined) throw new BodyTooLarge();
  const form = new URLSearchParams(text);
  if (new Set(form.keys()).size < form.size)
    throw new OAuthError("invalid_request", "a parameter is given more than once");
  // A parameter without a value counts as absent (RFC 6749, section 3.2).
  const result = check(schema, Object.fromEntries([...form].filter(([, value]) => value !== "")));
  if (result.ok) return result.value;
  const { field = "" } = result.problems[0];
  const error = form.get(field) ? errorsByField.get(field) : undefined;
  throw new OAuthError(error ?? "invalid_request", detailsOf(result));
}

/** A value that none can be is refused like one that is unknown; any other problem is an `invalid_request`. */
const errorsByField: ReadonlyMap<string, OAuthErrorIdentifier> = new Map([
  ["grant_type", "unsupported_grant_type"],
  ["code", "invalid_grant"],
  ["refresh_token", "invalid_grant"],
]);

/** RFC 6749, section 5.1, asks for these headers. */
const noStore: MiddlewareHandler = async (c, next) => {
  await next();
  c.header("cache-control", "no-store");
  c.header("pragma", "no-cache");
};
