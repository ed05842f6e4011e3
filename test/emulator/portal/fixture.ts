/** An authorization request, and an app that it leads back to. */
import { serve } from "@hono/node-server";
import type { Hono } from "hono";

import { app, codeChallenge } from "../oauth/fixture.js";

export const authorizationParameters = {
  client_id: app.clientId,
  state: "state of the app",
  redirect_uri: "http://127.0.0.1:8765/callback",
  code_challenge: codeChallenge,
  code_challenge_method: "S256",
};

/** An application behind a port of its own. */
export async function listen(application: Hono, hostname = "127.0.0.1") {
  const listening = await new Promise<{ port: number; close: () => Promise<void> }>((resolve) => {
    const server = serve(
      { fetch: application.fetch, hostname, port: 0, overrideGlobalObjects: false },
      ({ port }) =>
        resolve({
          port,
          close: () =>
            new Promise((done) => {
              server.close(() => done());
              if ("closeAllConnections" in server) server.closeAllConnections();
            }),
        }),
    );
  });
  return { ...listening, origin: `http://${hostname}:${listening.port}` };
}

export function authorizePath(change: Record<string, string | undefined> = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries<string | undefined>({ ...authorizationParameters, ...change })) {
    if (value !== undefined) query.set(name, value);
  }
  return `/portal/authorize?${query.toString()}`;
}
