/** OAuth 2.0 with an authorization code and PKCE (sections 4.10, 4.11 and 5). Clients of other operations don't load it. */
import * as z from "zod/mini";

import { once } from "../base/basics.js";
import { operations, type Operation } from "./operations.js";
import { secretPattern } from "./values.js";

/** Sections 4.10 and 4.11. */
export const tokenPath = "/api/partner/oauth/token";
export const revokePath = "/api/partner/oauth/revoke";

/** The parameters of the authorization URL. Scopes are never sent (section 5.2, step 2). */
export const authorizationParameters = [
  "client_id",
  "state",
  "redirect_uri",
  "code_challenge",
  "code_challenge_method",
] as const;

export const codeChallengeMethod = "S256";

const token = () => z.string().check(z.regex(secretPattern));
export const tokenSchema = once(token);

const verifierRule = "must be 43 to 128 unreserved characters";

export const oauthSchemas = once(() => {
  const authorizationCodeGrant = z.looseObject({
    grant_type: z.literal("authorization_code"),
    code: token(),
    redirect_uri: z.string(),
    client_id: z.string(),
    // RFC 7636, section 4.1.
    code_verifier: z
      .string()
      .check(
        z.minLength(43, verifierRule),
        z.maxLength(128, verifierRule),
        z.regex(/^[A-Za-z0-9._~-]+$/, verifierRule),
      ),
  });
  const refreshTokenGrant = z.looseObject({
    grant_type: z.literal("refresh_token"),
    refresh_token: token(),
    client_id: z.string(),
  });
  return {
    tokenRequest: z.discriminatedUnion("grant_type", [authorizationCodeGrant, refreshTokenGrant]),
    /** The response to a refresh may contain only `access_token` (RFC 6749, sections 5.1 and 6). */
    tokenResponse: z.looseObject({
      access_token: token(),
      token_type: z.string().check(z.regex(/^[Bb][Ee][Aa][Rr][Ee][Rr]$/)),
      expires_in: z.optional(z.number()),
      refresh_token: z.optional(token()),
      scope: z.optional(z.string()),
    }),
    revokeRequest: z.looseObject({ token: token(), client_id: z.string() }),
  };
});
export type TokenResponse = z.infer<ReturnType<typeof oauthSchemas>["tokenResponse"]>;

/** The common part of the two OAuth endpoints (sections 4.10 and 4.11). */
const oauth = { method: "POST", credentials: [], scopes: [], bucket: null } as const;

export const oauthOperations = {
  token: {
    ...oauth,
    id: "token",
    path: tokenPath,
    // If a service rotates refresh tokens, one that is sent twice counts as stolen (RFC 9700, section 4.14.2).
    repeatable: false,
    body: {
      type: "application/x-www-form-urlencoded",
      required: true,
      schema: () => oauthSchemas().tokenRequest,
    },
    response: { status: 200, schema: () => oauthSchemas().tokenResponse },
  },
  revoke: {
    ...oauth,
    id: "revoke",
    path: revokePath,
    // Revoking an invalid token also succeeds (RFC 7009, section 2.2).
    repeatable: true,
    body: {
      type: "application/x-www-form-urlencoded",
      required: true,
      schema: () => oauthSchemas().revokeRequest,
    },
    response: { status: "2xx", schema: null },
  },
} as const satisfies Record<string, Operation<unknown, null>>;

/** The operations of section 4. */
export const allOperations = { ...operations, ...oauthOperations };
