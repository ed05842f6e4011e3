/** Creates the application that answers every request, received over a connection or passed by a test. */
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";

import { isLoopbackHost } from "../../base/basics.js";
import { allOperations } from "../../api/oauth.js";
import { forbidden, notFound, Refused, refused } from "../domain/refused.js";
import type { Service } from "../service.js";
import { type Access, admit, noteCredential, accessByPath } from "./access.js";
import { answerRewrite } from "./answer-readings.js";
import { controlPath, controlRoutes } from "./control.js";
import { performFault, kindOf } from "./faults.js";
import { bodyOf, headerOf, jsonAnswer, patternOf, routeMethods, searchOf } from "./incoming.js";
import type { Connection, Incoming, Route, RouteHandler } from "./incoming.js";
import { oauthRoutes } from "./oauth.js";
import { partnerRoutes } from "./operations.js";
import { pageRoutes } from "./pages.js";

export function createApp(service: Service) {
  const { log, faults, world, controlToken } = service;
  const rewrite = answerRewrite(service.readings);
  const routes = [
    ...partnerRoutes(service),
    ...oauthRoutes(service.server),
    ...pageRoutes(service),
    ...controlRoutes(service),
  ].map(({ method, path, answer }) => {
    const operation = Object.values(allOperations).find(
      (each) => each.method === method && each.path === path,
    );
    return { method, pattern: patternOf(path), answer, operation };
  });

  /** Finds the handler of a request, and records its credential and operation. */
  const route = (incoming: Incoming): Route["answer"] => {
    const { method, path } = incoming.call;
    const put = service.routes.find(method, path);
    const built = routes.find((candidate) => candidate.method === method && candidate.pattern.test(path));
    const access = built?.operation ?? accessByPath(method, path);
    noteCredential(service.readings, access, incoming);
    const groups = Object.entries((put ?? built)?.pattern.exec(path)?.groups ?? {});
    incoming.params = Object.fromEntries(groups.map(([name, text]) => [name, decoded(text)]));
    incoming.call.operation = built?.operation?.id ?? put?.template ?? null;
    if (put) return () => answerOfTest(service, access, put.handler, incoming);
    if (built) return built.answer;
    return () => {
      throw routes.some(({ pattern }) => pattern.test(path))
        ? refused(405, "Method not allowed")
        : notFound();
    };
  };

  /** Returns a response without a promise if the handler did, because the server sends it faster. */
  const respond = (answer: Route["answer"], incoming: Incoming): Response | Promise<Response> => {
    let response: Response | Promise<Response>;
    try {
      response = answer(incoming);
      if (response instanceof Promise) response = response.catch((error: unknown) => failed(error, incoming));
    } catch (error) {
      response = failed(error, incoming);
    }
    if (!rewrite) return response;
    return Promise.resolve(response).then((usual) =>
      incoming.isAnsweredByTest ? usual : rewrite(incoming.call, usual),
    );
  };

  const fetch = (request: Request, connection?: Connection): Response | Promise<Response> => {
    const { method, url } = request;
    // The path in the log has no query, because a query can contain a code.
    const [, host = "", path = ""] = /^[^:]*:\/\/([^/?#]*)([^?#]*)/.exec(url) ?? [];
    const isOfPage = path.startsWith("/api/") && headerOf({ request, connection }, "origin") !== undefined;
    if (isOfPage && method === "OPTIONS") return preflightAnswer({ request, connection });
    const call = log.begin(method, path === "" ? "/" : path, url, world.clock.now());
    const incoming: Incoming = { request, call, connection, params: {} };
    const finish = (response: Response): Response => {
      call.status = response.status;
      if (isOfPage) for (const [name, value] of Object.entries(forPages)) response.headers.set(name, value);
      return response;
    };
    // A website can point its own domain at this machine (DNS rebinding), so that its requests have the same origin.
    // If other machines may connect, the control API requires a token instead.
    if (controlToken === undefined && !isLoopbackHost(host.replace(/:\d*$/, "")))
      return finish(failed(forbidden("The Host must be this machine"), incoming));
    const answer = route(incoming);
    const isControl = path === controlPath || path.startsWith(`${controlPath}/`);
    const fault = isControl ? undefined : faults.next(method, path);
    if (fault) {
      call.fault = kindOf(fault);
      return performFault(fault, incoming, () => respond(answer, incoming), service.closed.signal)
        .catch((error: unknown) => failed(error, incoming))
        .then((response) => (response === RESPONSE_ALREADY_SENT ? response : finish(response)));
    }
    const response = respond(answer, incoming);
    return response instanceof Promise ? response.then(finish) : finish(response);
  };

  return {
    fetch,
    /** Sends a request without a connection, for tests. `path` begins with a slash. */
    request: async (path: string, init?: RequestInit) => fetch(new Request(`http://127.0.0.1${path}`, init)),
  };
}

/**
 * Headers that let a page of any origin read an answer of the API (fetch.spec.whatwg.org, "CORS protocol"). It can't call the API without
 * a token.
 */
const forPages = { "access-control-allow-origin": "*", "access-control-expose-headers": "*" };

/** Answers a browser that asks whether a page may send a request. */
function preflightAnswer(incoming: Pick<Incoming, "request" | "connection">): Response {
  const headers = {
    ...forPages,
    "access-control-allow-methods": routeMethods.join(", "),
    // The value `*` doesn't include `Authorization`.
    "access-control-allow-headers": headerOf(incoming, "access-control-request-headers") ?? "*",
  };
  return new Response(null, { status: 204, headers });
}

/** Answers with a test's handler, after the checks of credentials and rate limit. */
async function answerOfTest(
  service: Service,
  access: Access,
  handler: RouteHandler,
  incoming: Incoming,
): Promise<Response> {
  const { id: storeId } = admit(service, access, incoming);
  incoming.isAnsweredByTest = true;
  const { call, params } = incoming;
  const body = await bodyOf(incoming);
  const { method, path } = call;
  const answer = await handler({ method, path, params, body, storeId, query: searchOf(incoming) });
  const { status = 200, headers = {}, json, text } = answer;
  return json === undefined
    ? new Response(text ?? null, { status, headers })
    : jsonAnswer(json, status, headers);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the response for an error. Only the log contains the cause of an internal error. */
function failed(error: unknown, { call, connection }: Incoming): Response {
  // A client that disconnects during its request isn't an internal error.
  if (!(error instanceof Refused) && !connection?.incoming.errored) call.cause = causeOf(error);
  const refusal = error instanceof Refused ? error : refused(500, "Internal error");
  call.refused_by = refusal.message;
  return jsonAnswer(refusal.body, refusal.status, refusal.headers);
}

/** Returns an error's message and stack without words of at least 24 characters, because they may be secrets. */
function causeOf(error: unknown): string {
  const { name, message, stack = "" } = error instanceof Error ? error : new TypeError("no error was thrown");
  const [, ...frames] = stack.split(/\n\s+(?=at )/);
  return [`${name}: ${message.replaceAll(/[\w.~+/=-]{24,}/g, "…")}`, ...frames.slice(0, 5)].join("; ");
}
