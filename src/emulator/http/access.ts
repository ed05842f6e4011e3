/** Decides who may call, and how often (sections 5 and 8). The store comes from the credential and from nothing else. */
import { credentialHeaders } from "../../api/credentials.js";
import type { Operation } from "../../api/operations.js";
import { missingScope, rateLimited, Refused, unauthenticated } from "../domain/choices.js";
import type { Store } from "../domain/model.js";
import { partnerKey } from "../seed/cast.js";
import type { Service } from "../service.js";
import { headerOf, type Incoming } from "./incoming.js";

/** A call takes this credential, and counts as this one (section 5.1). */
export interface Access extends Pick<Operation, "credentials" | "scopes" | "bucket"> {
  /** It comes beside the API key. */
  readonly partnerKey?: true;
}

/** Notes the kind of the credential that decides; `null` where none came along. */
export function noteCredential({ readings }: Service, access: Access, incoming: Incoming): void {
  const hasKey =
    access.credentials.includes("api_key") && headerOf(incoming, credentialHeaders.api_key) !== undefined;
  const hasBearer =
    access.credentials.includes("bearer") && headerOf(incoming, credentialHeaders.bearer) !== undefined;
  const isBearer = hasBearer && (!hasKey || readings.two_credentials === "bearer");
  const key = access.partnerKey ? "partner_key" : "api_key";
  incoming.call.credential = isBearer ? "bearer" : hasKey ? key : null;
}

/**
 * Checks the credential that was noted, scopes and rate limit.
 *
 * @throws {Refused} for a call that is not let through
 */
export function admit({ world, server, limiter }: Service, access: Access, incoming: Incoming): Store {
  const { call } = incoming;
  let store: Store | undefined;
  if (call.credential === "bearer") {
    const token = /^Bearer +([\x21-\x7e]+)$/i.exec(headerOf(incoming, credentialHeaders.bearer) ?? "")?.[1];
    const grant = token === undefined ? undefined : server.authenticate(token);
    // Section 5.3, rule 2: in the token and in the installation.
    const missing =
      grant &&
      access.scopes.find(
        (scope) => !grant.scopes.includes(scope) || !grant.installation.scopes.includes(scope),
      );
    if (missing !== undefined) throw new Refused(missingScope(missing));
    store = grant && world.stores.get(grant.installation.storeId);
  } else if (!access.partnerKey || headerOf(incoming, credentialHeaders.partner_key) === partnerKey)
    store = world.storesByKey.get(headerOf(incoming, credentialHeaders.api_key) ?? "");
  if (!store || call.credential === null) throw new Refused(unauthenticated);
  call.storeId = store.id;
  const now = world.clock.now();
  const wait = access.bucket === null ? 0 : limiter.take(store.id, access.bucket, now);
  if (wait > 0) throw new Refused(rateLimited(Math.ceil(wait / 1_000)));
  return store;
}
