/**
 * Decides who may call, and how often (sections 5 and 8). The store comes from the credential and from nothing else.
 *
 * Section 4.12 names some calls and doesn't show them. Credentials and rate limit are as far as it shows them; the answer is
 * one that a test has put there, or 501. No path is shown, so these are chosen here: `POST /orders` takes the API key and the
 * partner key together; GET of `/orders` and of one name below it a Bearer token with `orders`; the resources of section 5.3,
 * below their scope's name, one with that scope; where a test puts an answer elsewhere, a Bearer token or an API key will do.
 */
import { rateLimits, type RateBucket } from "../../api/values.js";
import { credentialHeaders, type Operation } from "../../api/operations.js";
import { rateLimited, refused, unauthenticated } from "../domain/refused.js";
import type { Store } from "../inputs.js";
import type { Readings } from "../readings.js";
import { partnerKey } from "../seed/cast.js";
import type { World } from "../domain/world.js";
import type { AuthorizationServer } from "./authorization-server.js";
import { headerOf, type Incoming, versionedPath } from "./incoming.js";

/** A call takes this credential, and counts as this one (section 5.1). */
export interface Access extends Pick<Operation, "credentials" | "scopes" | "bucket"> {
  /** It comes beside the API key. */
  readonly partnerKey?: true;
}

/** What lets a call in. */
export interface Gate {
  readonly world: World;
  readonly server: AuthorizationServer;
  readonly limiter: RateLimiter;
}

/** Notes the kind of the credential that decides; `null` where none came along. */
export function noteCredential(readings: Readings, access: Access, incoming: Incoming): void {
  const has = (kind: "api_key" | "bearer") =>
    access.credentials.includes(kind) && headerOf(incoming, credentialHeaders[kind]) !== undefined;
  const isBearer = has("bearer") && (!has("api_key") || readings.two_credentials === "bearer");
  const key = access.partnerKey ? "partner_key" : "api_key";
  incoming.call.credential = isBearer ? "bearer" : has("api_key") ? key : null;
}

/**
 * Checks the credential that was noted, scopes and rate limit.
 *
 * @throws {Refused} for a call that is not let through
 */
export function admit({ world, server, limiter }: Gate, access: Access, incoming: Incoming): Store {
  const { call } = incoming;
  let store: Store | undefined;
  if (call.credential === "bearer") {
    const token = /^Bearer +([\x21-\x7e]+)$/i.exec(headerOf(incoming, credentialHeaders.bearer) ?? "")?.[1];
    const grant = token === undefined ? undefined : server.authenticate(token);
    const missing = grant && access.scopes.find((scope) => !grant.scopes.includes(scope));
    if (missing !== undefined)
      throw refused(403, "Insufficient scope", { details: `The scope ${missing} is missing` });
    store = grant && world.stores.get(grant.storeId);
  } else if (!access.partnerKey || headerOf(incoming, credentialHeaders.partner_key) === partnerKey)
    store = world.storesByKey.get(headerOf(incoming, credentialHeaders.api_key) ?? "");
  if (!store || call.credential === null) throw unauthenticated();
  call.store_id = store.id;
  const wait = access.bucket === null ? 0 : limiter.take(store.id, access.bucket, world.clock.now());
  if (wait > 0) throw rateLimited(Math.ceil(wait / 1_000));
  return store;
}

/** Section 8 sets these limits: a window for each store and bucket, on the emulator's clock. */
export class RateLimiter {
  /** The times of the last calls, oldest first. */
  readonly #windows = new Map<string, readonly number[]>();

  constructor(
    public enabled: boolean,
    private readonly readings: Readings,
  ) {}

  /**
   * Takes a place in the window of a store and bucket.
   *
   * @returns 0 where there was one, else the milliseconds until there is one; such a call takes no place
   */
  take(storeId: number, bucket: RateBucket, now: number): number {
    if (!this.enabled) return 0;
    const { windowMs, limit } = rateLimits[bucket];
    const name = `${bucket} ${storeId}`;
    // Where somebody set the clock back, calls of the future say nothing about this minute.
    const times = (this.#windows.get(name) ?? []).filter((time) => time <= now);
    const oldest = times.length < limit ? Number.NEGATIVE_INFINITY : (times[0] ?? 0);
    const isFixed = this.readings.limit_window === "fixed";
    const freeAt = (isFixed ? Math.floor(oldest / windowMs) * windowMs : oldest) + windowMs;
    const wait = Math.max(freeAt - now, 0);
    if (wait === 0 || this.readings.limit_counts === "all")
      this.#windows.set(name, [...times, now].slice(-limit));
    return wait;
  }

  /** Switches the limits, and forgets every call. */
  switch(enabled: boolean): void {
    this.enabled = enabled;
    this.#windows.clear();
  }
}

export const elsewhere: Access = { credentials: ["bearer", "api_key"], scopes: [], bucket: "general" };
const keys: Access = { credentials: ["api_key"], partnerKey: true, scopes: [], bucket: "general" };
const bearer = { credentials: ["bearer"], bucket: "general" } as const;

/** Each is the scope of a resource, and the plural of its name. Drivers and orders have no resource of their own. */
const resources = ["store", "catalog", "customers", "coupons", "reviews"] as const;

/** @returns `undefined` for a call that section 4.12 doesn't name */
export function unshownOf(method: string, path: string): Access | undefined {
  if (!path.startsWith(versionedPath)) return undefined;
  const [first = "", name, ...rest] = path.slice(versionedPath.length).split("/");
  if (first === "orders") {
    if (name === undefined && method === "POST") return keys;
    if (method !== "GET" || rest.length > 0 || name === "") return undefined;
    return { ...bearer, scopes: ["orders"], bucket: name === "history" ? "history" : "general" };
  }
  const singular = (word: string) => word.replace(/s$/, "");
  const scope = resources.find((candidate) => singular(candidate) === singular(first));
  return scope && { ...bearer, scopes: [scope] };
}
