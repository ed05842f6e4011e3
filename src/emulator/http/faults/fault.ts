/**
 * Faults can be made on request; they have a short spelling on a command line, and match some requests. What each field means
 * stands in `FaultInput` of `../../inputs.ts`.
 */
import * as z from "zod/mini";

import { nameSuggestion } from "../../../shared/nearest.js";
import { check, detailsOf } from "../../../contract/input.js";
import { allOperations } from "../../../contract/oauth-operations.js";
import type { OperationId } from "../../../contract/models.js";
import { escapeRegExp, patternOf } from "../request-checks.js";

const operationIds = Object.keys(allOperations).filter((name): name is OperationId => name in allOperations);

const matchSchema = z.strictObject({
  method: z.optional(z.string().check(z.minLength(1))),
  path: z.optional(z.string().check(z.minLength(1))),
  operation: z.optional(z.enum(operationIds)),
});

const count = z.int().check(z.minimum(1));
const headers = z.record(z.string().check(z.regex(/^[\w-]+$/)), z.string().check(z.regex(/^[^\r\n\0]*$/)));
const httpStatus = z.int().check(z.minimum(200), z.maximum(599));
const milliseconds = z.number().check(z.minimum(0), z.maximum(600_000));

const common = {
  match: z._default(matchSchema, {}),
  times: z.optional(count),
  after: z.optional(z.int().check(z.minimum(0))),
  when: z._default(z.enum(["before", "after"]), "before"),
};

export const faultSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    ...common,
    kind: z.literal("status"),
    status: httpStatus,
    body: z.optional(z.string()),
    content_type: z.optional(z.string().check(z.regex(/^[^\r\n\0]*$/))),
    headers: z.optional(headers),
  }),
  z.strictObject({ ...common, kind: z.enum(["reset", "hang", "truncate", "not_http"]) }),
  z.strictObject({ ...common, kind: z.literal("delay"), ms: milliseconds }),
  z.strictObject({
    ...common,
    kind: z.enum(["garbage", "html", "empty"]),
    status: z.optional(httpStatus),
  }),
  z.strictObject({
    ...common,
    kind: z.literal("redirect"),
    location: z.string().check(z.regex(/^[\x21-\x7e]+$/)),
    status: z.optional(httpStatus),
  }),
  z.strictObject({
    ...common,
    kind: z.literal("oversize"),
    bytes: z.int().check(z.minimum(1), z.maximum(268_435_456)),
  }),
  z.strictObject({
    ...common,
    kind: z.literal("rate_limit"),
    retry_after: z.optional(
      z.union([z.int().check(z.minimum(0)), z.string().check(z.regex(/^[\x20-\x7e]*$/))]),
    ),
  }),
]);

export type Fault = z.infer<typeof faultSchema>;

/** The value behind a kind goes into this field: `status=503`, `delay=250`. Some kinds take none. */
const kinds: Readonly<Record<Fault["kind"], string | undefined>> = {
  status: "status",
  delay: "ms",
  redirect: "location",
  rate_limit: "retry_after",
  oversize: "bytes",
  html: "status",
  garbage: "status",
  empty: "status",
  reset: undefined,
  hang: undefined,
  truncate: undefined,
  not_http: undefined,
};
const kindNames = Object.keys(kinds).filter((name): name is Fault["kind"] => name in kinds);
const matchKeys = ["method", "path", "operation"];
const plainKeys = ["times", "after", "when", "body", "content_type"];

/**
 * Reads parts with commas between them: the kind (`reset`, `status=503`, `delay=250`, `hang`, `truncate`,
 * `garbage`, `not_http`, `html`, `redirect=URL`, `empty`, `oversize=BYTES`, `rate_limit=SECONDS`) and, in any
 * order, `method=`, `path=`, `operation=`, `times=`, `after=`, `when=before|after`, `body=`, `content_type=`.
 * For example `status=503,path=/dispatch,times=2`.
 *
 * @throws {SyntaxError} where the text can't be understood; its message says what is wrong
 */
export function parseFault(text: string): Fault {
  const match: Record<string, string> = {};
  const fault: Record<string, unknown> = { match };
  for (const part of text.split(",")) {
    const [, name = "", value] = /^(\w+)(?:=(.*))?$/s.exec(part.trim()) ?? [];
    const kind = kindNames.find((candidate) => candidate === name);
    if (kind) setKind(fault, kind, value);
    else if (matchKeys.includes(name) && value !== undefined) match[name] = value;
    else if (plainKeys.includes(name) && value !== undefined) fault[name] = scalar(name, value);
    else throw unknownPart(part.trim(), name);
  }
  if (fault["kind"] === undefined)
    throw new SyntaxError(`The fault "${text}" doesn't say what goes wrong: one of ${kindNames.join(", ")}`);
  const result = check(faultSchema, fault, { owner: "A fault", kind: "field" });
  if (result.ok) return result.value;
  throw new SyntaxError(`The fault "${text}" can't be: ${detailsOf(result)}.`);
}

function unknownPart(part: string, name: string): SyntaxError {
  const keys = [...matchKeys, ...plainKeys];
  return new SyntaxError(
    `A fault can't have the part "${part}".${nameSuggestion(name, [...kindNames, ...keys])} What goes wrong is one of ` +
      `${kindNames.join(", ")}; beside it go ${keys.join("=, ")}=`,
  );
}

function setKind(fault: Record<string, unknown>, kind: Fault["kind"], value: string | undefined): void {
  if (fault["kind"] !== undefined) throw new SyntaxError(`A fault is of one kind: ${kind} is one too many.`);
  fault["kind"] = kind;
  if (value === undefined) return;
  const field = kinds[kind];
  if (field === undefined) throw new SyntaxError(`The fault ${kind} takes no value.`);
  fault[field] = scalar(field, value);
}

/** Reads whole numbers where the schema has them; the schema refuses the rest. */
function scalar(field: string, value: string): unknown {
  const isText = ["when", "body", "content_type", "location"].includes(field);
  return !isText && /^\d+$/.test(value) ? Number(value) : value;
}

interface ActiveFault {
  readonly fault: Fault;
  readonly matches: (method: string, path: string) => boolean;
  sparedRequests: number;
  remaining: number;
}

export class FaultSwitch {
  #faults: readonly ActiveFault[] = [];

  /** Nearly every request comes when no fault is set, so this is asked first. */
  get isOff(): boolean {
    return this.#faults.length === 0;
  }

  /** Replaces all faults. */
  set(faults: readonly Fault[]): void {
    this.#faults = faults.map((fault) => ({
      fault,
      matches: matcher(fault.match),
      sparedRequests: fault.after ?? 0,
      remaining: fault.times ?? Number.POSITIVE_INFINITY,
    }));
  }

  /** Lists every fault as it stands now; one that is used up has `remaining` 0. */
  list(): readonly (Fault & { readonly remaining: number | null })[] {
    return this.#faults.map(({ fault, remaining }) => ({
      ...fault,
      remaining: Number.isFinite(remaining) ? remaining : null,
    }));
  }

  /** Counts the request against the faults that it matches, up to the one that it gets. */
  take(method: string, path: string): Fault | undefined {
    for (const active of this.#faults) {
      if (active.remaining === 0 || !active.matches(method, path)) continue;
      if (active.sparedRequests > 0) {
        active.sparedRequests -= 1;
        continue;
      }
      active.remaining -= 1;
      return active.fault;
    }
    return undefined;
  }
}

function matcher({ method, path, operation }: Fault["match"]): ActiveFault["matches"] {
  const called = operation && {
    ...allOperations[operation],
    pattern: patternOf(allOperations[operation].path),
  };
  const pattern = path?.includes("*")
    ? new RegExp(`^${path.split("*").map(escapeRegExp).join(".*")}$`)
    : undefined;
  return (actualMethod, actualPath) =>
    (method === undefined || actualMethod === method.toUpperCase()) &&
    (path === undefined || (pattern ? pattern.test(actualPath) : actualPath.includes(path))) &&
    (!called || (actualMethod === called.method && called.pattern.test(actualPath)));
}
