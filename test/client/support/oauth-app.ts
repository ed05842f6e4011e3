/** Valid options of `createOAuth`, for tests that spoil one. */
import { createMemoryTokenStore } from "../../../src/library/oauth.js";

export const app = {
  authUrl: "https://portal.example/authorize",
  baseUrl: "https://api.example",
  clientId: "app",
  redirectUri: "https://shop.example/callback",
  store: createMemoryTokenStore(),
};
