/** The parts of the emulated service share these people and things. */
import type { Scope } from "../../contract/scopes.js";

export interface Store {
  readonly id: number;
  readonly name: string;
  /** Temporal grouping counts days and hours in this zone, an IANA name. */
  readonly timeZone: string;
  readonly currency: string;
  /** The store has this legacy key (section 5.1). */
  readonly apiKey: string;
}

export type Profile = "owner" | "manager" | "attendant";

/** This person can sign in at the portal. Only an owner may authorise an app (section 5.2). */
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

/** The app is registered at the service (section 5.2). */
export interface App {
  readonly clientId: string;
  readonly name: string;
  /** Redirect addresses are compared to the letter. */
  readonly redirectUris: readonly string[];
  readonly scopes: readonly Scope[];
  /** An app that is not approved is answered `invalid_client`. */
  readonly approved: boolean;
}

/** An app is installed at a store, and tokens are bound to that. Uninstalling makes it inactive. */
export interface Installation {
  readonly id: number;
  readonly clientId: string;
  readonly storeId: number;
  readonly scopes: readonly Scope[];
  readonly active: boolean;
}

/** A valid Bearer token stands for this. A call succeeds only for scopes in both (section 5.3, rule 2). */
export interface Grant {
  readonly installation: Installation;
  readonly scopes: readonly Scope[];
}

/** The emulator's time is in milliseconds since the epoch; its control surface can set it. */
export interface EmulatorClock {
  now(): number;
}
