import type { Session } from "../../../src/state/sessions.js";

export function session(store: string, generation = 1): Session {
  return {
    version: 1,
    store,
    environment: {
      name: "local",
      base_url: "http://127.0.0.1:4100",
      auth_url: "http://127.0.0.1:4100/portal/authorize",
      client_id: "comanda-local",
      redirect_uri: "http://127.0.0.1:8765/callback",
    },
    tokens: { access_token: `access-${generation}`, expires_at: 1, refresh_token: "refresh", generation },
  };
}
