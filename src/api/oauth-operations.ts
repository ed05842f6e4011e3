/**
 * Two operations of section 4 belong to the sign-in. A client that calls the others loads nothing of them, and the sign-in,
 * which builds its requests with a library, needs their paths and what is answered alone.
 */
import * as z from "zod/mini";

import { once } from "./once.js";
import { codeVerifierLength } from "./limits.js";
import type { OperationId } from "./models.js";
import { revokePath, tokenPath, tokenResponseSchema, tokenSchema } from "./oauth.js";
import { operations, type Operation } from "./operations.js";

const codeVerifierRule = "must be 43 to 128 unreserved characters";
/** RFC 7636, section 4.1. */
export const codeVerifierSchema = once(() =>
  z
    .string()
    .check(
      z.minLength(codeVerifierLength.min, codeVerifierRule),
      z.maxLength(codeVerifierLength.max, codeVerifierRule),
      z.regex(/^[A-Za-z0-9._~-]+$/, codeVerifierRule),
    ),
);

export const authorizationCodeGrantSchema = once(() =>
  z.looseObject({
    grant_type: z.literal("authorization_code"),
    code: tokenSchema(),
    redirect_uri: z.string(),
    client_id: z.string(),
    code_verifier: codeVerifierSchema(),
  }),
);

export const refreshTokenGrantSchema = once(() =>
  z.looseObject({
    grant_type: z.literal("refresh_token"),
    refresh_token: tokenSchema(),
    client_id: z.string(),
  }),
);

/** Section 4.10. */
export const tokenRequestSchema = once(() =>
  z.discriminatedUnion("grant_type", [authorizationCodeGrantSchema(), refreshTokenGrantSchema()]),
);

/** Section 4.11. */
export const revokeRequestSchema = once(() => z.looseObject({ token: tokenSchema(), client_id: z.string() }));

/** The two OAuth endpoints have this in common: sections 4.10 and 4.11. */
const oauth = { method: "POST", credentials: [], scopes: [], bucket: null, errorCodes: [] } as const;

export const oauthOperations = {
  token: {
    ...oauth,
    id: "token",
    section: "4.10",
    path: tokenPath,
    // A refresh token that is sent twice counts as stolen where the service rotates them (RFC 9700, 4.14.2).
    repeatable: false,
    body: {
      type: "application/x-www-form-urlencoded",
      required: true,
      schema: tokenRequestSchema,
    },
    response: {
      status: 200,
      schema: tokenResponseSchema,
    },
  },
  revoke: {
    ...oauth,
    id: "revoke",
    section: "4.11",
    path: revokePath,
    // Revoking a token that is already invalid is a success too (RFC 7009, section 2.2).
    repeatable: true,
    body: {
      type: "application/x-www-form-urlencoded",
      required: true,
      schema: revokeRequestSchema,
    },
    response: { status: "2xx", schema: null },
  },
} as const satisfies Record<string, Operation>;

/** Section 4 has these operations. */
export const allOperations = { ...operations, ...oauthOperations } as const satisfies Record<
  OperationId,
  Operation
>;
