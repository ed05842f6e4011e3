/** The parts of the emulator that answer requests share this. */
import type { IncomingMessage, ServerResponse } from "node:http";

import type { FaultSwitch } from "./http/faults/fault.js";
import type { AuthorizationServer } from "./http/oauth/authorization-server.js";
import type { RateLimiter } from "./http/rate-limit.js";
import type { LogEntry, LoggedCall, RequestLog } from "./http/request-log.js";
import type { Readings } from "./readings.js";
import type { RouteTable } from "./route-table.js";
import type { World } from "./domain/world.js";

export interface Service {
  readonly readings: Readings;
  /** The control surface asks for this token. Where there is none, the whole service is for this machine alone. */
  readonly controlToken: string | undefined;
  readonly world: World;
  readonly server: AuthorizationServer;
  readonly limiter: RateLimiter;
  readonly log: RequestLog;
  readonly faults: FaultSwitch;
  /** Tests put these answers in the place of the service's. */
  readonly routes: RouteTable;
  /** Is told of each answer 500 of the emulator's own, which is in the log as well. */
  readonly onDefect?: ((entry: LogEntry) => void) | undefined;
  /** Goes back to the start. Installations and tokens stay, unless they are to go as well. */
  reset(options?: { readonly tokens?: boolean | undefined }): void;
}

/** A request comes with this. The sockets are there where one carried it. */
export interface Bindings {
  readonly call: LoggedCall;
  readonly incoming?: IncomingMessage;
  readonly outgoing?: ServerResponse;
}

// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- Hono asks for an index signature
export type ServiceEnv = { Bindings: Bindings };

/** An answer takes this of a request. A context of Hono's has it, too; a call of the partner API comes without one. */
export interface ServiceContext {
  readonly req: { readonly raw: Request };
  readonly env: Bindings;
}

/** Gives a header by its lower-case name, without making a Headers object where the socket's own record is there. */
export function requestHeader(c: ServiceContext, name: string): string | undefined {
  const value = c.env.incoming ? c.env.incoming.headers[name] : c.req.raw.headers.get(name);
  return typeof value === "string" ? value : undefined;
}
