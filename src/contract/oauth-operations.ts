/** Two operations of section 4 belong to the sign-in. A client that calls the others loads nothing of them. */
import type { OperationId } from "./models.js";
import { revokeRequestSchema, tokenRequestSchema, tokenResponseSchema } from "./oauth.js";
import { operations, type Operation } from "./operations.js";

/** The two OAuth endpoints have this in common: sections 4.10 and 4.11. */
const oauth = { method: "POST", credentials: [], scopes: [], bucket: null, errorCodes: [] } as const;

export const oauthOperations = {
  token: {
    ...oauth,
    id: "token",
    section: "4.10",
    path: "/api/partner/oauth/token",
    // A refresh token that is sent twice counts as stolen where the service rotates them (RFC 9700, 4.14.2).
    repeatable: false,
    body: {
      type: "application/x-www-form-urlencoded",
      required: true,
      get schema() {
        return tokenRequestSchema();
      },
    },
    response: {
      status: 200,
      get schema() {
        return tokenResponseSchema();
      },
    },
  },
  revoke: {
    ...oauth,
    id: "revoke",
    section: "4.11",
    path: "/api/partner/oauth/revoke",
    // Revoking a token that is already invalid is a success too (RFC 7009, section 2.2).
    repeatable: true,
    body: {
      type: "application/x-www-form-urlencoded",
      required: true,
      get schema() {
        return revokeRequestSchema();
      },
    },
    response: { status: "2xx", schema: null },
  },
} as const satisfies Record<string, Operation>;

/** Section 4 has these operations. */
export const allOperations = { ...operations, ...oauthOperations } as const satisfies Record<
  OperationId,
  Operation
>;
