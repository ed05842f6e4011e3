/** What a call that somebody made up counts as: the contract's operation of that path, or one of its own. */
import { operations, type Operation } from "../contract/operations.js";
import type { RateBucket } from "../contract/limits.js";
import type { CalledOperation } from "./call/outcome.js";
import type { Signature } from "./call/signature.js";
import type { HttpRequest } from "./http/transport.js";

export type HttpMethod = HttpRequest["method"];

export const httpMethods: readonly HttpMethod[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

/** The `operation` of notices about a call of no operation of the contract. */
export const anyCallId = "request";

/** RFC 9110, section 9.2.2, and nothing that only this service might promise. */
const repeatableMethods: ReadonlySet<HttpMethod> = new Set(["GET", "HEAD", "PUT", "DELETE"]);

/**
 * @param path below the base URL
 * @param signature in place of what the operation takes
 */
export function anyOperation(method: HttpMethod, path: string, signature?: Signature): CalledOperation {
  const segments = segmentsOf(path);
  const known = contractOperations.find(
    (operation) => operation.method === method && isPathOf(operation, segments),
  );
  return {
    id: known?.id ?? anyCallId,
    scopes: known?.scopes ?? [],
    bucket: bucketOf(segments.join("/").toLowerCase()),
    repeatable: repeatableMethods.has(method),
    credentials: signature === undefined ? (known?.credentials ?? ["bearer", "api_key"]) : [signature],
  };
}

/** The two of OAuth take no credential; who calls them by hand signs them by hand. */
const contractOperations: readonly Operation[] = Object.values(operations).filter(
  ({ credentials }) => credentials.length > 0,
);

/**
 * What stands between the slashes of a path, decoded. Its query, empty segments and an extension at its end are left out:
 * a service may do without them.
 */
export function segmentsOf(path: string): readonly string[] {
  const end = path.indexOf("?");
  const segments = (end === -1 ? path : path.slice(0, end)).split("/").filter((each) => each !== "");
  const last = segments.pop()?.replace(/\.[a-z]+$/i, "");
  return [...segments, ...(last === undefined ? [] : [last])].map(decoded);
}

/** May the service take a path of these segments for the operation's? Capital letters make no difference. */
export function isPathOf({ path }: Pick<Operation, "path">, segments: readonly string[]): boolean {
  const names = namesInPaths.get(path) ?? segmentsOf(path);
  namesInPaths.set(path, names);
  return (
    names.length === segments.length &&
    names.every((name, index) => name.startsWith("{") || name === segments[index]?.toLowerCase())
  );
}

/** Of the contract's paths, which are few. */
const namesInPaths = new Map<string, readonly string[]>();

/**
 * Section 8 gives 5 a minute to each of `/orders/summary`, `/orders/summary/*` and `/orders/history`. Further ones
 * below `summary` are counted with it: too early is better than refused.
 */
function bucketOf(path: string): RateBucket {
  const [, name, rest] = /\borders\/(summary|history)(\/.*)?$/.exec(path) ?? [];
  if (name === "history") return "history";
  if (name === undefined) return "general";
  return rest === "/grouped" ? "summary_grouped" : "summary";
}

function decoded(segment: string): string {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
