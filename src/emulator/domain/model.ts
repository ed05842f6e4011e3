/** The parts of the emulated service share these people and things. */
import type { Scope } from "../../api/operations.js";

export interface Store {
  readonly id: number;
  readonly name: string;
  /** Temporal grouping counts days and hours in this zone, an IANA name. */
  readonly timeZone: string;
  readonly currency: string;
  /** The store has this legacy key (section 5.1). */
  readonly apiKey: string;
}

/** This person can sign in at the portal. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** Only an owner may authorise an app (section 5.2). */
  readonly profile: "owner" | "manager" | "attendant";
  readonly storeIds: readonly number[];
}

export interface Driver {
  readonly id: number;
  readonly name: string;
  readonly storeId: number;
  /** Only an active driver can be assigned (section 4.1). */
  readonly active: boolean;
}

/** A driver or an app is changed in the fields that are given; a field that is left out stays as it is. */
export type Given<Fields> = { readonly [Field in keyof Fields]?: Fields[Field] | undefined };

/** An unknown id makes a new driver, of the first store where none is named. */
export type DriverChange = Pick<Driver, "id"> & Given<Driver>;

/** The app is registered at the service (section 5.2). */
export interface App {
  readonly clientId: string;
  readonly name: string;
  /** Redirect addresses are compared to the letter. */
  readonly redirectUris: readonly string[];
  /** Tokens that were issued before a change keep theirs (section 5.3). */
  readonly scopes: readonly Scope[];
  /** An app that is not approved is answered `invalid_client`. */
  readonly approved: boolean;
}

/** The default of `clientId` is `comanda-local`, the emulator's own app; an unknown id makes a new app. */
export type AppChange = Given<App>;

/** An app is installed at a store, and tokens are bound to that. Uninstalling makes it inactive. */
export interface Installation {
  readonly clientId: string;
  readonly storeId: number;
  readonly scopes: readonly Scope[];
  readonly active: boolean;
}
