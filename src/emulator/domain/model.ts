/** The parts of the emulated service share these people and things. */
import type { Scope } from "../../api/scopes.js";

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

/** A driver is changed in these fields. A field that is left out stays as it is. */
export interface DriverChange {
  /** The driver has this id. An unknown id makes a new driver. */
  readonly id: number;
  /** The driver belongs to the store of this id. The default is the driver's store so far, or the first store. */
  readonly storeId?: number | undefined;
  readonly name?: string | undefined;
  /** Only an active driver can be assigned (section 4.1). */
  readonly active?: boolean | undefined;
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

/** An app is changed in these fields. A field that is left out stays as it is. */
export interface AppChange {
  /** The app has this id. The default is `comanda-local`, the emulator's own app; an unknown id makes a new app. */
  readonly clientId?: string;
  readonly name?: string | undefined;
  /** Redirect addresses are compared to the letter (section 5.2). */
  readonly redirectUris?: readonly string[] | undefined;
  /** An app that isn't approved is answered `invalid_client` (section 7). */
  readonly approved?: boolean | undefined;
  /** The app has these scopes (section 5.3). Tokens that were issued before keep theirs. */
  readonly scopes?: readonly Scope[] | undefined;
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

/** Codes and tokens live this long, in seconds. */
export interface Lifetimes {
  readonly accessTokenSeconds: number;
  readonly refreshTokenSeconds: number;
  readonly codeSeconds: number;
}
