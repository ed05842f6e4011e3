/** The authorization server of sections 5.2 and 5.3 has consents, codes, tokens and installations. */
import type { TokenResponse } from "../../../contract/oauth.js";
import type { Scope } from "../../../contract/scopes.js";
import type { App, EmulatorClock, Grant, Installation, Person, Store } from "../../domain/model.js";
import { type CodeExchange, type Consent, createAuthorizationCodes } from "./authorization-codes.js";
import { usualReadings, type Readings } from "../../readings.js";
import { type Lifetimes, OAuthError, changeLifetimes, lifetimesOf } from "./choices.js";
import { createTokenFamilies } from "./token-families.js";

/** Tests and the control surface see what happened since the start or the last reset. */
interface AuthorizationCounters {
  /** So many codes were exchanged with success. */
  readonly exchanges: number;
  readonly refreshes: number;
  readonly reusedCodes: number;
  readonly reusedRefreshTokens: number;
}

export interface AuthorizationServer {
  findApp(clientId: string): App | undefined;
  /** Registers an app, or replaces the one of the same client id. Installations keep the scopes they have. */
  setApp(app: App): void;
  /** @throws {OAuthError} `invalid_client`; `access_denied` where the person doesn't own the store */
  issueCode(consent: Consent): string;
  /** @throws {OAuthError} `invalid_client`, `invalid_grant` */
  exchangeCode(exchange: CodeExchange): TokenResponse;
  /** @throws {OAuthError} `invalid_client`, `invalid_grant` */
  refresh(request: { readonly clientId: string; readonly refreshToken: string }): TokenResponse;
  /**
   * An unknown token is a success (RFC 7009, section 2.2).
   *
   * @throws {OAuthError} `invalid_client`; `invalid_grant` where the token is another client's
   */
  revoke(request: { readonly clientId: string; readonly token: string }): void;
  /**
   * Gives what an access token stands for; `undefined` where it is unknown, expired or revoked, or its app
   * uninstalled.
   */
  authenticate(accessToken: string): Grant | undefined;
  installations(): readonly Installation[];
  /** Makes one app of the store, or all of them, inactive and revokes their tokens and codes. */
  uninstall(storeId: number, clientId?: string): void;
  /** Revokes every token of one store, or all there are; installations stay active. */
  revokeAll(storeId?: number): void;
  /**
   * Sets lifetimes for codes and tokens issued from now on.
   *
   * @throws {RangeError} where one is not a positive number
   */
  setLifetimes(lifetimes: Partial<Lifetimes>): void;
  counters(): AuthorizationCounters;
  /** Goes back to the beginning: the first apps and lifetimes; no installation, no code, no token. */
  reset(): void;
}

export function createAuthorizationServer(options: {
  apps: readonly App[];
  people: readonly Person[];
  stores: readonly Store[];
  clock: EmulatorClock;
  randomBytes: (length: number) => Uint8Array;
  lifetimes?: Partial<Lifetimes>;
  readings?: Readings;
}): AuthorizationServer {
  const { clock, randomBytes, readings = usualReadings } = options;
  const apps = new Map<string, App>();
  const installations = createInstallations();
  const codes = createAuthorizationCodes({ clock, randomBytes, codeReuse: readings.code_reuse });
  const families = createTokenFamilies({ clock, randomBytes, lifetimes: () => lifetimes, readings });
  let lifetimes = lifetimesOf(readings);
  let exchanges = 0;
  let refreshes = 0;

  const reset = () => {
    for (const collection of [apps, installations, codes, families]) collection.clear();
    for (const app of options.apps) apps.set(app.clientId, app);
    lifetimes = changeLifetimes(lifetimesOf(readings), options.lifetimes ?? {});
    exchanges = refreshes = 0;
  };
  reset();

  const approvedApp = (clientId: string): App => {
    const app = apps.get(clientId);
    if (app?.approved) return app;
    throw new OAuthError("invalid_client", "client_id names no approved app of this service");
  };

  const owns = ({ personId, storeId }: Consent) =>
    options.stores.some((store) => store.id === storeId) &&
    options.people.some(
      (person) => person.id === personId && person.profile === "owner" && person.storeIds.includes(storeId),
    );

  return {
    findApp: (clientId) => apps.get(clientId),
    setApp: (app) => void apps.set(app.clientId, app),

    issueCode: (consent) => {
      const { scopes } = approvedApp(consent.clientId);
      if (!owns(consent)) throw new OAuthError("access_denied", "only the owner may authorise an app");
      return codes.issue({ ...consent, scopes: [...scopes] }, clock.now() + lifetimes.codeSeconds * 1000);
    },

    exchangeCode: (exchange) => {
      approvedApp(exchange.clientId);
      const family = codes.redeem(exchange, ({ clientId, storeId, scopes }) => {
        const installationId = installations.activate(clientId, storeId, scopes).id;
        return { clientId, storeId, installationId, scopes, revoked: false };
      });
      exchanges += 1;
      return families.issue(family);
    },

    refresh: ({ clientId, refreshToken }) => {
      approvedApp(clientId);
      const family = families.redeem(refreshToken, clientId);
      refreshes += 1;
      return families.issue(family, refreshToken);
    },

    revoke: ({ clientId, token }) => {
      approvedApp(clientId);
      families.revoke(token, clientId);
    },

    authenticate: (accessToken) => {
      const family = families.familyOf(accessToken);
      if (!family) return undefined;
      const installation = installations.find(family.installationId);
      return installation?.active ? { installation, scopes: family.scopes } : undefined;
    },

    installations: () => installations.list(),

    uninstall: (storeId, clientId) => {
      const isMeant = (bound: { clientId: string; storeId: number }) =>
        bound.storeId === storeId && (clientId === undefined || bound.clientId === clientId);
      installations.deactivate(storeId, clientId);
      codes.voidWhere(isMeant);
      families.revokeWhere(isMeant);
    },

    revokeAll: (storeId) => {
      families.revokeWhere((family) => storeId === undefined || family.storeId === storeId);
    },

    setLifetimes: (change) => {
      lifetimes = changeLifetimes(lifetimes, change);
    },

    counters: () => ({
      exchanges,
      refreshes,
      reusedCodes: codes.reuses(),
      reusedRefreshTokens: families.reuses(),
    }),
    reset,
  };
}

export interface Installations {
  find(id: number): Installation | undefined;
  list(): readonly Installation[];
  /** Makes the app active at the store, with the scopes of the latest consent. */
  activate(clientId: string, storeId: number, scopes: readonly Scope[]): Installation;
  /**
   * Makes one app of a store inactive, or every app without a client.
   *
   * @returns the installations that were active until now
   */
  deactivate(storeId: number, clientId?: string): readonly Installation[];
  clear(): void;
}

function createInstallations(): Installations {
  const byId = new Map<number, Installation>();

  return {
    find: (id) => byId.get(id),
    list: () => [...byId.values()],
    activate: (clientId, storeId, scopes) => {
      const previous = [...byId.values()].find(
        (candidate) => candidate.clientId === clientId && candidate.storeId === storeId,
      );
      const id = previous?.id ?? byId.size + 1;
      const installation: Installation = { id, clientId, storeId, scopes: [...scopes], active: true };
      byId.set(id, installation);
      return installation;
    },
    deactivate: (storeId, clientId) => {
      const affected = [...byId.values()].filter(
        (candidate) =>
          candidate.active &&
          candidate.storeId === storeId &&
          (clientId === undefined || candidate.clientId === clientId),
      );
      for (const installation of affected) byId.set(installation.id, { ...installation, active: false });
      return affected;
    },
    clear: () => byId.clear(),
  };
}
