/** The short spelling of a fault, as a command line has it. */
import { check, detailsOf } from "../../../contract/input.js";
import { faultSchema, type Fault } from "./fault.js";

/** The field that stands behind the name of a kind: `status=503`, `delay=250`. */
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
/** `status=502,html` is a page of that status. */
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
    else throw new SyntaxError(`A fault can't have the part "${part.trim()}".`);
  }
  if (fault["kind"] === undefined) throw new SyntaxError(`The fault "${text}" doesn't say what goes wrong.`);
  const checked = check(faultSchema, fault, { owner: "A fault", kind: "field" });
  if (checked.ok) return checked.value;
  throw new SyntaxError(`The fault "${text}" can't be: ${detailsOf(checked)}.`);
}

function setKind(fault: Record<string, unknown>, kind: string, value: string | undefined): void {
  // `status` with `html`, `garbage` or `empty` is the status that they have.
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

/** Whole numbers where the schema has them; the schema refuses the rest. */
function scalar(field: string, value: string): unknown {
  const texts = new Set(["when", "body", "content_type", "location"]);
  return !texts.has(field) && /^\d+$/.test(value) ? Number(value) : value;
}
