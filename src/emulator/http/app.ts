/** The whole service as one application: every request goes through here, with a socket or without. */
import type { IncomingMessage, ServerResponse } from "node:http";

import { Hono } from "hono";

import {
  forbidden,
  internalError,
  largestBody,
  methodNotAllowed,
  notFound,
  Refused,
} from "../domain/choices.js";
import type { Bindings, Service, ServiceEnv } from "../service.js";
import { answerRewrite } from "./answer-readings.js";
import { reasonOf, refuse } from "./answers.js";
import { docsRoutes } from "./api-docs.js";
import { readBody } from "./body.js";
import { controlRoutes } from "./control/routes.js";
import { actOut } from "./faults/act.js";
import { indexRoutes } from "./index-page.js";
import { menuRoutes, noMenuPage } from "./menu/routes.js";
import { nowRoutes } from "./now.js";
import { oauthRoutes } from "./oauth/routes.js";
import { controlPath, menuPath, nowPath, portalPath } from "./paths.js";
import { partnerApi, servedOperations } from "./partner-api/operations.js";
import { unshownAnswers } from "./partner-api/unshown.js";
import { noPortalPage, portalRoutes } from "./portal/routes.js";
import { causeOf, isForThisMachine, methodsOf } from "./request-checks.js";
import { entryOf, type LoggedCall } from "./request-log.js";

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
  const { log, faults, world, controlToken } = service;
  const callApi = partnerApi(service);
  const app = createRoutes(service);
  const rewrite = answerRewrite(service.readings);

  /** The calls of the API are routed by the contract, all else by Hono. */
  const routed = (request: Request, bindings: Bindings): Response | Promise<Response> => {
    try {
      const answer = callApi({ req: { raw: request }, env: bindings }, bindings.call.path);
      if (!answer) return app.fetch(request, bindings);
      return answer instanceof Promise ? answer.catch((error: unknown) => failed(error, bindings)) : answer;
    } catch (error) {
      return failed(error, bindings);
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
    const { method, url } = request;
    const path = pathOf(url);
    const call = log.begin({ method, path, url, time: world.clock.now() });
    if (path !== nowPath) log.keep(call);
    // Where others than this machine may come in, the control surface has a token.
    if (controlToken === undefined && !isForThisMachine(url))
      return finish(call, refuse(forbidden("The Host must be this machine")));
    const bindings: Bindings = connection
      ? { call, incoming: connection.incoming, outgoing: connection.outgoing }
      : { call };
    const fault = faults.isOff || isBelow(controlPath, path) ? undefined : faults.take(method, path);
    if (fault) {
      call.fault = fault.kind;
      const acted = actOut(fault, bindings, async () => answerOf(request, bindings));
      return acted.then((response) => (unanswered.has(fault.kind) ? response : finish(call, response)));
    }
    // A handler that needed no promise gets none: that is the fast way out of the server.
    const answer = answerOf(request, bindings);
    return answer instanceof Promise
      ? answer.then((response) => finish(call, response))
      : finish(call, answer);
  };

  return {
    fetch,
    request: async (path, init) => fetch(new Request(`http://127.0.0.1${path}`, init)),
  };
}

const unanswered: ReadonlySet<string> = new Set(["reset", "hang", "truncate", "not_http"]);

function createRoutes(service: Service): Hono<ServiceEnv> {
  const { world, server } = service;
  const app = new Hono<ServiceEnv>();
  app.use("/api/partner/oauth/*", async (c, next) => {
    c.env.call.operation = c.req.path.endsWith("/token") ? "token" : "revoke";
    c.env.call.body = (await readBody(c.req.raw.clone(), largestBody)) ?? null;
    await next();
  });
  app.route("/", oauthRoutes(server));
  app.route(portalPath, portalRoutes(server, world));
  app.route(menuPath, menuRoutes(world));
  app.route(controlPath, controlRoutes(service));
  app.route("/", docsRoutes());
  app.route("/", indexRoutes(service));
  app.route("/", nowRoutes(service));
  const methods = methodsOf([...servedOperations, ...app.routes]);
  const unshown = unshownAnswers(service);
  app.notFound((c) => {
    const { path } = c.req;
    const allowed = methods(path);
    const answer =
      allowed.length === 0 || service.routes.find(c.req.method, path) ? unshown(c, path) : undefined;
    if (answer) return answer;
    if (allowed.length > 0) return refuse(methodNotAllowed(allowed));
    if (isBelow("/api", path)) return refuse(notFound);
    // For people: the page without the slash that they typed, or one that says that there is none.
    const page = path.replace(/\/+$/, "");
    if (methods(page).includes("GET")) return c.redirect(page + new URL(c.req.url).search, 301);
    if (isBelow(portalPath, path)) return noPortalPage(c);
    return isBelow(menuPath, path) ? noMenuPage(c) : refuse(notFound);
  });
  app.onError((error, c) => failed(error, c.env));
  return app;
}

/** A defect of the emulator's own is in the log, and the answer doesn't tell it. */
function failed(error: unknown, { call, incoming }: Bindings): Response {
  const isRefused = error instanceof Refused;
  // A client that went away in the middle of its request is no defect.
  if (!isRefused && !incoming?.errored) call.cause = causeOf(error);
  const answer = refuse(isRefused ? error.refusal : internalError);
  return call.method === "HEAD" ? new Response(null, answer) : answer;
}

function isBelow(folder: string, path: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** Leaves the query out, since it can hold a code. */
function pathOf(url: string): string {
  const path = /^[^:]*:\/\/[^/?#]*([^?#]*)/.exec(url)?.[1] ?? "";
  return path === "" ? "/" : path;
}
