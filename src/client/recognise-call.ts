/** Recognises the operation that a call of any path counts as: the contract's of that path, or one of its own. */
import { operations, type Operation } from "../contract/operations.js";
import type { RateBucket } from "../contract/limits.js";
import type { CalledOperation } from "./call/call.js";
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
  const [asWritten, lenient] = readingsOf(path);
  const operationAt = (segments: Segments) =>
    contractOperations.find((each) => each.method === method && isPathOf(each, segments));
  const plain = operationAt(asWritten);
  const operation = plain ?? operationAt(lenient);
  const segments = plain ? asWritten : lenient;
  return {
    operation: {
      id: operation?.id ?? anyCallId,
      scopes: operation?.scopes ?? [],
      bucket: bucketOf(segments.join("/").toLowerCase()),
      repeatable: repeatableMethods.has(method),
      credentials: signature === undefined ? (operation?.credentials ?? ["bearer", "api_key"]) : [signature],
    } satisfies CalledOperation,
    order: orderIn(operation ? segments : asWritten),
  };
}

/** May the service take a request to this path for a cancel, however leniently it reads, and whatever its method? */
export function mayCancel(path: string): boolean {
  return readingsOf(path).some((segments) => isPathOf(operations.cancelOrder, segments));
}

const contractOperations: readonly Operation[] = Object.values(operations);

type Segments = readonly string[];

/**
 * Gives what stands between the slashes of a path, decoded, as services may read it: the first splits the path before it
 * decodes the parts, the second decodes first, however often, and leaves out what it takes for decoration. Both leave out
 * empty segments and an extension at the end.
 */
function readingsOf(path: string): readonly [asWritten: Segments, lenient: Segments] {
  const [beforeQuery = ""] = path.split("?");
  const [wholePath = ""] = decodedWhole(path).replaceAll("\\", "/").split(/[?#]/);
  return [
    segmentsOf(beforeQuery, /\.[a-z]+$/i).map(decodedOnce),
    segmentsOf(resolved(wholePath).map(undecorated).join("/"), /(?<=.)\..*$/),
  ];
}

/** RFC 3986, section 5.2.4. */
function resolved(path: string): Segments {
  const kept: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "..") kept.pop();
    else if (segment !== "." && segment !== "") kept.push(segment);
  }
  return kept;
}

/** Parameters of a segment, and blanks and dots around it, make no other place to some. */
function undecorated(segment: string): string {
  return segment.replace(/;.*$/s, "").replace(/^[\0-\x20]+|[\0-\x20.]+$/g, "");
}

function segmentsOf(path: string, extension: RegExp): Segments {
  const segments = path.split("/").filter((each) => each !== "");
  const last = segments.pop()?.replace(extension, "");
  return [...segments, ...(last === undefined ? [] : [last])];
}

/** May the service take a path of these segments for the operation's? Capital letters make no difference. */
function isPathOf({ path }: Pick<Operation, "path">, segments: Segments): boolean {
  const names = namesInPaths.get(path) ?? segmentsOf(path, /$^/);
  namesInPaths.set(path, names);
  return (
    names.length === segments.length &&
    names.every((name, index) => name.startsWith("{") || name === segments[index]?.toLowerCase())
  );
}

/** The names in the contract's paths, which are few. */
const namesInPaths = new Map<string, Segments>();

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
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Decodes a text as often as it was encoded. Other letters than ASCII's make no word of the contract. */
function decodedWhole(path: string): string {
  let before: string;
  let text = path;
  do {
    before = text;
    text = text.replace(/%([0-7][\da-f])/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  } while (text !== before);
  return text;
}
