/** Exports only the used part of `oauth4webapi`: the whole would be half of `comanda/oauth`. */
export {
  None,
  ResponseBodyError,
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so to stand out; for loopback hosts alone
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  customFetch,
  processAuthorizationCodeResponse,
  processRefreshTokenResponse,
  processRevocationResponse,
  refreshTokenGrantRequest,
  revocationRequest,
  validateAuthResponse,
} from "oauth4webapi";
