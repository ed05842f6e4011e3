/**
 * Section 4.12 names these calls and doesn't show them. Credentials and rate limit are as far as it shows them; the answer
 * is one that a test has put there, or 501. These are chosen here, since no path is shown:
 *
 * - `POST /orders` takes the API key and the partner key together, and no Bearer token.
 * - GET of `/orders`, and of one name below it, may be the polling of orders or an order by its id: a Bearer token with
 *   `orders`.
 * - The resources of section 5.3 are below their scope's name, and take a Bearer token with that scope.
 * - Where a test puts an answer elsewhere, a Bearer token or an API key will do.
 */
import type { RateBucket } from "../../../contract/limits.js";
import type { Scope } from "../../../contract/scopes.js";
import { bodyOf } from "../body.js";
import { notShown, Refused } from "../../domain/choices.js";
import { versionedPath, type RouteAnswer } from "../../route-table.js";
import type { Service, ServiceContext } from "../../service.js";
import { admission, type Access } from "./access.js";

interface Unshown extends Access {
  /** The name that section 4.12 gives it. */
  readonly name: string;
}

const bearer = (name: string, scope: Scope, bucket: RateBucket = "general"): Unshown => ({
  name,
  credentials: ["bearer"],
  scopes: [scope],
  bucket,
});

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
const elsewhere: Access = { credentials: ["bearer", "api_key"], scopes: [], bucket: "general" };

function unshownOf(method: string, path: string): Unshown | undefined {
  const [first = "", ...rest] = path.slice(versionedPath.length).split("/");
  if (first !== "orders") return resources.get(first.replace(/s$/, ""));
  if (rest.length === 0 && method === "POST") return creation;
  if ((method !== "GET" && method !== "HEAD") || rest.length > 1 || rest[0] === "") return undefined;
  return rest[0] === "history" ? history : polling;
}

/** @returns answers a request that no operation takes; `undefined` where section 4.12 doesn't name it either */
export function unshownAnswers(service: Service) {
  return (c: ServiceContext, path: string): Promise<Response> | undefined => {
    const { method, url } = c.req.raw;
    if (!path.startsWith(versionedPath)) return undefined;
    const route = service.routes.find(method, path);
    const unshown = unshownOf(method, path);
    if (!route && !unshown) return undefined;
    const { store } = admission(service, unshown ?? elsewhere)(c);
    if (!route) throw new Refused(notShown(unshown?.name ?? ""));
    c.env.call.operation = route.template;
    const { params, handler } = route;
    const query = new URL(url).searchParams;
    return bodyOf(c)
      .then((body) => handler({ method, path, params, body, storeId: store.id, query }))
      .then(written);
  };
}

function written({ status = 200, headers = {}, json, text }: RouteAnswer): Response {
  if (json === undefined) return new Response(text ?? null, { status, headers });
  const type = { "content-type": "application/json" };
  return new Response(JSON.stringify(json), { status, headers: { ...type, ...headers } });
}
