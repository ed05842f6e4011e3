/** One operation of the contract as a route: what all of them have in common, in the order of choices.ts. */
import type { Hono } from "hono";

import type { Operation } from "../../../contract/operations.js";
import { rateLimited, type Refusal } from "../../domain/choices.js";
import { refuse } from "../answers.js";
import type { Store } from "../../domain/model.js";
import type { Environment, Service, ServiceContext } from "../../service.js";
import { callerLookup, type Credentials } from "./caller.js";

/** A call that was let through. */
export interface Call {
  readonly c: ServiceContext;
  readonly service: Service;
  /** The store that the credential stands for. */
  readonly store: Store;
}

export type Handler = (call: Call) => Response | Promise<Response>;

/** Who may call, and what the call counts as. */
export interface Access extends Credentials {
  readonly bucket: Operation["bucket"];
}

export function mountOperation(
  app: Hono<Environment>,
  service: Service,
  operation: Operation,
  handler: Handler,
): void {
  const admit = admission(service, operation);
  const path = operation.path.replaceAll(/\{(\w+)\}/g, ":$1");
  app.on(operation.method, path, (c) => {
    const call = admit(c);
    return call instanceof Response ? call : handler(call);
  });
}

/** Credentials, scopes and rate limit. @returns the refusal for a call that is not let through */
export function admission(service: Service, access: Access): (c: ServiceContext) => Call | Response {
  const callerOf = callerLookup(service, access);
  const { bucket } = access;
  return (c) => {
    const caller = callerOf(c);
    if (isRefusal(caller)) return refuse(caller);
    c.env.call.storeId = caller.id;
    const wait = bucket === null ? 0 : service.limiter.take(caller.id, bucket, service.world.clock.now());
    if (wait > 0) return refuse(rateLimited, { "retry-after": String(Math.ceil(wait / 1_000)) });
    return { c, service, store: caller };
  };
}

function isRefusal(caller: Store | Refusal): caller is Refusal {
  return "status" in caller;
}
