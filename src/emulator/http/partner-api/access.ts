/** Decides who may call, and how often (sections 5 and 8). The store comes from the credential and from nothing else. */
import { credentialHeaders } from "../../../contract/credentials.js";
import type { Operation } from "../../../contract/operations.js";
import { missingScope, rateLimited, Refused, unauthenticated } from "../../domain/choices.js";
import type { Store } from "../../domain/model.js";
import { partnerKey } from "../../seed/cast.js";
import { requestHeader, type Service, type ServiceContext } from "../../service.js";

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

/**
 * Checks credentials, scopes and rate limit.
 *
 * @throws {Refused} for a call that is not let through
 */
export function admission(service: Service, access: Access): (c: ServiceContext) => Call {
  const { world, limiter } = service;
  const { bucket } = access;
  const callerOf = callerLookup(service, access);
  return (c) => {
    const store = callerOf(c);
    if (!store) throw new Refused(unauthenticated);
    c.env.call.storeId = store.id;
    const wait = bucket === null ? 0 : limiter.take(store.id, bucket, world.clock.now());
    if (wait > 0) throw new Refused(rateLimited(Math.ceil(wait / 1_000)));
    return { c, service, store };
  };
}

function callerLookup({ world, server, readings }: Service, access: Access) {
  const takesBearer = access.credentials.includes("bearer");
  const takesKey = access.credentials.includes("api_key");
  const storesByKey = new Map([...world.stores.values()].map((store) => [store.apiKey, store]));

  const storeOfToken = (authorization: string): Store | undefined => {
    const token = /^Bearer +([\x21-\x7e]+)$/i.exec(authorization)?.[1];
    const grant = token === undefined ? undefined : server.authenticate(token);
    if (!grant) return undefined;
    // Section 5.3, rule 2: in the token and in the installation.
    const missing = access.scopes.find(
      (scope) => !grant.scopes.includes(scope) || !grant.installation.scopes.includes(scope),
    );
    if (missing !== undefined) throw new Refused(missingScope(missing));
    return world.stores.get(grant.installation.storeId);
  };

  return (c: ServiceContext): Store | undefined => {
    const authorization = requestHeader(c, credentialHeaders.bearer);
    const key = takesKey ? requestHeader(c, credentialHeaders.api_key) : undefined;
    const isBearers = key === undefined || readings.two_credentials === "bearer";
    const isBearer = takesBearer && authorization !== undefined && isBearers;
    const usual = access.partnerKey ? "partner_key" : "api_key";
    c.env.call.credential = isBearer ? "bearer" : key === undefined ? null : usual;
    if (isBearer) return storeOfToken(authorization);
    const isPartner =
      access.partnerKey === undefined || requestHeader(c, credentialHeaders.partner_key) === partnerKey;
    return key !== undefined && isPartner ? storesByKey.get(key) : undefined;
  };
}
