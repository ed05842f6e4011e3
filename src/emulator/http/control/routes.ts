/** The control surface, for people and tests. It is no part of the service, and no fault touches it. */
import { Hono } from "hono";

import type { Environment, Service } from "../../service.js";
import { catalogControl } from "./catalog.js";
import { sameOriginOnly } from "./guard.js";
import { installationControl } from "./installations.js";
import { orderControl } from "./orders.js";
import { stateControl } from "./state.js";

export const controlPath = "/_emulator";

/** To be mounted at {@link controlPath}. */
export function controlRoutes(service: Service): Hono<Environment> {
  const app = new Hono<Environment>();
  app.use(sameOriginOnly);
  app.route("/", orderControl(service));
  app.route("/", catalogControl(service));
  app.route("/", stateControl(service));
  app.route("/", installationControl(service));
  return app;
}
