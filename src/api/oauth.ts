/**
 * OAuth 2.0 with an authorisation code and PKCE: sections 4.10, 4.11 and 5. A client that calls the other operations loads
 * nothing of it.
 */
import * as z from "zod/mini";

import { once } from "./basics.js";
import { operations, type Operation } from "./operations.js";
import { described } from "./answers.js";

/** Sections 4.10 and 4.11. */
export const tokenPath = "/api/partner/oauth/token";
export const revokePath = "/api/partner/oauth/revoke";

/** The authorization URL carries these and nothing else of ours; scopes are never sent (section 5.2, step 2). */
export const authorizationParameters = [
  "client_id",
  "state",
  "redirect_uri",
  "code_challenge",
  "code_challenge_method",
] as const;

export const codeChallengeMethod = "S256";

/** A token or code travels in a header or a form, so it is visible ASCII of at most 4,096 characters. */
export const tokenSchema = once(() => z.string().check(z.regex(/^[\x21-\x7e]{1,4096}$/)));

const text = (says: string) => described(says, z.string());
const token = (says: string) => described(says, tokenSchema());
const clientId = "The app's public id; there is no client secret. Section 5.2.";
const verifierRule = "must be 43 to 128 unreserved characters";

export const oauthSchemas = once(() => {
  const authorizationCodeGrant = z.looseObject({
    grant_type: described("Always authorization_code. Section 5.2.", z.literal("authorization_code")),
    code: token("The code that the redirect brought; not to be logged. Section 5.2."),
    redirect_uri: text("The same as in the authorization URL. Section 5.2."),
    client_id: text(clientId),
    // RFC 7636, section 4.1.
    code_verifier: described(
      "The code verifier, 43 to 128 characters, whose challenge went before; not to be logged. Section 5.2.",
      z
        .string()
        .check(
          z.minLength(43, verifierRule),
          z.maxLength(128, verifierRule),
          z.regex(/^[A-Za-z0-9._~-]+$/, verifierRule),
        ),
    ),
  });
  const refreshTokenGrant = z.looseObject({
    grant_type: described("Always refresh_token. Section 5.2.", z.literal("refresh_token")),
    refresh_token: token("The store's refresh token; not to be logged. Section 5.2."),
    client_id: text(clientId),
  });
  return {
    tokenRequest: z.discriminatedUnion("grant_type", [authorizationCodeGrant, refreshTokenGrant]),
    /** Only `access_token` is sure to be in the answer to a refresh (RFC 6749, 5.1 and 6). */
    tokenResponse: z.looseObject({
      access_token: token("The token that goes with each call as Bearer; not to be logged. Section 5.2."),
      token_type: described(
        "Always Bearer. Section 5.2.",
        z.string().check(z.regex(/^[Bb][Ee][Aa][Rr][Ee][Rr]$/)),
      ),
      expires_in: z.optional(
        described("The access token lives this many seconds: 7200. Section 5.2.", z.number()),
      ),
      refresh_token: z.optional(
        token("The token that the next access token is asked for with; not to be logged. Section 5.2."),
      ),
      scope: z.optional(text("The scopes that were granted, with spaces between them. Section 5.2.")),
    }),
    revokeRequest: z.looseObject({
      token: token("An access token or a refresh token. Section 4.11."),
      client_id: text("The app's public id. Section 4.11."),
    }),
  };
});
export type TokenResponse = z.infer<ReturnType<typeof oauthSchemas>["tokenResponse"]>;

/** The two OAuth endpoints have this in common: sections 4.10 and 4.11. */
const oauth = { method: "POST", credentials: [], scopes: [], bucket: null, errorCodes: [] } as const;

export const oauthOperations = {
  token: {
    ...oauth,
    id: "token",
    section: "4.10",
    summary: "Exchange an authorisation code or a refresh token",
    path: tokenPath,
    // A refresh token that is sent twice counts as stolen where the service rotates them (RFC 9700, 4.14.2).
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
    section: "4.11",
    summary: "Revoke a token",
    path: revokePath,
    // Revoking a token that is already invalid is a success too (RFC 7009, section 2.2).
    repeatable: true,
    body: {
      type: "application/x-www-form-urlencoded",
      required: true,
      schema: () => oauthSchemas().revokeRequest,
    },
    response: { status: "2xx", schema: null },
  },
} as const satisfies Record<string, Operation>;

/** Section 4 has these operations. */
export const allOperations = { ...operations, ...oauthOperations };
