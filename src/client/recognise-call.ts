/** Recognises the operation that a call of any path counts as: the contract's of that path, or one of its own. */
import { operations, type Operation } from "../api/operations.js";
import type { RateBucket } from "../api/limits.js";
import type { CalledOperation } from "./call/call.js";
import { isOfAnOrder } from "./call/of-orders.js";
import { anyCallId } from "./call/observer.js";
import type { Signature } from "./call/signature.js";
import type { HttpRequest } from "./http/transport.js";

export type HttpMethod = HttpRequest["method"];

export const httpMethods: readonly HttpMethod[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

/** RFC 9110, section 9.2.2, and nothing that only this service might promise. */
const repeatableMethods: ReadonlySet<HttpMethod> = new Set(["GET", "HEAD", "PUT", "DELETE"]);

/**
 * @param path below the base URL, as it goes out
 * @param signature in place of what the operation takes
 */
export function recogniseCall(method: HttpMethod, path: string, signature?: Signature) {
  const segments = segmentsOf(path);
  const operation: Operation | undefined = Object.values(operations).find(
    (each) => each.method === method && isPathOf(each, segments),
  );
  return {
    operation: {
      id: operation?.id ?? anyCallId,
      scopes: operation?.scopes ?? [],
      bucket: bucketOf(segments.join("/").toLowerCase()),
      repeatable: repeatableMethods.has(method),
      credentials: signature === undefined ? (operation?.credentials ?? ["bearer", "api_key"]) : [signature],
    } satisfies CalledOperation,
    order: orderIn(segments),
    /** Of an operation that changes an order: only the answer that the contract describes tells that it was done. */
    response: operation && isOfAnOrder(operation.id) ? operation.response : undefined,
  };
}

export type RecognisedCall = ReturnType<typeof recogniseCall>;

type Segments = readonly string[];

/** Gives what stands between the slashes, decoded once, without empty segments and an extension at the end. */
function segmentsOf(path: string): Segments {
  const [beforeQuery = ""] = path.split("?");
  return beforeQuery
    .replace(/\.[a-z]+\/*$/i, "")
    .split("/")
    .filter((each) => each !== "")
    .map(decodedOnce);
}

/** May the service take a path of these segments for the operation's? Capital letters make no difference. */
function isPathOf({ path }: Operation, segments: Segments): boolean {
  const names = segmentsOf(path);
  return (
    names.length === segments.length &&
    names.every((name, index) => name.startsWith("{") || name === segments[index]?.toLowerCase())
  );
}

/** The order is the segment behind `orders`, where something follows it: `…/orders/4711/…`. */
function orderIn(segments: Segments): string | null {
  const place = segments.findIndex((each) => each.toLowerCase() === "orders");
  const isNamed = place !== -1 && segments.length > place + 2;
  return isNamed ? (segments[place + 1] ?? null) : null;
}

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

function decodedOnce(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
