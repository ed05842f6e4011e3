/** Faults can be made on request; they have a short spelling on a command line, and match some requests. */
import * as z from "zod/mini";

import { nameSuggestion } from "../../../shared/nearest.js";
import { check, detailsOf } from "../../../contract/input.js";
import { allOperations } from "../../../contract/oauth-operations.js";
import type { OperationId } from "../../../contract/models.js";
import type { Operation } from "../../../contract/operations.js";

const operationIds = Object.keys(allOperations).filter((name): name is OperationId => name in allOperations);

/** Every named condition must hold. */
const matchSchema = z.strictObject({
  method: z.optional(z.string().check(z.minLength(1))),
  /**
   * The path matches a part of it, or a pattern in which `*` stands for anything and which the whole path must fit.
   */
  path: z.optional(z.string().check(z.minLength(1))),
  operation: z.optional(z.enum(operationIds)),
});

const count = z.int().check(z.minimum(1));
const headers = z.record(z.string().check(z.regex(/^[\w-]+$/)), z.string().check(z.regex(/^[^\r\n\0]*$/)));
const httpStatus = z.int().check(z.minimum(200), z.maximum(599));
const milliseconds = z.number().check(z.minimum(0), z.maximum(600_000));

const common = {
  match: z._default(matchSchema, {}),
  /** The fault hits so many requests; without it, all. */
  times: z.optional(count),
  /** So many matching requests go well first. */
  after: z.optional(z.int().check(z.minimum(0))),
  /** The request is processed or not: `after` makes the answer go wrong of a change that has happened. */
  when: z._default(z.enum(["before", "after"]), "before"),
};

export const faultSchema = z.discriminatedUnion("kind", [
  /** The answer has another status; without a body, it has an error body as a gateway has it. */
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
  /** The right answer comes late. */
  z.strictObject({ ...common, kind: z.literal("delay"), ms: milliseconds }),
  /** No answer comes at all, until the client gives up. */
  z.strictObject({ ...common, kind: z.literal("hang") }),
  /** The head and half of the body come, then the connection ends. */
  z.strictObject({ ...common, kind: z.literal("truncate") }),
  /** The answer says that it is JSON, and isn't. */
  z.strictObject({ ...common, kind: z.literal("garbage"), status: z.optional(httpStatus) }),
  /** The answer isn't even HTTP. */
  z.strictObject({ ...common, kind: z.literal("not_http") }),
  /** A page comes, as a proxy or a captive portal sends it. */
  z.strictObject({ ...common, kind: z.literal("html"), status: z.optional(httpStatus) }),
  z.strictObject({
    ...common,
    kind: z.literal("redirect"),
    location: z.string().check(z.regex(/^[\x21-\x7e]+$/)),
    status: z.optional(httpStatus),
  }),
  /** The answer has no body. */
  z.strictObject({ ...common, kind: z.literal("empty"), status: z.optional(httpStatus) }),
  /** The answer is a JSON body of so many bytes. */
  z.strictObject({
    ...common,
    kind: z.literal("oversize"),
    bytes: z.int().check(z.minimum(1), z.maximum(268_435_456)),
  }),
  /** The time is in seconds, or a date as HTTP writes it; without it, there is no `Retry-After`. */
  z.strictObject({
    ...common,
    kind: z.literal("rate_limit"),
    retry_after: z.optional(
      z.union([z.int().check(z.minimum(0)), z.string().check(z.regex(/^[\x20-\x7e]*$/))]),
    ),
  }),
]);

export type Fault = z.infer<typeof faultSchema>;

/** The value behind a kind goes into this field: `status=503`, `delay=250`. */
const valueOfKind: Readonly<Record<string, string>> = {
  status: "status",
  delay: "ms",
  redirect: "location",
  rate_limit: "retry_after",
  oversize: "bytes",
  html: "status",
  garbage: "status",
  empty: "status",
};
const kinds = new Set([...Object.keys(valueOfKind), "reset", "hang", "truncate", "not_http"]);
/** For these kinds `status` may be added: `status=502,html` is a page of that status. */
const takesStatus: ReadonlySet<unknown> = new Set(["html", "garbage", "empty"]);
const matchKeys = new Set(["method", "path", "operation"]);
const plainKeys = new Set(["times", "after", "when", "body", "content_type"]);

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
    if (matchKeys.has(name) && value !== undefined) match[name] = value;
    else if (plainKeys.has(name) && value !== undefined) fault[name] = scalar(name, value);
    else if (kinds.has(name)) setKind(fault, name, value);
    else throw unknownPart(part.trim(), name);
  }
  if (fault["kind"] === undefined) {
    throw new SyntaxError(`The fault "${text}" doesn't say what goes wrong: one of ${[...kinds].join(", ")}`);
  }
  const result = check(faultSchema, fault, { owner: "A fault", kind: "field" });
  if (result.ok) return result.value;
  throw new SyntaxError(`The fault "${text}" can't be: ${detailsOf(result)}.`);
}

function unknownPart(part: string, name: string): SyntaxError {
  const names = [...kinds, ...matchKeys, ...plainKeys];
  return new SyntaxError(
    `A fault can't have the part "${part}".${nameSuggestion(name, names)} What goes wrong is one of ` +
      `${[...kinds].join(", ")}; beside it go ${[...matchKeys, ...plainKeys].join("=, ")}=`,
  );
}

function setKind(fault: Record<string, unknown>, kind: string, value: string | undefined): void {
  // Beside `html`, `garbage` or `empty`, `status` is the status that they have.
  if (kind === "status" && takesStatus.has(kindOf(fault))) {
    fault["status"] = scalar(kind, value ?? "");
    return;
  }
  const refinesStatus = kindOf(fault) === "status" && takesStatus.has(kind);
  if (fault["kind"] !== undefined && !refinesStatus) {
    throw new SyntaxError(`A fault is of one kind: ${kind} is one too many.`);
  }
  fault["kind"] = kind;
  if (value === undefined) return;
  const field = valueOfKind[kind];
  if (field === undefined) throw new SyntaxError(`The fault ${kind} takes no value.`);
  fault[field] = scalar(field, value);
}

function kindOf(fault: Readonly<Record<string, unknown>>): unknown {
  return fault["kind"];
}

/** Reads whole numbers where the schema has them; the schema refuses the rest. */
function scalar(field: string, value: string): unknown {
  const texts = new Set(["when", "body", "content_type", "location"]);
  return !texts.has(field) && /^\d+$/.test(value) ? Number(value) : value;
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
  const tests: ActiveFault["matches"][] = [];
  if (method !== undefined) tests.push((actual) => actual === method.toUpperCase());
  if (path !== undefined) tests.push(pathTest(path));
  if (operation !== undefined) tests.push(operationTest(allOperations[operation]));
  return (actualMethod, actualPath) => tests.every((test) => test(actualMethod, actualPath));
}

function pathTest(path: string): ActiveFault["matches"] {
  if (!path.includes("*")) return (_, actual) => actual.includes(path);
  const pattern = new RegExp(`^${path.split("*").map(escapeRegExp).join(".*")}$`);
  return (_, actual) => pattern.test(actual);
}

function operationTest({ method, path }: Operation): ActiveFault["matches"] {
  const pattern = new RegExp(
    `^${path
      .split(/\{\w+\}/)
      .map(escapeRegExp)
      .join("[^/]+")}$`,
  );
  return (actualMethod, actualPath) => actualMethod === method && pattern.test(actualPath);
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
