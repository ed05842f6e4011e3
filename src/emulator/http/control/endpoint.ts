/** The control surface is a table of these: its routes, its OpenAPI document and the front page are made of it. */
import type * as z from "zod/mini";

import { bodyOf, parseBody } from "../body.js";
import type { Service, ServiceContext } from "../../service.js";

export interface ControlEndpoint {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** The path is below `/_emulator`. */
  readonly path: string;
  readonly what: string;
  readonly query?: readonly string[];
  readonly body?: z.ZodMiniType;
  /** Success has this status; 200 where there is none. */
  readonly status?: 201 | 204;
  /** Gives what is answered as JSON; a `Refused` that it throws is the answer else. */
  readonly answer: (service: Service, request: ControlRequest) => unknown;
}

export interface ControlRequest extends ServiceContext {
  readonly url: URL;
  /** The parameter of the path; "" without one. */
  readonly id: string;
}

/** Makes the part of an endpoint that takes a body. */
export function taking<Body extends z.ZodMiniType>(
  body: Body,
  work: (service: Service, body: z.output<Body>, request: ControlRequest) => unknown,
): Pick<ControlEndpoint, "body" | "answer"> {
  return {
    body,
    answer: async (service, request) =>
      work(service, parseBody(request, await bodyOf(request), body), request),
  };
}
