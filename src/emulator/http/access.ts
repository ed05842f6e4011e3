/** Checks credentials, scopes and rate limits (sections 5 and 8). Only the credential determines the store. */
import { errorCodes, rateLimits, type RateBucket } from "../../api/values.js";
import { credentialKinds, type Operation } from "../../api/operations.js";
import { rateLimited, refused } from "../domain/refused.js";
import type { Store } from "../inputs.js";
import type { Readings } from "../readings.js";
import { partnerKey } from "../seed/cast.js";
import type { World } from "../domain/world.js";
import type { AuthorizationServer } from "./oauth.js";
import { headerOf, type Incoming } from "./incoming.js";

export interface Access extends Pick<Operation, "credentials" | "scopes"> {
  /** The rate limit of the request; `null` for the two OAuth endpoints, whose requests aren't counted. */
  readonly bucket: RateBucket | null;
  /** Whether a request with the API key must also contain the partner key (section 5.1). */
  readonly needsPartnerKey?: boolean;
  /** Name under which requests are counted. The default is the name of the bucket. */
  readonly window?: string;
}

const orders = "/api/partner/v1/orders";

/**
 * Returns the access rules for the operations that section 4.12 names without details: either credential, the orders scope for paths
 * of orders (5.3), and the rate limits of section 8. Creating an order requires a token, or the API key with the partner key.
 */
export function accessByPath(method: string, path: string): Access {
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

/** Records which credential determines access, or `null` if the request has none. */
export function noteCredential(readings: Readings, access: Access, incoming: Incoming): void {
  const { bearer, apiKey, partnerKey } = credentialKinds;
  const has = (scheme: "api_key" | "bearer", { header }: { readonly header: string }) =>
    access.credentials.includes(scheme) && headerOf(incoming, header) !== undefined;
  const hasKey = has("api_key", apiKey);
  const isBearer = has("bearer", bearer) && (!hasKey || readings.two_credentials === "bearer");
  // A request may contain the partner key in addition to the API key (section 5.1).
  const key = headerOf(incoming, partnerKey.header) === undefined ? "api_key" : "partner_key";
  incoming.call.credential = isBearer ? "bearer" : hasKey ? key : null;
}

/**
 * Checks the recorded credential, its scopes and the rate limit.
 *
 * @throws {Refused} if the request isn't allowed
 */
export function admit(
  { world, server, limiter }: { world: World; server: AuthorizationServer; limiter: RateLimiter },
  access: Access,
  incoming: Incoming,
): Store {
  const { call } = incoming;
  let store: Store | undefined;
  if (call.credential === "bearer") {
    const token = /^Bearer +([\x21-\x7e]+)$/i.exec(
      headerOf(incoming, credentialKinds.bearer.header) ?? "",
    )?.[1];
    const grant = token === undefined ? undefined : server.authenticate(token);
    const missing = grant && access.scopes.find((scope) => !grant.scopes.includes(scope));
    if (missing !== undefined)
      throw refused(403, "Insufficient scope", { details: `The scope ${missing} is missing` });
    store = grant && world.stores.get(grant.storeId);
  } else if (
    call.credential === "api_key"
      ? !access.needsPartnerKey
      : headerOf(incoming, credentialKinds.partnerKey.header) === partnerKey
  )
    store = world.storesByKey.get(headerOf(incoming, credentialKinds.apiKey.header) ?? "");
  // Section 7 says "no details field in the shown case".
  if (!store || call.credential === null)
    throw refused(401, "Invalid token", { code: errorCodes.invalidToken });
  call.store_id = store.id;
  const { bucket, window } = access;
  const wait = bucket === null ? 0 : limiter.acquire(store.id, bucket, world.clock.now(), window);
  if (wait > 0) throw rateLimited(Math.ceil(wait / 1_000));
  return store;
}

/** Applies the limits of section 8 to each store and bucket, by the emulator's clock. */
export class RateLimiter {
  /** Times of the last requests, oldest first. */
  readonly #windows = new Map<string, readonly number[]>();

  constructor(
    public enabled: boolean,
    private readonly readings: Readings,
  ) {}

  /**
   * Uses a slot in the window of a store and bucket, or of an endpoint that has its own window.
   *
   * @returns 0 if a slot was free, otherwise the milliseconds until the next one is
   */
  acquire(storeId: number, bucket: RateBucket, now: number, window: string = bucket): number {
    if (!this.enabled) return 0;
    const { windowMs, limit } = rateLimits[bucket];
    const name = `${window} ${storeId}`;
    // If the clock was set back, requests from its future don't count.
    const times = (this.#windows.get(name) ?? []).filter((time) => time <= now);
    const oldest = times.length < limit ? Number.NEGATIVE_INFINITY : (times[0] ?? 0);
    const isFixed = this.readings.limit_window === "fixed";
    const freeAt = (isFixed ? Math.floor(oldest / windowMs) * windowMs : oldest) + windowMs;
    const wait = Math.max(freeAt - now, 0);
    if (wait === 0 || this.readings.limit_counts === "all")
      this.#windows.set(name, [...times, now].slice(-limit));
    return wait;
  }

  /** Enables or disables the limits and clears every window. */
  switch(enabled: boolean): void {
    this.enabled = enabled;
    this.#windows.clear();
  }
}
