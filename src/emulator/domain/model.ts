/** The people and things of the emulated service that its parts share. */
import type { Scope } from "../../contract/scopes.js";

export interface Store {
  readonly id: number;
  readonly name: string;
  /** IANA name: the zone in which temporal grouping counts days and hours. */
  readonly timeZone: string;
  readonly currency: string;
  /** The legacy key of section 5.1. */
  readonly apiKey: string;
}

export type Profile = "owner" | "manager" | "attendant";

/** Someone who can sign in at the portal. Only an owner may authorise an app (section 5.2). */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly profile: Profile;
  readonly storeIds: readonly number[];
}

export interface Driver {
  readonly id: number;
  readonly name: string;
  readonly storeId: number;
  readonly active: boolean;
}

/** An app as it is registered at the service (section 5.2). */
export interface App {
  readonly clientId: string;
  readonly name: string;
  /** Compared to the letter. */
  readonly redirectUris: readonly string[];
  readonly scopes: readonly Scope[];
  /** An app that is not approved is answered `invalid_client`. */
  readonly approved: boolean;
}

/** One app at one store; tokens are bound to it. Uninstalling makes it inactive. */
export interface Installation {
  readonly id: number;
  readonly clientId: string;
  readonly storeId: number;
  readonly scopes: readonly Scope[];
  readonly active: boolean;
}

/** What a valid Bearer token stands for. A call succeeds only for scopes in both (section 5.3, rule 2). */
export interface Grant {
  readonly installation: Installation;
  readonly scopes: readonly Scope[];
}

/** The emulator's time, which its control surface can set. Milliseconds since the epoch. */
export interface EmulatorClock {
  now(): number;
}
