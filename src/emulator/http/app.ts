/** The whole service as one application: every request goes through here, with a socket or without. */
import { getPath } from "hono/utils/url";

import { allOperations } from "../../api/oauth-operations.js";
import { isLoopbackHost } from "../../api/loopback.js";
import { forbidden, internalError, methodNotAllowed, notFound, Refused } from "../domain/choices.js";
import type { Service } from "../service.js";
import { type Access, noteCredential } from "./access.js";
import { answerRewrite } from "./answer-readings.js";
import { controlPath, controlRoutes } from "./control.js";
import { actOut, kindOf, unanswered } from "./faults.js";
import { type Connection, type Incoming, patternOf, reasonOf, refuse } from "./incoming.js";
import { entryOf, type LoggedCall } from "./log.js";
import { oauthRoutes } from "./oauth.js";
import { partnerRoutes } from "./operations.js";
import { pageRoutes } from "./pages.js";
import { answerOfTest, elsewhere, refuseUnshown, unshownOf } from "./unshown.js";

export interface EmulatorApp {
  readonly fetch: (request: Request, connection?: Connection) => Response | Promise<Response>;
  /** A request without a connection, for tests: `path` begins with a slash. */
  readonly request: (path: string, init?: RequestInit) => Promise<Response>;
}

type Answer = (incoming: Incoming) => Response | Promise<Response>;

export function createApp(service: Service): EmulatorApp {
  const { log, faults, world, controlToken } = service;
  const rewrite = answerRewrite(service.readings);
  const routes = [
    ...partnerRoutes(service),
    ...oauthRoutes(service.server),
    ...pageRoutes(service),
    ...controlRoutes(service),
  ].map((route) => {
    const operation = Object.values(allOperations).find(({ id }) => id === route.operation);
    return { ...route, operation, pattern: patternOf(route.path) };
  });

  /** Finds who answers, and notes for the list of received requests what it is. */
  const route = (incoming: Incoming): Answer => {
    const { call, request } = incoming;
    const path = call.path.includes("%") ? getPath(request) : call.path;
    // A path that answers GET answers HEAD (RFC 9110, section 9.3.2).
    const method = call.method === "HEAD" ? "GET" : call.method;
    const put = service.routes.find(method, path);
    const built = routes.find((candidate) => candidate.method === method && candidate.pattern.test(path));
    const unshown = built ? undefined : unshownOf(method, path);
    const access: Access = built?.operation ?? unshown ?? elsewhere;
    noteCredential(service, access, incoming);
    const pattern = put?.pattern ?? built?.pattern;
    const groups = Object.entries(pattern?.exec(path)?.groups ?? {});
    incoming.params = Object.fromEntries(groups.map(([name, text]) => [name, decoded(text)]));
    call.operation = built?.operation?.id ?? put?.template ?? null;
    if (put) return () => answerOfTest(service, access, put.handler, incoming);
    if (built) return built.answer;
    const others = routes.filter(({ pattern: other }) => other.test(path));
    const methods = others.flatMap((other) => (other.method === "GET" ? ["GET", "HEAD"] : [other.method]));
    if (methods.length > 0) return () => refuse(methodNotAllowed([...new Set(methods)]));
    if (unshown) return () => refuseUnshown(service, unshown, incoming);
    return () => refuse(notFound);
  };

  /** A handler that needed no promise gets none: that is the fast way out of the server. */
  const answered = (answer: Answer, incoming: Incoming): Response | Promise<Response> => {
    try {
      const response = answer(incoming);
      return response instanceof Promise
        ? response.catch((error: unknown) => failed(error, incoming))
        : response;
    } catch (error) {
      return failed(error, incoming);
    }
  };
  const respond = (answer: Answer, incoming: Incoming): Response | Promise<Response> => {
    const response = answered(answer, incoming);
    const isHead = incoming.call.method === "HEAD";
    if (!rewrite && !isHead) return response;
    return Promise.resolve(response).then(async (usual) => {
      incoming.call.refusedBy = reasonOf(usual);
      const written = (await rewrite?.(incoming.call, usual)) ?? usual;
      return isHead ? new Response(null, written) : written;
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
    // The query is left out, since it can hold a code.
    const [, host = "", path = ""] = /^[^:]*:\/\/([^/?#]*)([^?#]*)/.exec(url) ?? [];
    const call = log.begin({ method, path: path === "" ? "/" : path, url, time: world.clock.now() });
    // A web page can give a name of its own the address of this machine (DNS rebinding), and its requests then come from
    // within its own origin. Where others than this machine may come in, the control surface has a token.
    if (controlToken === undefined && !isLoopbackHost(host.replace(/:\d*$/, "")))
      return finish(call, refuse(forbidden("The Host must be this machine")));
    const incoming: Incoming = { request, call, connection, params: {} };
    const answer = route(incoming);
    const isControl = path === controlPath || path.startsWith(`${controlPath}/`);
    const fault = isControl ? undefined : faults.take(method, path);
    if (fault) {
      call.fault = kindOf(fault);
      const acted = actOut(fault, incoming, () => respond(answer, incoming));
      return acted.then((response) => (unanswered.has(kindOf(fault)) ? response : finish(call, response)));
    }
    const response = respond(answer, incoming);
    return response instanceof Promise
      ? response.then((whole) => finish(call, whole))
      : finish(call, response);
  };

  return {
    fetch,
    request: async (path, init) => fetch(new Request(`http://127.0.0.1${path}`, init)),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A defect of the emulator's own is in the log, and the answer doesn't tell it. */
function failed(error: unknown, { call, connection }: Incoming): Response {
  if (error instanceof Refused) return refuse(error.refusal);
  // A client that went away in the middle of its request is no defect.
  if (!connection?.incoming.errored) call.cause = causeOf(error);
  return refuse(internalError);
}

/** No word of an error's message needs to be longer than this; every token, code, verifier and key is longer. */
const secretLike = /[\w.~+/=-]{24,}/g;
const longestMessage = 300;
const framesKept = 5;

/**
 * Gives the cause of an answer 500, for the person who runs the emulator: kind and message of the error, and where it came
 * from, on one line. What was sent must not be in it.
 */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return `A value that is no error was thrown: ${typeof error}`;
  const message = error.message.replaceAll(secretLike, "…").replaceAll(/\s+/g, " ").slice(0, longestMessage);
  const lines = (error.stack ?? "").split("\n").map((line) => line.trim());
  const frames = lines.filter((line) => line.startsWith("at ")).slice(0, framesKept);
  return [`${error.name}: ${message}`, ...frames].join("; ");
}
