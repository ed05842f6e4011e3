/** The portal over the small world of the authorization server's tests. */
import { serve } from "@hono/node-server";
import { Hono } from "hono";

import type { App, Person } from "../../../src/emulator/domain/model.js";
import { AuthorizationServer } from "../../../src/emulator/http/oauth/authorization-server.js";
import { oauthRoutes } from "../../../src/emulator/http/oauth/routes.js";
import { portalRoutes } from "../../../src/emulator/http/portal/routes.js";
import { app, codeChallenge, createTestClock, worldOn } from "../oauth/fixture.js";

export const authorizationParameters = {
  client_id: app.clientId,
  state: "state of the app",
  redirect_uri: "http://127.0.0.1:8765/callback",
  code_challenge: codeChallenge,
  code_challenge_method: "S256",
};

/** The portal and the OAuth endpoints as one application, as the emulator mounts them. */
export function createPortalApp(change: { people?: readonly Person[]; apps?: App[] } = {}) {
  const clock = createTestClock();
  const world = { ...worldOn(clock), ...change };
  const server = new AuthorizationServer(world);
  const root = new Hono();
  root.route("/", oauthRoutes(server));
  root.route("/portal", portalRoutes(server, world));
  return { root, server, clock };
}

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

/** One browser's worth of cookies, over `app.request()`. */
export function createVisitor(root: Hono) {
  let cookie = "";
  const send = async (path: string, init: RequestInit = {}) => {
    const answer = await root.request(path, { ...init, headers: cookie ? { cookie } : {} });
    const set = answer.headers.getSetCookie().at(-1);
    if (set !== undefined) cookie = /^[^;]*/.exec(set)?.[0] ?? "";
    return answer;
  };
  const get = (path: string) => send(path);
  /** Sends a form with the token of the page at `from`. */
  const post = async (path: string, fields: Record<string, string>, from = path) => {
    const page = await (await get(from)).text();
    const formToken = /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? "";
    return send(path, { method: "POST", body: new URLSearchParams({ form_token: formToken, ...fields }) });
  };
  const signIn = (personId: string, search = "") => post(`/portal/login${search}`, { person_id: personId });
  return { send, get, post, signIn, cookie: () => cookie };
}

export function authorizePath(change: Record<string, string | undefined> = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries<string | undefined>({ ...authorizationParameters, ...change })) {
    if (value !== undefined) query.set(name, value);
  }
  return `/portal/authorize?${query.toString()}`;
}
