/** Decides who may call, and how often (sections 5 and 8). The store comes from the credential and from nothing else. */
import { rateLimits, type RateBucket } from "../../api/values.js";
import { credentialHeaders, type Operation } from "../../api/operations.js";
import { rateLimited, refused, unauthenticated } from "../domain/refused.js";
import type { Store } from "../inputs.js";
import type { Readings } from "../readings.js";
import { partnerKey } from "../seed/cast.js";
import type { World } from "../domain/world.js";
import type { AuthorizationServer } from "./oauth.js";
import { headerOf, type Incoming } from "./incoming.js";

export interface Access extends Pick<Operation, "credentials" | "scopes" | "bucket"> {
  /** The API key needs the partner key next to it (section 5.1). */
  readonly needsPartnerKey?: boolean;
  /** Requests are counted under this name. The default is the bucket's. */
  readonly window?: string;
}

const orders = "/api/partner/v1/orders";

/**
 * Returns who may call what section 4.12 names and doesn't show: by either credential, with the scope of orders if the call is about
 * them (5.3), and as often as section 8 says. Creating an order requires both keys, or a token.
 */
export function unshownAccess(method: string, path: string): Access {
  return {
    credentials: ["bearer", "api_key"],
    scopes: path === orders || path.startsWith(`${orders}/`) ? ["orders"] : [],
    needsPartnerKey: method === "POST" && path === orders,
    ...(path === `${orders}/history`
      ? { bucket: "history" }
      : path.startsWith(`${orders}/summary/`)
        ? { bucket: "summary", window: path }
        : { bucket: "general" }),
  };
}

/** Notes the kind of the credential that decides; `null` where none came along. */
export function noteCredential(readings: Readings, access: Access, incoming: Incoming): void {
  const has = (kind: "api_key" | "bearer") =>
    access.credentials.includes(kind) && headerOf(incoming, credentialHeaders[kind]) !== undefined;
  const isBearer = has("bearer") && (!has("api_key") || readings.two_credentials === "bearer");
  // It may come beside the API key (section 5.1).
  const key = headerOf(incoming, credentialHeaders.partner_key) === undefined ? "api_key" : "partner_key";
  incoming.call.credential = isBearer ? "bearer" : has("api_key") ? key : null;
}

/**
 * Checks the credential that was noted, scopes and rate limit.
 *
 * @throws {Refused} for a call that is not let through
 */
export function admit(
  { world, server, limiter }: { world: World; server: AuthorizationServer; limiter: RateLimiter },
  access: Access,
  incoming: Incoming,
): Store {
  const { call } = incoming;
  let store: Store | undefined;
  if (call.credential === "bearer") {
    const token = /^Bearer +([\x21-\x7e]+)$/i.exec(headerOf(incoming, credentialHeaders.bearer) ?? "")?.[1];
    const grant = token === undefined ? undefined : server.authenticate(token);
    const missing = grant && access.scopes.find((scope) => !grant.scopes.includes(scope));
    if (missing !== undefined)
      throw refused(403, "Insufficient scope", { details: `The scope ${missing} is missing` });
    store = grant && world.stores.get(grant.storeId);
  } else if (
    call.credential === "api_key"
      ? !access.needsPartnerKey
      : headerOf(incoming, credentialHeaders.partner_key) === partnerKey
  )
    store = world.storesByKey.get(headerOf(incoming, credentialHeaders.api_key) ?? "");
  if (!store || call.credential === null) throw unauthenticated();
  call.store_id = store.id;
  const { bucket, window } = access;
  const wait = bucket === null ? 0 : limiter.take(store.id, bucket, world.clock.now(), window);
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
   * Takes a slot in the window of a store and bucket, or of an endpoint that the bucket's limit applies to.
   *
   * @returns 0 where there was one, else the milliseconds until there is one; such a call takes no place
   */
  take(storeId: number, bucket: RateBucket, now: number, window: string = bucket): number {
    if (!this.enabled) return 0;
    const { windowMs, limit } = rateLimits[bucket];
    const name = `${window} ${storeId}`;
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
