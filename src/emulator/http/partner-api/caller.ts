/** Who calls: section 5. The store comes from the credential and from nothing else. */
import { timingSafeEqual } from "node:crypto";

import { credentialHeaders } from "../../../contract/credentials.js";
import type { Operation } from "../../../contract/operations.js";
import { missingScope, unauthenticated, type Refusal } from "../../domain/choices.js";
import type { Store } from "../../domain/model.js";
import { sameSecret } from "../oauth/pkce.js";
import { partnerKey } from "../../seed/cast.js";
import { requestHeader, type Service, type ServiceContext } from "../../service.js";

/** What an operation takes: section 5.1. */
export interface Credentials extends Pick<Operation, "credentials" | "scopes"> {
  /** Beside the API key. */
  readonly partnerKey?: true;
}

export type CallerLookup = (c: ServiceContext) => Store | Refusal;

/** Made once for each operation, so that a call does nothing but compare. */
export function callerLookup(service: Service, operation: Credentials): CallerLookup {
  const { world, server } = service;
  const takesBearer = operation.credentials.includes("bearer");
  const takesKey = operation.credentials.includes("api_key");
  const storeOfKey = keyLookup([...world.stores.values()]);

  const storeOfToken = (authorization: string): Store | Refusal => {
    const token = /^Bearer +([\x21-\x7e]+)$/i.exec(authorization)?.[1];
    const grant = token === undefined ? undefined : server.authenticate(token);
    if (!grant?.installation.active) return unauthenticated;
    // Section 5.3, rule 2: in the token and in the installation.
    const missing = operation.scopes.find(
      (scope) => !grant.scopes.includes(scope) || !grant.installation.scopes.includes(scope),
    );
    if (missing !== undefined) return missingScope(missing);
    return world.stores.get(grant.installation.storeId) ?? unauthenticated;
  };

  return (c) => {
    const authorization = requestHeader(c, credentialHeaders.bearer);
    if (takesBearer && authorization !== undefined) return storeOfToken(authorization);
    const key = takesKey ? requestHeader(c, credentialHeaders.api_key) : undefined;
    const isPartner =
      operation.partnerKey === undefined ||
      sameSecret(requestHeader(c, credentialHeaders.partner_key) ?? "", partnerKey);
    return key === undefined || !isPartner ? unauthenticated : (storeOfKey(key) ?? unauthenticated);
  };
}

/** Every key is compared in full, so that time tells nothing about any of them. */
function keyLookup(stores: readonly Store[]): (key: string) => Store | undefined {
  const known = stores.map((store) => ({ store, key: Buffer.from(store.apiKey) }));
  return (text) => {
    const key = Buffer.from(text);
    let found: Store | undefined;
    for (const one of known) {
      if (one.key.length === key.length && timingSafeEqual(one.key, key)) found = one.store;
    }
    return found;
  };
}
