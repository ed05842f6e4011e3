/** The whole service as one application: every request goes through here, with a socket or without. */
import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

import { Hono } from "hono";

import { answerRewrite } from "./answer-readings.js";
import { reasonOf, refuse } from "./answers.js";
import { foreignHost, internalError, largestBody, methodNotAllowed, notFound } from "../domain/choices.js";
import { readBody } from "./body.js";
import { docsRoutes } from "./api-docs/routes.js";
import { controlPath } from "./control/endpoints.js";
import { controlRoutes } from "./control/routes.js";
import { causeOf, machineCheck, methodsOf } from "./request-checks.js";
import { actOut } from "./faults/act.js";
import { indexRoutes } from "./index-page.js";
import { menuPath } from "./menu/paths.js";
import { menuRoutes, noMenuPage } from "./menu/routes.js";
import { nowPath, nowRoutes } from "./now.js";
import { oauthRoutes } from "./oauth/routes.js";
import { partnerApi, servedOperations } from "./partner-api/operations.js";
import { unshownAnswers } from "./partner-api/unshown.js";
import { portalPath } from "./portal/paths.js";
import { noPortalPage, portalRoutes } from "./portal/routes.js";
import type { Fetch } from "./portal/scripted-owner.js";
import { entryOf, type LoggedCall } from "./request-log.js";
import type { Bindings, ServiceEnv, Service } from "../service.js";

/** The connection that a request came over. */
export interface Connection {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

export interface EmulatorApp {
  readonly fetch: (request: Request, connection?: Connection) => Response | Promise<Response>;
  /** A request without a connection, for tests: `path` begins with a slash. */
  readonly request: (path: string, init?: RequestInit) => Promise<Response>;
}

export function createApp(service: Service): EmulatorApp {
  const callApi = partnerApi(service);
  const app = createRoutes(service, async (input, init) => fetch(new Request(input, init)));
  const { log, faults, world } = service;
  const rewrite = answerRewrite(service.readings);
  const isForThisMachine = machineCheck();

  /** The calls of the API are routed by the contract, all else by Hono. */
  const routed = (request: Request, bindings: Bindings): Response | Promise<Response> => {
    try {
      const answer = callApi({ req: { raw: request }, env: bindings }, bindings.call.path);
      if (!answer) return app.fetch(request, bindings);
      return answer instanceof Promise ? answer.catch((error: unknown) => defect(error, bindings)) : answer;
    } catch (error) {
      return defect(error, bindings);
    }
  };
  const answerOf = (request: Request, bindings: Bindings): Response | Promise<Response> => {
    const answer = routed(request, bindings);
    if (!rewrite) return answer;
    return Promise.resolve(answer).then((response) => {
      bindings.call.refusedBy = reasonOf(response);
      return rewrite(bindings.call, response);
    });
  };

  const finish = (call: LoggedCall, response: Response): Response => {
    call.status = response.status;
    if (response.status >= 400) call.refusedBy ??= reasonOf(response);
    log.answered();
    if (call.cause !== null) service.onDefect?.(entryOf(call));
    return response;
  };

  const fetch = (request: Request, connection?: Connection): Response | Promise<Response> => {
    const { method } = request;
    const path = pathOf(request.url);
    const call = log.begin({ method, path, url: request.url, time: world.clock.now() });
    if (path !== nowPath) log.keep(call);
    if (service.controlToken === undefined && !isForThisMachine(request.url))
      return finish(call, refuse(foreignHost));
    const bindings: Bindings = connection
      ? { call, incoming: connection.incoming, outgoing: connection.outgoing }
      : { call };
    const fault = faults.isOff || isBelow(controlPath, path) ? undefined : faults.take(method, path);
    if (!fault) {
      // A handler that needed no promise gets none: that is the fast way out of the server.
      const answer = answerOf(request, bindings);
      return answer instanceof Promise
        ? answer.then((response) => finish(call, response))
        : finish(call, answer);
    }
    call.fault = fault.kind;
    const acted = actOut(fault, bindings, async () => answerOf(request, bindings));
    return acted.then((response) => (unanswered.has(fault.kind) ? response : finish(call, response)));
  };

  return {
    fetch,
    request: async (path, init) => fetch(new Request(`http://127.0.0.1${path}`, init)),
  };
}

const unanswered: ReadonlySet<string> = new Set(["reset", "hang", "truncate", "not_http"]);

function createRoutes(service: Service, visit: Fetch): Hono<ServiceEnv> {
  const { world, server } = service;
  const app = new Hono<ServiceEnv>();
  const portal = {
    server,
    people: world.people,
    stores: [...world.stores.values()],
    clock: world.clock,
    randomBytes,
  };
  app.use("/api/partner/oauth/*", async (c, next) => {
    c.env.call.operation = c.req.path.endsWith("/token") ? "token" : "revoke";
    c.env.call.body = (await readBody(c.req.raw.clone(), largestBody)) ?? null;
    await next();
  });
  app.route("/", oauthRoutes(server));
  app.route(portalPath, portalRoutes(portal));
  app.route(menuPath, menuRoutes(world));
  app.route(controlPath, controlRoutes(service, visit));
  app.route("/", docsRoutes());
  app.route("/", indexRoutes(service));
  app.route("/", nowRoutes(service));
  const methods = methodsOf([...servedOperations, ...app.routes]);
  const unshown = unshownAnswers(service);
  app.notFound((c) => {
    const { path } = c.req;
    const allowed = methods(path);
    const answer = service.routes.find(c.req.method, path) || allowed.length === 0 ? unshown(c) : undefined;
    if (answer) return answer;
    if (allowed.length > 0) return refuse(methodNotAllowed, { allow: allowed.join(", ") });
    if (isBelow(apiPath, path)) return refuse(notFound);
    // For people: the page without the slash that they typed, or one that says that there is none.
    const page = path.replace(/\/+$/, "");
    if (methods(page).includes("GET")) return c.redirect(page + new URL(c.req.url).search, 301);
    if (isBelow(portalPath, path)) return noPortalPage(c);
    return isBelow(menuPath, path) ? noMenuPage(c) : refuse(notFound);
  });
  app.onError((error, c) => defect(error, c.env));
  return app;
}

/** A defect of the emulator's own. The answer doesn't say which: it is in the log. */
function defect(error: unknown, { call, incoming }: Bindings): Response {
  // A client that went away in the middle of its request is none.
  if (!incoming?.errored) call.cause = causeOf(error);
  return refuse(internalError);
}

/** Paths below this one answer programs alone. */
const apiPath = "/api";

function isBelow(folder: string, path: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** Leaves the query out, since it can hold a code. */
function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  if (start < 0) return "/";
  const [query, fragment] = [url.indexOf("?", start), url.indexOf("#", start)];
  const end = Math.min(query < 0 ? url.length : query, fragment < 0 ? url.length : fragment);
  return url.slice(start, end);
}
