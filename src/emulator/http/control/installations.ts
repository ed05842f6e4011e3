/** Stores, apps, installations and tokens. */
import * as z from "zod/mini";

import { invalid } from "../../domain/choices.js";
import type { Store } from "../../domain/model.js";
import type { World } from "../../domain/world.js";
import { everyScope, partnerKey } from "../../seed/cast.js";
import { decideAsOwner, signInStore } from "../../sign-in.js";
import { portalPaths } from "../paths.js";
import { type ControlEndpoint, taking } from "./endpoint.js";

const id = z.int().check(z.minimum(1));
const name = z.optional(z.string().check(z.minLength(1)));
/** A lifetime is in seconds, and roughly as long as a Date reaches. */
const lifetime = z.optional(z.number().check(z.gt(0), z.maximum(1e9)));
const storeSchema = z.strictObject({ store_id: z.optional(id) });

export const installationEndpoints: readonly ControlEndpoint[] = [
  {
    method: "GET",
    path: "/stores",
    what: "Stores with their drivers, people and API keys; the partner key",
    answer: ({ world }) => ({
      stores: [...world.stores.values()].map((store) => storeView(world, store)),
      partner_key: partnerKey,
    }),
  },
  {
    method: "PUT",
    path: "/drivers",
    what: "Makes a driver, or changes one: {id, store_id, name, active}",
    ...taking(
      z.strictObject({ id, store_id: z.optional(id), name, active: z.optional(z.boolean()) }),
      ({ world }, { store_id, ...change }) => snakeCased(world.putDriver({ storeId: store_id, ...change })),
    ),
  },
  {
    method: "GET",
    path: "/installations",
    what: "Which app is installed where",
    answer: ({ server }) => ({ installations: server.installations().map(snakeCased) }),
  },
  {
    method: "POST",
    path: "/sign-in",
    what: "Installs comanda’s own app at a store, and gives its tokens: {store_id}",
    status: 201,
    ...taking(storeSchema, (service, { store_id }) => {
      const { store, tokens } = signInStore(service, store_id);
      return { store_id: store.id, ...tokens };
    }),
  },
  {
    method: "POST",
    path: "/authorize",
    what: "The owner’s part of an app’s sign-in; gives the redirect’s address: {url, person, store, allow}",
    ...taking(
      z.strictObject({
        url: z.url(),
        person: z.optional(z.string()),
        store: z.optional(id),
        allow: z.optional(z.boolean()),
      }),
      (service, { url, ...decision }) => {
        if (new URL(url).pathname !== portalPaths.authorize) throw invalid("url: is no page of the portal’s");
        try {
          return { redirected_to: decideAsOwner(service, url, decision) };
        } catch (error) {
          throw invalid(`url: ${error instanceof Error ? error.message : String(error)}`);
        }
      },
    ),
  },
  {
    method: "POST",
    path: "/uninstall",
    what: "A store removes an app: {store_id, client_id}",
    status: 204,
    ...taking(
      z.strictObject({ store_id: id, client_id: z.optional(z.string()) }),
      ({ world, server }, { store_id, client_id }) => {
        server.uninstall(world.storeOf(store_id).id, client_id);
      },
    ),
  },
  {
    method: "PUT",
    path: "/tokens",
    what: "Lifetimes of codes and tokens, in seconds",
    status: 204,
    ...taking(
      z.strictObject({
        access_token_seconds: lifetime,
        refresh_token_seconds: lifetime,
        code_seconds: lifetime,
      }),
      ({ server }, { access_token_seconds, refresh_token_seconds, code_seconds }) => {
        server.setLifetimes({
          accessTokenSeconds: access_token_seconds,
          refreshTokenSeconds: refresh_token_seconds,
          codeSeconds: code_seconds,
        });
      },
    ),
  },
  {
    method: "POST",
    path: "/revoke",
    what: "Revokes the tokens of a store, or all: {store_id}",
    status: 204,
    ...taking(storeSchema, ({ server }, { store_id }) => {
      server.revokeAll(store_id);
    }),
  },
  {
    method: "PUT",
    path: "/app",
    what: "How an app is registered: redirect addresses, approval, scopes",
    ...taking(
      z.strictObject({
        client_id: z.string().check(z.minLength(1)),
        name,
        redirect_uris: z.optional(z.array(z.url())),
        approved: z.optional(z.boolean()),
        scopes: z.optional(z.array(z.enum(everyScope))),
      }),
      ({ server }, { client_id, redirect_uris, ...change }) =>
        snakeCased(server.changeApp({ clientId: client_id, redirectUris: redirect_uris, ...change })),
    ),
  },
];

/** Describes a store with its key, which a script on this machine needs. The key opens nothing but the emulator. */
function storeView({ drivers, people }: World, store: Store) {
  const own = [...drivers.values()].filter((driver) => driver.storeId === store.id);
  const staff = people.filter((person) => person.storeIds.includes(store.id));
  return {
    ...snakeCased(store),
    drivers: own.map((driver) => ({ id: driver.id, name: driver.name, active: driver.active })),
    people: staff.map((person) => ({
      id: person.id,
      name: person.name,
      email: person.email,
      profile: person.profile,
    })),
  };
}

/** JSON has `client_id` where the code has `clientId`. */
function snakeCased(value: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      member as unknown,
    ]),
  );
}
