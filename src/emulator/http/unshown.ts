/**
 * Section 4.12 names some calls and doesn't show them. Credentials and rate limit are as far as it shows them; the answer
 * is one that a test has put there, or 501. These are chosen here, since no path is shown:
 *
 * - `POST /orders` takes the API key and the partner key together, and no Bearer token.
 * - GET of `/orders`, and of one name below it, may be the polling of orders or an order by its id: a Bearer token with
 *   `orders`.
 * - The resources of section 5.3 are below their scope's name, and take a Bearer token with that scope.
 * - Where a test puts an answer elsewhere, a Bearer token or an API key will do.
 */
import type { RateBucket } from "../../api/limits.js";
import type { Scope } from "../../api/scopes.js";
import { notShown, Refused } from "../domain/choices.js";
import type { Service } from "../service.js";
import { admit, type Access } from "./access.js";
import { bodyOf, type Incoming, jsonAnswer, searchOf } from "./incoming.js";
import { type RouteHandler, versionedPath } from "./routes.js";

export async function answerOfTest(
  service: Service,
  access: Access,
  handler: RouteHandler,
  incoming: Incoming,
): Promise<Response> {
  const { id: storeId } = admit(service, access, incoming);
  const { call, params } = incoming;
  const body = await bodyOf(incoming);
  const { method, path } = call;
  const answer = await handler({ method, path, params, body, storeId, query: searchOf(incoming) });
  const { status = 200, headers = {}, json, text } = answer;
  return json === undefined
    ? new Response(text ?? null, { status, headers })
    : jsonAnswer(json, status, headers);
}

interface Unshown extends Access {
  /** The name that section 4.12 gives it. */
  readonly name: string;
}

function bearer(name: string, scope: Scope, bucket: RateBucket = "general"): Unshown {
  return { name, credentials: ["bearer"], scopes: [scope], bucket };
}

const creation: Unshown = {
  name: "order creation",
  credentials: ["api_key"],
  partnerKey: true,
  scopes: [],
  bucket: "general",
};
const history = bearer("order history", "orders", "history");
const polling = bearer("order polling", "orders");
const resources = new Map(
  (["store", "catalog", "customers", "coupons", "reviews"] as const).map((scope) => [
    scope.replace(/s$/, ""),
    bearer(`the ${scope.replace(/s$/, "")} endpoints`, scope),
  ]),
);
export const elsewhere: Access = { credentials: ["bearer", "api_key"], scopes: [], bucket: "general" };

/** @returns `undefined` for a call that section 4.12 doesn't name */
export function unshownOf(method: string, path: string): Unshown | undefined {
  if (!path.startsWith(versionedPath)) return undefined;
  const [first = "", ...rest] = path.slice(versionedPath.length).split("/");
  if (first !== "orders") return resources.get(first.replace(/s$/, ""));
  if (rest.length === 0 && method === "POST") return creation;
  if (method !== "GET" || rest.length > 1 || rest[0] === "") return undefined;
  return rest[0] === "history" ? history : polling;
}

/** @throws {Refused} with 501, after credentials and rate limit */
export function refuseUnshown(service: Service, unshown: Unshown, incoming: Incoming): never {
  admit(service, unshown, incoming);
  throw new Refused(notShown(unshown.name));
}
