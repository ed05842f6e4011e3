/**
 * The control surface, for people and tests. It is no part of the service, and no fault touches it.
 *
 * It keeps web pages from driving the emulator: a page can make a browser send requests to this machine. Programs send
 * no origin. A name of the page's own that leads here is refused before: `isForThisMachine`.
 */
import { Hono } from "hono";
import { createMiddleware } from "hono/factory";

import { refuse } from "../answers.js";
import { catalogControl, stateControl } from "./state.js";
import { installationControl } from "./installations.js";
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

function forbidden(details: string): Response {
  return refuse({ status: 403, body: { message: "Forbidden", details } });
}

export const controlPath = "/_emulator";

/** The routes below {@link controlPath}. */
export function controlRoutes(service: Service): Hono<ServiceEnv> {
  const app = new Hono<ServiceEnv>();
  app.use(sameOriginOnly);
  app.route("/", orderControl(service));
  app.route("/", catalogControl(service));
  app.route("/", stateControl(service));
  app.route("/", installationControl(service));
  return app;
}

/** The control surface for people to read: what it can do, without its prefix. */
export const controlEndpoints: readonly (readonly [method: string, path: string, what: string])[] = [
  ["GET", "/orders", "Orders, newest first: ?store= &status= &order_type= &limit= &offset=; next leads on"],
  ["POST", "/orders", "Makes an order; what isn’t named is made up"],
  ["GET", "/orders/:id", "One order"],
  ["POST", "/orders/:id/cancellation", "Ends a cancellation that is under way: {result}"],
  ["GET", "/cancellation", "How cancellations of orders paid online by credit card end"],
  ["PUT", "/cancellation", "The same, changed: {after_seconds, result}"],
  ["GET", "/catalog", "What a store sells: ?store=; items, option groups and combo steps with their ids"],
  ["GET", "/prefilled-orders", "Pre-filled orders as they came in, newest first"],
  ["GET", "/stores", "Stores with their drivers, people and API keys; the partner key"],
  ["GET", "/installations", "Which app is installed where"],
  ["POST", "/uninstall", "A store removes an app: {store_id, client_id}"],
  ["PUT", "/tokens", "Lifetimes of codes and tokens, in seconds"],
  ["POST", "/revoke", "Revokes the tokens of a store, or all: {store_id}"],
  ["PUT", "/app", "How an app is registered: redirect addresses, approval, scopes"],
  ["GET", "/clock", "The emulator’s time"],
  ["PUT", "/clock", "Sets it: {now} or {advance_seconds}"],
  ["GET", "/readings", "What the specification leaves open, and what it is here"],
  ["GET", "/log", "The last requests"],
  ["DELETE", "/log", "Empties the log"],
  ["GET", "/faults", "What is set to go wrong"],
  ["PUT", "/faults", "Sets what goes wrong: one fault or a list"],
  ["DELETE", "/faults", "Nothing goes wrong any more"],
  ["GET", "/limits", "Are the rate limits on?"],
  ["PUT", "/limits", "Switches them: {enabled}"],
  ["POST", "/reset", "Back to the start: {tokens: true} signs everybody out"],
];
