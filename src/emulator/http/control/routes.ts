/**
 * The control surface, for people and tests. It is no part of the service, and no fault touches it.
 *
 * It keeps web pages from driving the emulator: a page can make a browser send requests to this machine. Programs send
 * no origin. `machineCheck` has refused a page's own name that leads here before.
 */
import { Hono } from "hono";
import { createMiddleware } from "hono/factory";

import { jsonAnswer, refuse } from "../answers.js";
import { catalogControl, stateControl } from "./state.js";
import { installationControl } from "./installations.js";
import type { Fetch } from "../portal/scripted-owner.js";
import { sameSecret } from "../oauth/secrets.js";
import { orderControl } from "./orders.js";
import { type ServiceEnv, type Service, requestHeader } from "../../service.js";

const sameOriginOnly = createMiddleware<ServiceEnv>(async (c, next) => {
  const host = requestHeader(c, "host") ?? new URL(c.req.url).host;
  const origin = requestHeader(c, "origin");
  if (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`) {
    return forbidden("Another origin may not use the control surface");
  }
  const site = requestHeader(c, "sec-fetch-site");
  if (c.req.method !== "GET" && (site === "cross-site" || site === "same-site")) {
    return forbidden("Another site may not use the control surface");
  }
  await next();
  return undefined;
});

/** The token is asked for where others than this machine may come in. */
function tokenOnly(token: string) {
  return createMiddleware<ServiceEnv>(async (c, next) => {
    if (!sameSecret(requestHeader(c, "authorization") ?? "", `Bearer ${token}`)) {
      const details = "The control surface needs its token: Authorization: Bearer …";
      return refuse({ status: 401, body: { message: "Unauthorized", details } });
    }
    await next();
    return undefined;
  });
}

function forbidden(details: string): Response {
  return refuse({ status: 403, body: { message: "Forbidden", details } });
}

/**
 * Makes the routes below `/_emulator`.
 *
 * @param visit asks this emulator, whatever the address
 */
export function controlRoutes(service: Service, visit: Fetch): Hono<ServiceEnv> {
  const app = new Hono<ServiceEnv>();
  app.use(sameOriginOnly);
  if (service.controlToken !== undefined) app.use(tokenOnly(service.controlToken));
  app.route("/", orderControl(service));
  app.route("/", catalogControl(service));
  app.route("/", stateControl(service));
  app.route("/", installationControl(service, visit));
  app.get("/openapi.json", async (c) => {
    const { controlDocument } = await import("./document.js");
    return jsonAnswer(controlDocument(new URL(c.req.url).origin));
  });
  return app;
}
