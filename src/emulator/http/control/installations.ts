/** Serves stores, apps, installations and tokens below `/_emulator/`. */
import { Hono } from "hono";
import * as z from "zod/mini";

import { scopes } from "../../../contract/scopes.js";
import { emptyAnswer, jsonAnswer, refuse } from "../answers.js";
import { invalidParameters } from "../../domain/choices.js";
import { readJsonBody } from "../body.js";
import type { App, Driver, Installation, Store } from "../../domain/model.js";
import { partnerKey } from "../../seed/cast.js";
import { signInStore } from "../../sign-in.js";
import { authorizeAsOwner, type Fetch } from "../portal/scripted-owner.js";
import type { ServiceEnv, Service } from "../../service.js";
import type { World } from "../../domain/world.js";

const id = z.int().check(z.minimum(1));
/** A lifetime is in seconds, and roughly as long as a Date reaches. */
const lifetime = z.optional(z.number().check(z.gt(0), z.maximum(1e9)));
export const lifetimesSchema = z.strictObject({
  access_token_seconds: lifetime,
  refresh_token_seconds: lifetime,
  code_seconds: lifetime,
});
export const uninstallSchema = z.strictObject({ store_id: id, client_id: z.optional(z.string()) });
export const revokeSchema = z.strictObject({ store_id: z.optional(id) });
export const signInSchema = z.strictObject({ store_id: z.optional(id) });
export const authorizeSchema = z.strictObject({
  url: z.url(),
  person: z.optional(z.string()),
  store: z.optional(id),
  allow: z.optional(z.boolean()),
});
export const appSchema = z.strictObject({
  client_id: z.string().check(z.minLength(1)),
  name: z.optional(z.string().check(z.minLength(1))),
  redirect_uris: z.optional(z.array(z.url())),
  approved: z.optional(z.boolean()),
  scopes: z.optional(z.array(z.enum(scopeNames()))),
});

export const driverSchema = z.strictObject({
  id,
  store_id: z.optional(id),
  name: z.optional(z.string().check(z.minLength(1))),
  active: z.optional(z.boolean()),
});

function scopeNames(): (keyof typeof scopes)[] {
  return Object.keys(scopes).filter((name): name is keyof typeof scopes => name in scopes);
}

/** @param visit asks this emulator for the portal's pages, whatever the address */
export function installationControl(service: Service, visit: Fetch): Hono<ServiceEnv> {
  const { world, server } = service;
  const app = new Hono<ServiceEnv>();

  app.get("/stores", () =>
    jsonAnswer({
      stores: [...world.stores.values()].map((store) => storeView(world, store)),
      partner_key: partnerKey,
    }),
  );

  app.get("/installations", () =>
    jsonAnswer({ installations: server.installations().map(installationView) }),
  );

  app.post("/sign-in", async (c) => {
    const body = await readJsonBody(c, signInSchema);
    if (!body.ok) return refuse(body.refusal);
    const { store_id: storeId } = body.value;
    if (storeId !== undefined && !world.stores.has(storeId))
      return refuse(invalidParameters(`store_id: no store ${storeId}`));
    const { store, tokens } = signInStore(service, storeId);
    return jsonAnswer({ store_id: store.id, ...tokens }, 201);
  });

  app.post("/authorize", async (c) => {
    const body = await readJsonBody(c, authorizeSchema);
    if (!body.ok) return refuse(body.refusal);
    const { url, person, store, allow } = body.value;
    const { pathname, search } = new URL(url);
    try {
      const { redirectedTo } = await authorizeAsOwner(`http://127.0.0.1${pathname}${search}`, {
        arrives: false,
        fetch: visit,
        ...(person !== undefined && { personId: person }),
        ...(store !== undefined && { storeId: store }),
        ...(allow !== undefined && { allow }),
      });
      return jsonAnswer({ redirected_to: redirectedTo });
    } catch (error) {
      return refuse(invalidParameters(`url: ${error instanceof Error ? error.message : String(error)}`));
    }
  });

  app.post("/uninstall", async (c) => {
    const body = await readJsonBody(c, uninstallSchema);
    if (!body.ok) return refuse(body.refusal);
    const { store_id, client_id } = body.value;
    if (!world.stores.has(store_id)) return refuse(invalidParameters(`store_id: no store ${store_id}`));
    server.uninstall(store_id, client_id);
    return emptyAnswer(204);
  });

  /** Lifetimes hold for codes and tokens that are issued from now on. */
  app.put("/tokens", async (c) => {
    const body = await readJsonBody(c, lifetimesSchema);
    if (!body.ok) return refuse(body.refusal);
    const { access_token_seconds, refresh_token_seconds, code_seconds } = body.value;
    server.setLifetimes({
      ...(access_token_seconds === undefined ? {} : { accessTokenSeconds: access_token_seconds }),
      ...(refresh_token_seconds === undefined ? {} : { refreshTokenSeconds: refresh_token_seconds }),
      ...(code_seconds === undefined ? {} : { codeSeconds: code_seconds }),
    });
    return emptyAnswer(204);
  });

  /** Revokes every token of a store, or all; the apps stay installed. */
  app.post("/revoke", async (c) => {
    const body = await readJsonBody(c, revokeSchema);
    if (!body.ok) return refuse(body.refusal);
    server.revokeAll(body.value.store_id);
    return emptyAnswer(204);
  });

  app.put("/app", async (c) => {
    const body = await readJsonBody(c, appSchema);
    if (!body.ok) return refuse(body.refusal);
    return jsonAnswer(appView(changeApp(service, body.value)));
  });

  app.put("/drivers", async (c) => {
    const body = await readJsonBody(c, driverSchema);
    if (!body.ok) return refuse(body.refusal);
    const driver = putDriver(world, body.value);
    return "problem" in driver ? refuse(invalidParameters(driver.problem)) : jsonAnswer(driverView(driver));
  });
  return app;
}

/** Changes the named fields of an app; an unknown app is registered. */
export function changeApp({ server }: Service, change: z.infer<typeof appSchema>): App {
  const { client_id: clientId, redirect_uris: redirectUris } = change;
  const app = server.findApp(clientId);
  const changed: App = {
    clientId,
    name: change.name ?? app?.name ?? clientId,
    redirectUris: redirectUris ?? app?.redirectUris ?? [],
    approved: change.approved ?? app?.approved ?? true,
    scopes: change.scopes ?? app?.scopes ?? [],
  };
  server.setApp(changed);
  return changed;
}

/**
 * Changes the named fields of a driver; an unknown id makes a new driver.
 *
 * @returns what is wrong, where it can't be
 */
export function putDriver(
  world: World,
  change: z.infer<typeof driverSchema>,
): Driver | { readonly problem: string } {
  const before = world.drivers.get(change.id);
  const storeId = change.store_id ?? before?.storeId ?? [...world.stores.keys()][0] ?? 0;
  if (!world.stores.has(storeId)) return { problem: `store_id: there is no store ${storeId}` };
  const driver: Driver = {
    id: change.id,
    name: change.name ?? before?.name ?? `Driver ${change.id}`,
    storeId,
    active: change.active ?? before?.active ?? true,
  };
  world.drivers.set(driver.id, driver);
  return driver;
}

function driverView({ id: driverId, storeId, name, active }: Driver) {
  return { id: driverId, store_id: storeId, name, active };
}

/** Describes a store with its key, which a script on this machine needs. The key opens nothing but the emulator. */
function storeView(world: World, store: Store) {
  const drivers = [...world.drivers.values()].filter((driver) => driver.storeId === store.id);
  const people = world.people.filter((person) => person.storeIds.includes(store.id));
  return {
    id: store.id,
    name: store.name,
    time_zone: store.timeZone,
    currency: store.currency,
    api_key: store.apiKey,
    drivers: drivers.map(({ id: driverId, name, active }) => ({ id: driverId, name, active })),
    people: people.map(({ id: personId, name, email, profile }) => ({ id: personId, name, email, profile })),
  };
}

function appView(app: App) {
  return {
    client_id: app.clientId,
    name: app.name,
    redirect_uris: app.redirectUris,
    approved: app.approved,
    scopes: app.scopes,
  };
}

function installationView(installation: Installation) {
  return {
    id: installation.id,
    client_id: installation.clientId,
    store_id: installation.storeId,
    scopes: installation.scopes,
    active: installation.active,
  };
}
