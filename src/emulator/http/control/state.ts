/** Clock, readings, request log, faults, limits and the way back to the start. */
import * as z from "zod/mini";

import { chosenReadings } from "../../readings.js";
import type { Service } from "../../service.js";
import { faultSchema } from "../faults/fault.js";
import { type ControlEndpoint, taking } from "./endpoint.js";

/** A Date can hold this. */
const instant = z.number().check(z.minimum(0), z.maximum(8.64e15));
const seconds = z.number().check(z.minimum(-1e9), z.maximum(1e9));
const clockSchema = z
  .strictObject({
    now: z.optional(z.union([z.iso.datetime({ offset: true }), instant])),
    advance_seconds: z.optional(seconds),
  })
  .check(
    z.refine((body) => (body.now === undefined) !== (body.advance_seconds === undefined), {
      message: "either now or advance_seconds is needed",
    }),
  );

export const stateEndpoints: readonly ControlEndpoint[] = [
  { method: "GET", path: "/clock", what: "The emulator’s time", answer: clockView },
  {
    method: "PUT",
    path: "/clock",
    what: "Sets it: {now} or {advance_seconds}",
    ...taking(clockSchema, (service, { now, advance_seconds = 0 }) => {
      const { clock } = service.world;
      if (now !== undefined) clock.set(new Date(now).getTime());
      else clock.advance(advance_seconds * 1_000);
      return clockView(service);
    }),
  },
  {
    method: "GET",
    path: "/readings",
    what: "What the specification leaves open, and what it is here",
    answer: ({ readings }) => ({ readings: chosenReadings(readings) }),
  },
  {
    method: "GET",
    path: "/log",
    what: "The last requests",
    answer: ({ log }) => ({ requests: log.entries() }),
  },
  {
    method: "DELETE",
    path: "/log",
    what: "Empties the log",
    status: 204,
    answer: ({ log }) => {
      log.clear();
    },
  },
  { method: "GET", path: "/faults", what: "What is set to go wrong", answer: faultsView },
  {
    method: "PUT",
    path: "/faults",
    what: "Sets what goes wrong: one fault or a list",
    ...taking(z.pipe(z.transform(asList), z.array(faultSchema)), (service, faults) => {
      service.faults.set(faults);
      return faultsView(service);
    }),
    body: z.union([faultSchema, z.array(faultSchema)]),
  },
  {
    method: "DELETE",
    path: "/faults",
    what: "Nothing goes wrong any more",
    status: 204,
    answer: ({ faults }) => {
      faults.set([]);
    },
  },
  { method: "GET", path: "/limits", what: "Are the rate limits on?", answer: limitsView },
  {
    method: "PUT",
    path: "/limits",
    what: "Switches them: {enabled}",
    ...taking(z.strictObject({ enabled: z.boolean() }), (service, { enabled }) => {
      service.limiter.enabled = enabled;
      service.limiter.clear();
      return limitsView(service);
    }),
  },
  {
    method: "POST",
    path: "/reset",
    what: "Back to the start: {tokens: true} signs everybody out",
    status: 204,
    ...taking(z.optional(z.strictObject({ tokens: z.optional(z.boolean()) })), (service, body) => {
      service.reset(body);
    }),
  },
];

function clockView({ world: { clock } }: Service) {
  return { now: new Date(clock.now()).toISOString(), milliseconds: clock.now() };
}

function asList(body: unknown): unknown {
  return Array.isArray(body) ? body : [body];
}

function faultsView({ faults }: Service) {
  return { faults: faults.list() };
}

function limitsView({ limiter: { enabled } }: Service) {
  return { enabled };
}
