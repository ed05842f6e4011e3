/**
 * What a hint is about, for the words of each interface: the command line names commands and flags, the library options and functions. A
 * hint that is the same in both is written with its error.
 */

/** The kinds that a client needs. */
export interface ClientHintKinds {
  /** The URL is that of a store's environment, was typed, or is in a variable or in a program's options. */
  readonly base_url: { readonly signedStore?: SignedStore | undefined; readonly isTyped?: boolean };
  readonly timeout: object;
  readonly max_wait: object;
  /** The call failed at a proxy, which environment variables name. */
  readonly proxy: object;
  /** A certificate isn't valid, or its authority is unknown here. */
  readonly certificate: object;
  /** `schemes`: one line for each. */
  readonly credential: {
    readonly problem: "missing" | "refused" | "lacks_scope";
    readonly schemes: readonly ("bearer" | "api_key" | "partner")[];
    readonly signedStore?: SignedStore | undefined;
  };
}

/** A store of this machine, for hints about its credentials. */
export interface SignedStore {
  readonly store: string;
  readonly environment: string;
  readonly hasApiKey: boolean;
  readonly hasPartnerKey: boolean;
}

/** The kinds that only the command line or `comanda/oauth` needs. */
export interface CommandHintKinds {
  readonly access_denied: object;
  readonly sign_in_unfinished: { readonly store: string; readonly environment: string };
  /** A browser can't return to this machine, and the address can't be pasted without a terminal. */
  readonly redirect: object;
  readonly redirect_port: object;
  readonly stores: object;
  /** By another store, or by the same one in another environment. */
  readonly alias_taken: { readonly store: string };
  readonly environments: object;
  /** The environment isn't set up, or only for keys: then, `baseUrl` is its address. */
  readonly address: { readonly environment: string; readonly baseUrl?: string };
  /** Environment variables contain an address without a credential, or the other way round. */
  readonly missing_variable: { readonly isAddress: boolean };
  /** Someone signed in to the store again while this command ran. */
  readonly new_sign_in: { readonly store: string };
  /** The outcome of an order is unknown, and has to be recorded once it was looked up. `isOnly`: no other order's is. */
  readonly settle: { readonly order: string; readonly isOnly: boolean };
  /** A driver has to be named by the id. */
  readonly driver_ids: object;
  /** Order ids were typed as one text, separated by commas. */
  readonly joined_ids: { readonly ids: readonly string[] };
  /** A list was not completed. */
  readonly resume: object;
  readonly no_unknown: { readonly order: string };
  /** Several stores have changes of the order with an unknown outcome, `store` among them. */
  readonly which_store: { readonly store: string };
  /** Figures aren't cached, and sending a request wasn't allowed. What is stored of the store instead. */
  readonly offline: {
    readonly store?: string;
    readonly cached?: readonly {
      readonly days: string;
      /** The dimension; `undefined` for a summary. */
      readonly by: string | undefined;
      readonly filters: readonly string[];
      readonly asOf: string;
    }[];
    /** The first and last day that are stored for SQL. */
    readonly stored?: { readonly first: string; readonly last: string } | undefined;
  };
  /** Why stores have no figures. */
  readonly missing_stores: {
    readonly reasons: readonly {
      readonly store: string;
      readonly message: string;
      readonly hint: string | undefined;
      readonly hintFacts: HintFacts | undefined;
    }[];
  };
  /** The service's weeks, months and weekdays begin at midnight, but the store's days later. */
  readonly late_days: { readonly store: string };
  /** A period isn't valid. */
  readonly period_forms: object;
  /** A period starts in the future, so only orders that are scheduled for it can be in it. */
  readonly future_period: object;
  /** An address by http leads to another machine. */
  readonly insecure_address: object;
  /** The store's time zone isn't set. `store`: the alias; undefined for a store from environment variables. */
  readonly time_zone: { readonly store: string | undefined };
}

export interface HintKinds extends ClientHintKinds, CommandHintKinds {
  readonly sign_in: { readonly store: string; readonly environment: string };
  readonly sign_in_expired: object;
  readonly app: { readonly environment: string };
  readonly token_service: object;
  readonly no_store: object;
  /** `isTyped`: otherwise, an environment variable contains the alias. */
  readonly unknown_store: { readonly store: string; readonly known: string; readonly isTyped: boolean };
  readonly several_stores: { readonly first: string; readonly known: string };
  readonly wrong_figures: object;
  readonly damaged_settings: object;
  readonly damaged_sign_in: { readonly store: string };
  /** `place`: the file, or the schema in PostgreSQL. */
  readonly old_database: { readonly place: string };
  readonly damaged_database: { readonly place: string };
  readonly foreign_row: object;
  /** A row that none of the state keys decrypts. */
  readonly sealed_row: { readonly name: string };
  /** The folder of settings and sign-ins can't be used. */
  readonly settings_folder: object;
  /** The address of the PostgreSQL database may be wrong. */
  readonly state_address: object;
  /** The key that encrypts secrets in PostgreSQL is missing or isn't valid. */
  readonly state_key: object;
  /** The journal lacks the outcome of an order's change. */
  readonly unrecorded: { readonly order: string; readonly isDone: boolean };
  readonly missing_tables: object;
  readonly missing_right: object;
  readonly missing_driver: { readonly name: "sqlite" | "pg" };
}

/** The facts of one hint. `about` tells the kinds apart. */
export type HintFacts<Kind extends keyof HintKinds = keyof HintKinds> = {
  readonly [Each in Kind]: { readonly about: Each } & HintKinds[Each];
}[Kind];
