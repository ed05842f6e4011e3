/** The parts of the emulated service, put together. */
import { World } from "./domain/world.js";
import { RateLimiter } from "./http/access.js";
import { AuthorizationServer } from "./http/authorization-server.js";
import { type Fault, FaultSwitch } from "./http/faults.js";
import { type ReceivedRequest, RequestLog } from "./http/received.js";
import { RouteTable } from "./http/unshown.js";
import type { EmulatorSettings } from "./inputs.js";
import { chooseReadings, type ReadingValue } from "./readings.js";

export interface ServiceOptions extends EmulatorSettings {
  /** Readings answer what the specification leaves open; `random` is drawn by the seed. */
  readonly readings?: Readonly<Record<string, ReadingValue>> | "random";
  readonly faults?: readonly Fault[];
  /** The control surface asks for this token. Without one the whole service is for this machine alone. */
  readonly controlToken?: string;
  /** Is told of each answer 500 of the emulator's own, which is a defect and is in the log as well. */
  readonly onDefect?: (request: ReceivedRequest) => void;
}

export type Service = ReturnType<typeof createService>;

export function createService(options: ServiceOptions = {}) {
  const { rateLimits = true, controlToken, onDefect } = options;
  const readings = chooseReadings(options.readings ?? {}, options.seed);
  const world = new World(options, readings);
  const server = new AuthorizationServer(world, readings, options.accessTokenSeconds);
  const limiter = new RateLimiter(rateLimits, readings);
  const faults = new FaultSwitch();
  faults.set(options.faults ?? []);
  const log = new RequestLog();
  /** Tests put these answers in the place of the service's. */
  const routes = new RouteTable();
  /** Goes back to the start. Installations and tokens stay, unless they are to go as well. */
  const reset = ({ tokens = false }: { readonly tokens?: boolean | undefined } = {}): void => {
    world.reset();
    limiter.switch(rateLimits);
    faults.set(options.faults ?? []);
    log.clear();
    routes.clear();
    server.reset({ tokens });
  };
  return { readings, controlToken, onDefect, world, server, limiter, log, faults, routes, reset };
}
