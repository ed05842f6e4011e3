/** The error codes of section 7. */
export const errorCodes = {
  /** Invalid body or query; HTTP 400. */
  invalidParameters: 4000,
  /** The order's status can't be changed; its HTTP status is not shown. */
  statusCannotChange: 4002,
  /** Authentication failed; HTTP 401. */
  invalidToken: 4010,
  /** The order does not exist for the store; HTTP 404. */
  notFound: 4041,
} as const;

export type ErrorCode = (typeof errorCodes)[keyof typeof errorCodes];

/** Section 7 names these OAuth errors; a token endpoint also answers with those of RFC 6749, 5.2. */
export const oauthErrors = [
  "invalid_request",
  "access_denied",
  "invalid_client",
  "invalid_grant",
  "unsupported_grant_type",
] as const;
export type OAuthErrorIdentifier = (typeof oauthErrors)[number];
