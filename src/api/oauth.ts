/** Sections 4.10, 4.11 and 5 describe OAuth 2.0 with an authorisation code and PKCE. */
import * as z from "zod/mini";

import { once } from "./once.js";

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

/**
 * Section 5.2, step 5 has these fields. Only `access_token` is sure to be in the answer to a refresh (RFC 6749, 5.1
 * and 6).
 */
export const tokenResponseSchema = once(() =>
  z.looseObject({
    access_token: tokenSchema(),
    token_type: z.string().check(z.regex(/^bearer$/i)),
    expires_in: z.optional(z.number()),
    refresh_token: z.optional(tokenSchema()),
    scope: z.optional(z.string()),
  }),
);
export type TokenResponse = z.infer<ReturnType<typeof tokenResponseSchema>>;
