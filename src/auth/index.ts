/** Signing in and out, and access tokens that refresh themselves. */
export { createAccessTokenSource, type AccessTokenOptions, type AccessTokenSource } from "./access-token.js";
export type { RedirectPrompt } from "./pasted-redirect.js";
export type { RandomBytes } from "./pkce.js";
export { signIn, type SignInOptions } from "./sign-in.js";
export { signOut, type SignOutOptions, type SignOutResult } from "./sign-out.js";
