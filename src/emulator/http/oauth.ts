/** Serves the two OAuth endpoints: sections 4.10 and 4.11. Their refusals are those of RFC 6749, section 5.2. */
import type * as z from "zod/mini";

import type { OAuthErrorIdentifier } from "../../api/errors.js";
import { check, detailsOf } from "../../api/input.js";
import { oauthOperations } from "../../api/oauth-operations.js";
import { type AuthorizationServer, OAuthError } from "./authorization-server.js";
import { headerOf, type Incoming, jsonAnswer, readBody, type Route } from "./incoming.js";

/** The two endpoints don't read on beyond so many bytes of a request body, and answer 413. */
const maximumFormBytes = 64 * 1024;

/** RFC 6749, section 5.1, asks for these headers. */
const noStore = { "cache-control": "no-store", pragma: "no-cache" };

export function oauthRoutes(server: AuthorizationServer): readonly Route[] {
  return [
    route("token", async (incoming) => {
      const form = await readForm(incoming, oauthOperations.token.body.schema());
      const { client_id: clientId } = form;
      if (form.grant_type === "refresh_token")
        return jsonAnswer(server.refresh({ clientId, refreshToken: form.refresh_token }), 200, noStore);
      const { code, redirect_uri: redirectUri, code_verifier: codeVerifier } = form;
      const tokens = server.exchangeCode({ clientId, code, redirectUri, codeVerifier });
      return jsonAnswer(tokens, 200, noStore);
    }),
    route("revoke", async (incoming) => {
      const { token, client_id: clientId } = await readForm(incoming, oauthOperations.revoke.body.schema());
      server.revoke({ token, clientId });
      return new Response(null, { status: 200, headers: noStore });
    }),
  ];
}

function route(
  operation: keyof typeof oauthOperations,
  work: (incoming: Incoming) => Promise<Response>,
): Route {
  return {
    method: "POST",
    path: oauthOperations[operation].path,
    operation,
    answer: async (incoming) => {
      try {
        return await work(incoming);
      } catch (error) {
        if (!(error instanceof OAuthError)) throw error;
        const body = { error: error.error, error_description: error.description };
        return jsonAnswer(body, error instanceof BodyTooLarge ? 413 : 400, noStore);
      }
    },
  };
}

class BodyTooLarge extends OAuthError {
  constructor() {
    super("invalid_request", "the body is too large");
  }
}

/** Another content type and repeated parameters are refused (RFC 6749, section 3.2). */
async function readForm<Schema extends z.ZodMiniType>(
  incoming: Incoming,
  schema: Schema,
): Promise<z.output<Schema>> {
  const text = await readBody(incoming, maximumFormBytes);
  if (text === undefined) throw new BodyTooLarge();
  const [type = ""] = (headerOf(incoming, "content-type") ?? "").split(";");
  if (type.trim().toLowerCase() !== oauthOperations.token.body.type)
    throw new OAuthError("invalid_request", `the content type must be ${oauthOperations.token.body.type}`);
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
