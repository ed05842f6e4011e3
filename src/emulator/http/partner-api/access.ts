/** Decides who may call, and how often (sections 5 and 8). The store comes from the credential and from nothing else. */
import { timingSafeEqual } from "node:crypto";

import { credentialHeaders } from "../../../contract/credentials.js";
import type { Operation } from "../../../contract/operations.js";
import { missingScope, rateLimited, unauthenticated, type Refusal } from "../../domain/choices.js";
import type { Store } from "../../domain/model.js";
import { partnerKey } from "../../seed/cast.js";
import { requestHeader, type Service, type ServiceContext } from "../../service.js";
import { refuse } from "../answers.js";
import { sameSecret } from "../oauth/secrets.js";

/** A call that was let through. */
export interface Call {
  readonly c: ServiceContext;
  readonly service: Service;
  /** The store that the credential stands for. */
  readonly store: Store;
}

/** A call takes this credential, and counts as this one (section 5.1). */
export interface Access extends Pick<Operation, "credentials" | "scopes" | "bucket"> {
  /** It comes beside the API key. */
  readonly partnerKey?: true;
}

/** Credentials, scopes and rate limit. @returns the refusal for a call that is not let through */
export function admission(service: Service, access: Access): (c: ServiceContext) => Call | Response {
  const callerOf = callerLookup(service, access);
  const { bucket } = access;
  return (c) => {
    const caller = callerOf(c);
    if (isRefusal(caller)) return refuse(caller);
    c.env.call.storeId = caller.id;
    const wait = bucket === null ? 0 : service.limiter.take(caller.id, bucket, service.world.clock.now());
    if (wait > 0) return refuse(rateLimited, { "retry-after": String(Math.ceil(wait / 1_000)) });
    return { c, service, store: caller };
  };
}

function isRefusal(caller: Store | Refusal): caller is Refusal {
  return "status" in caller;
}

type CallerLookup = (c: ServiceContext) => Store | Refusal;

/** Made once for each operation, so that a call does nothing but compare. */
function callerLookup(service: Service, access: Access): CallerLookup {
  const { world, server } = service;
  const takesBearer = access.credentials.includes("bearer");
  const takesKey = access.credentials.includes("api_key");
  const storeOfKey = keyLookup([...world.stores.values()]);

  const storeOfToken = (authorization: string): Store | Refusal => {
    const token = /^Bearer +([\x21-\x7e]+)$/i.exec(authorization)?.[1];
    const grant = token === undefined ? undefined : server.authenticate(token);
    if (!grant?.installation.active) return unauthenticated;
    // Section 5.3, rule 2: in the token and in the installation.
    const missing = access.scopes.find(
      (scope) => !grant.scopes.includes(scope) || !grant.installation.scopes.includes(scope),
    );
    if (missing !== undefined) return missingScope(missing);
    return world.stores.get(grant.installation.storeId) ?? unauthenticated;
  };

  return (c) => {
    const authorization = requestHeader(c, credentialHeaders.bearer);
    const key = takesKey ? requestHeader(c, credentialHeaders.api_key) : undefined;
    const isBearers = key === undefined || service.readings.two_credentials === "bearer";
    const isBearer = takesBearer && authorization !== undefined && isBearers;
    const usual = access.partnerKey ? "partner_key" : "api_key";
    c.env.call.credential = isBearer ? "bearer" : key === undefined ? null : usual;
    if (isBearer) return storeOfToken(authorization);
    const isPartner =
      access.partnerKey === undefined ||
      sameSecret(requestHeader(c, credentialHeaders.partner_key) ?? "", partnerKey);
    return key === undefined || !isPartner ? unauthenticated : (storeOfKey(key) ?? unauthenticated);
  };
}

/** Every key is compared in full, so that time tells nothing about any of them. */
function keyLookup(stores: readonly Store[]): (key: string) => Store | undefined {
  const keys = stores.map((store) => ({ store, key: Buffer.from(store.apiKey) }));
  return (text) => {
    const key = Buffer.from(text);
    let match: Store | undefined;
    for (const candidate of keys) {
      if (candidate.key.length === key.length && timingSafeEqual(candidate.key, key)) match = candidate.store;
    }
    return match;
  };
}
