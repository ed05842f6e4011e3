/** What can be made to go wrong, and for which requests. */
import * as z from "zod/mini";

import { operations, type OperationId } from "../../../contract/operations.js";

const operationIds = Object.keys(operations).filter((name): name is OperationId => name in operations);

/** Every condition that is given must hold. */
const matchSchema = z.strictObject({
  method: z.optional(z.string().check(z.minLength(1))),
  /** A part of the path, or a pattern in which `*` stands for anything and which the whole path must fit. */
  path: z.optional(z.string().check(z.minLength(1))),
  operation: z.optional(z.enum(operationIds)),
});

const count = z.int().check(z.minimum(1));
const headers = z.record(z.string().check(z.regex(/^[\w-]+$/)), z.string().check(z.regex(/^[^\r\n\0]*$/)));
const httpStatus = z.int().check(z.minimum(200), z.maximum(599));
const milliseconds = z.number().check(z.minimum(0), z.maximum(600_000));

const common = {
  match: z._default(matchSchema, {}),
  /** For so many requests; without it, for all. */
  times: z.optional(count),
  /** So many matching requests go well first. */
  after: z.optional(z.int().check(z.minimum(0))),
  /** Whether the request is processed: `after` makes the answer go wrong of a change that has happened. */
  when: z._default(z.enum(["before", "after"]), "before"),
};

export const faultSchema = z.discriminatedUnion("kind", [
  /** Another status; without a body, an error body as a gateway has it. */
  z.strictObject({
    ...common,
    kind: z.literal("status"),
    status: httpStatus,
    body: z.optional(z.string()),
    content_type: z.optional(z.string().check(z.regex(/^[^\r\n\0]*$/))),
    headers: z.optional(headers),
  }),
  /** The connection is reset without an answer. */
  z.strictObject({ ...common, kind: z.literal("reset") }),
  /** The right answer, late. */
  z.strictObject({ ...common, kind: z.literal("delay"), ms: milliseconds }),
  /** No answer at all, until the client gives up. */
  z.strictObject({ ...common, kind: z.literal("hang") }),
  /** The head and half of the body, then the end of the connection. */
  z.strictObject({ ...common, kind: z.literal("truncate") }),
  /** Says that it is JSON, and isn't. */
  z.strictObject({ ...common, kind: z.literal("garbage"), status: z.optional(httpStatus) }),
  /** Not even HTTP. */
  z.strictObject({ ...common, kind: z.literal("not_http") }),
  /** A page, as a proxy or a captive portal sends it. */
  z.strictObject({ ...common, kind: z.literal("html"), status: z.optional(httpStatus) }),
  z.strictObject({
    ...common,
    kind: z.literal("redirect"),
    location: z.string().check(z.regex(/^[\x21-\x7e]+$/)),
    status: z.optional(httpStatus),
  }),
  /** No body. */
  z.strictObject({ ...common, kind: z.literal("empty"), status: z.optional(httpStatus) }),
  /** A JSON body of so many bytes. */
  z.strictObject({
    ...common,
    kind: z.literal("oversize"),
    bytes: z.int().check(z.minimum(1), z.maximum(268_435_456)),
  }),
  /** Seconds, or a date as HTTP writes it; without it, no `Retry-After`. */
  z.strictObject({
    ...common,
    kind: z.literal("rate_limit"),
    retry_after: z.optional(
      z.union([z.int().check(z.minimum(0)), z.string().check(z.regex(/^[\x20-\x7e]*$/))]),
    ),
  }),
]);

export type Fault = z.infer<typeof faultSchema>;
/** As it is written: what has a default may be left out. */
export type FaultInput = z.input<typeof faultSchema>;
