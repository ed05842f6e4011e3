/**
 * The control surface, for people and tests. It is no part of the service, and no fault touches it.
 *
 * It keeps web pages from driving the emulator: a page can make a browser send requests to this machine. Programs send
 * no origin. `machineCheck` has refused a page's own name that leads here before.
 */
import { timingSafeEqual } from "node:crypto";

import { Hono } from "hono";

import { forbidden, Refused } from "../../domain/choices.js";
import { type ServiceEnv, type Service, type ServiceContext, requestHeader } from "../../service.js";
import { emptyAnswer, jsonAnswer } from "../answers.js";
import type { ControlEndpoint } from "./endpoint.js";
import { installationEndpoints } from "./installations.js";
import { orderEndpoints } from "./orders.js";
import { stateEndpoints } from "./state.js";

export const controlEndpoints: readonly ControlEndpoint[] = [
  ...orderEndpoints,
  ...installationEndpoints,
  ...stateEndpoints,
  {
    method: "GET",
    path: "/openapi.json",
    what: "This control surface as an OpenAPI document",
    answer: async (_, { url }) => {
      const { controlDocument } = await import("./document.js");
      return controlDocument(controlEndpoints, url.origin);
    },
  },
];

/** Makes the routes below `/_emulator`. */
export function controlRoutes(service: Service): Hono<ServiceEnv> {
  const app = new Hono<ServiceEnv>();
  app.use(async (c, next) => {
    check(service, c);
    await next();
  });
  for (const { method, path, status = 200, answer } of controlEndpoints)
    app.on(method, path, async (c) => {
      const request = { req: c.req, env: c.env, url: new URL(c.req.url), id: c.req.param("id") ?? "" };
      const json = await answer(service, request);
      return status === 204 ? emptyAnswer(204) : jsonAnswer(json, status);
    });
  return app;
}

/** Refuses pages of other origins, and those without the token where others than this machine may come in. */
function check({ controlToken }: Service, c: ServiceContext): void {
  const { url, method } = c.req.raw;
  const host = requestHeader(c, "host") ?? new URL(url).host;
  const origin = requestHeader(c, "origin");
  if (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`)
    throw new Refused(forbidden("Another origin may not use the control surface"));
  if (method !== "GET" && /^(?:cross|same)-site$/.test(requestHeader(c, "sec-fetch-site") ?? ""))
    throw new Refused(forbidden("Another site may not use the control surface"));
  if (controlToken === undefined) return;
  const expected = Buffer.from(`Bearer ${controlToken}`);
  const authorization = Buffer.from(requestHeader(c, "authorization") ?? "");
  if (authorization.length === expected.length && timingSafeEqual(authorization, expected)) return;
  const details = "The control surface needs its token: Authorization: Bearer …";
  throw new Refused({ status: 401, body: { message: "Unauthorized", details } });
}
