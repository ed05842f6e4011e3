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
 * @param path below the base URL, without its query
 * @param signature in place of what the operation takes
 */
export function anyOperation(method: HttpMethod, path: string, signature?: Signature): CalledOperation {
  const plain = decoded(path).replace(/\/+$/, "");
  const known = contractOperations.find(
    (operation) => operation.method === method && patternOf(operation).test(plain),
  );
  return {
    id: known?.id ?? anyCallId,
    scopes: known?.scopes ?? [],
    bucket: bucketOf(plain),
    repeatable: repeatableMethods.has(method),
    credentials: signature === undefined ? (known?.credentials ?? ["bearer", "api_key"]) : [signature],
  };
}

/** The two of OAuth take no credential; who calls them by hand signs them by hand. */
const contractOperations: readonly Operation[] = Object.values(operations).filter(
  ({ credentials }) => credentials.length > 0,
);

function patternOf({ path }: Operation): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
}

/**
 * Section 8 gives 5 a minute to each of `/orders/summary`, `/orders/summary/*` and `/orders/history`. Further ones
 * below `summary` are counted with it: too early is better than refused.
 */
function bucketOf(path: string): RateBucket {
  const [, name, rest] = /\/orders\/(summary|history)(\/.*)?$/.exec(path) ?? [];
  if (name === "history") return "history";
  if (name === undefined) return "general";
  return rest === "/grouped" ? "summary_grouped" : "summary";
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
