/** Signs in without a browser: the owner allows the app, the app exchanges the code, all in memory. */
import { createHash, randomBytes } from "node:crypto";

import type { TokenResponse } from "../contract/oauth.js";
import type { Store } from "./domain/model.js";
import { localClientId, localRedirectUri } from "./seed/cast.js";
import type { Service } from "./service.js";

export interface SignedInStore {
  readonly store: Store;
  /** The token endpoint answers this (section 5.2, step 5). */
  readonly tokens: TokenResponse;
}

/**
 * Signs the app `comanda-local` in at a store, with every scope. Without a store, it is the first.
 *
 * @throws {RangeError} where there is no such store
 */
export function signInStore({ world, server }: Service, storeId?: number): SignedInStore {
  const store = storeId === undefined ? [...world.stores.values()][0] : world.stores.get(storeId);
  const owner = world.people.find(
    ({ profile, storeIds }) => profile === "owner" && store !== undefined && storeIds.includes(store.id),
  );
  if (!store || !owner) {
    throw new RangeError(
      `There is no store ${storeId ?? ""}; there are ${[...world.stores.keys()].join(", ")}.`,
    );
  }
  const codeVerifier = randomBytes(32).toString("base64url");
  const codeChallenge = createHash("sha256").update(codeVerifier, "ascii").digest("base64url");
  const app = { clientId: localClientId, redirectUri: localRedirectUri };
  const code = server.issueCode({ ...app, codeChallenge, storeId: store.id, personId: owner.id });
  return { store, tokens: server.exchangeCode({ ...app, code, codeVerifier }) };
}
