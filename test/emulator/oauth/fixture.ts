/** A small world of its own for the authorization server: two owners, three stores, two apps. */
import { createHash } from "node:crypto";

import { createEmulatorClock } from "../../../src/emulator/domain/time.js";
import type { App, Lifetimes, Person, Store } from "../../../src/emulator/domain/model.js";
import { createApp } from "../../../src/emulator/http/app.js";
import { AuthorizationServer, type Consent } from "../../../src/emulator/http/authorization-server.js";
import { createService } from "../../../src/emulator/service.js";

const store = (id: number, name: string): Store => ({
  id,
  name,
  timeZone: "America/Sao_Paulo",
  currency: "BRL",
  apiKey: `key-of-store-${id}`,
});

export const stores: readonly Store[] = [
  store(1, "Cantina da Praça"),
  store(2, "Pizzaria <b>Bella</b> & Filhos"),
  store(3, "Sushi 寿司"),
];

export const people: readonly Person[] = [
  { id: "ana", name: "Ana Souza", email: "ana@example.com", profile: "owner", storeIds: [1, 2] },
  { id: "kenji", name: "Kenji Tanaka", email: "kenji@example.com", profile: "owner", storeIds: [3] },
  { id: "bruno", name: "Bruno Lima", email: "bruno@example.com", profile: "manager", storeIds: [1] },
  { id: "cida", name: "Cida Alves", email: "cida@example.com", profile: "attendant", storeIds: [3] },
  { id: "nobody", name: "Sem Loja", email: "sem@example.com", profile: "owner", storeIds: [] },
];

export const app: App = {
  clientId: "app-1",
  name: "Comanda",
  redirectUris: ["http://127.0.0.1:8765/callback"],
  scopes: ["orders", "drivers"],
  approved: true,
};

export const otherApp: App = {
  ...app,
  clientId: "app-2",
  name: "Relatórios",
  redirectUris: ["http://127.0.0.1:8765/callback", "https://example.com/cb?keep=1&x=%20"],
  scopes: ["orders"],
};

export const unapprovedApp: App = { ...app, clientId: "app-3", name: "Not yet", approved: false };

export const codeVerifier = "v".repeat(43);
export const codeChallenge = challengeOf(codeVerifier);

export function challengeOf(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url");
}

/** A clock that a test moves. */
export function createTestClock(start = Date.parse("2026-11-20T12:00:00Z")) {
  const clock = createEmulatorClock({ now: () => start });
  return { ...clock, advanceSeconds: (seconds: number) => clock.advance(seconds * 1000) };
}

interface World {
  readonly people?: readonly Person[];
  readonly apps?: readonly App[];
  readonly stores?: readonly Store[];
}

export function createFixture(lifetimes: Partial<Lifetimes> = {}, change: World = {}) {
  const clock = createTestClock();
  const base = createService({ orders: 0 });
  const world = { apps: [app, otherApp, unapprovedApp], people, stores, clock, ...change };
  Object.assign(base.world, world, { stores: new Map(world.stores.map((each) => [each.id, each])) });
  const server = new AuthorizationServer(base.world, base.readings, lifetimes.accessTokenSeconds);
  server.setLifetimes(lifetimes);
  const { request } = createApp({ ...base, server });
  const consent: Consent = {
    clientId: app.clientId,
    redirectUri: "http://127.0.0.1:8765/callback",
    codeChallenge,
    storeId: 1,
    personId: "ana",
  };
  const exchange = (code: string, change: Partial<{ clientId: string }> = {}) =>
    server.exchangeCode({
      clientId: consent.clientId,
      redirectUri: consent.redirectUri,
      code,
      codeVerifier,
      ...change,
    });
  /** Consent and exchange in one. */
  const signIn = (change: Partial<Consent> = {}) => {
    const given = { ...consent, ...change };
    const tokens = exchange(server.issueCode(given), { clientId: given.clientId });
    return { accessToken: tokens.access_token, refreshToken: tokens.refresh_token ?? "", tokens };
  };
  const refresh = (refreshToken: string, clientId = app.clientId) => {
    const tokens = server.refresh({ clientId, refreshToken });
    return { accessToken: tokens.access_token, refreshToken: tokens.refresh_token ?? "", tokens };
  };
  return { clock, server, request, consent, exchange, signIn, refresh };
}
