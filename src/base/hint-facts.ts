/**
 * The subject of a hint, for the text of each interface: the command line names commands and flags; the library names options and
 * functions. A hint that is the same in both is written with its error.
 */

type KindWithoutFacts =
  | ("timeout" | "max_wait" | "proxy" | "certificate" | "offline" | "period_forms" | "wrong_figures")
  | ("driver_ids" | "resume" | "list_in_flight" | "stores" | "no_store" | "environments" | "token_service")
  | ("access_denied" | "redirect" | "redirect_port" | "sign_in_expired" | "insecure_address" | "foreign_row")
  | ("damaged_settings" | "settings_folder" | "state_address" | "state_password" | "state_key")
  | ("missing_tables" | "missing_right");

export interface HintKinds extends Readonly<Record<KindWithoutFacts, object>> {
  /** The URL is in an option, or that of a sign-in's environment. Otherwise, it is in a variable or in a program's options. */
  readonly base_url: { readonly source?: "option" | "environment" | undefined };
  /** `schemes`: one line for each. */
  readonly credential: {
    readonly problem: "missing" | "refused" | "lacks_scope";
    readonly schemes: readonly ("bearer" | "api_key" | "partner")[];
    readonly signedStore?: SignedStore | undefined;
  };
  readonly sign_in: { readonly store: string; readonly environment: string };
  readonly sign_in_unfinished: { readonly store: string; readonly environment: string };
  readonly app: { readonly environment: string };
  /** `isTyped`: otherwise, an environment variable contains the alias. */
  readonly unknown_store: { readonly known: string; readonly isTyped: boolean };
  readonly several_stores: { readonly first: string; readonly known: string };
  /** The alias is used by another store, or by the same store in another environment. */
  readonly alias_taken: { readonly store: string };
  /** The environment isn't set up, or only for keys: then, `baseUrl` is its address. */
  readonly address: { readonly environment: string; readonly baseUrl?: string };
  /** Environment variables contain an address without a credential, or the other way round. */
  readonly missing_variable: { readonly isAddress: boolean };
  /** Someone signed in to the store again while this command ran. `isList`: it has changed some orders, which `resume` doesn't skip. */
  readonly new_sign_in: { readonly store: string; readonly isList?: boolean };
  /**
   * The outcome of an order is unknown, and has to be recorded once it was looked up. `store`: the alias, if this machine has several.
   * `isOnly`: no other order's is.
   */
  readonly settle: { readonly order: string; readonly store?: string | undefined; readonly isOnly: boolean };
  /** Order ids were typed as one text, separated by commas. */
  readonly joined_ids: { readonly ids: readonly string[] };
  readonly no_unknown: { readonly order: string };
  /** Several stores have changes of the order with an unknown outcome, `store` among them. */
  readonly which_store: SettledOrder;
  /** Why stores have no figures. */
  readonly missing_stores: {
    readonly reasons: readonly { readonly store: string; readonly error: HintedError }[];
  };
  /** The service's weeks, months and weekdays begin at midnight, but the store's days later. */
  readonly late_days: { readonly store: string };
  /** The store's time zone isn't set. `store`: the alias; undefined for a store from environment variables. */
  readonly time_zone: { readonly store: string | undefined };
  /** A value in the settings of a store isn't valid. */
  readonly store_setting: { readonly store: string; readonly name: StoreSetting };
  readonly damaged_sign_in: { readonly store: string };
  /** Damaged, or of an older version. `place`: the file, or the schema in PostgreSQL. */
  readonly damaged_database: { readonly place: string };
  /** A row that none of the state keys decrypts. */
  readonly sealed_row: { readonly name: string };
  /** The journal lacks the outcome of an order's change. */
  readonly unrecorded: SettledOrder;
  readonly missing_driver: { readonly name: "sqlite" | "pg" };
}

interface HintedError {
  readonly message: string;
  readonly hint: string | undefined;
  readonly hintFacts: HintFacts | undefined;
}

/** A store of this machine, for hints about its credentials. */
export interface SignedStore {
  readonly store: string;
  readonly environment: string;
  readonly hasApiKey: boolean;
  readonly hasPartnerKey: boolean;
  /** Whether its environment has the addresses for a sign-in; otherwise, it has only keys. */
  readonly canSignIn: boolean;
}

/** The outcome to record for an order. `store`: the alias; absent for a store from environment variables. */
export interface SettledOrder {
  readonly order: string;
  readonly store?: string | undefined;
  readonly isDone: boolean;
}

export type StoreSetting = "time_zone" | "day_starts" | "currency" | "locale";

/** The facts of one kind, or of any. `about` distinguishes the kinds. */
export type Kinds<Facts, Kind extends keyof Facts = keyof Facts> = {
  readonly [Each in Kind]: { readonly about: Each } & Facts[Each];
}[Kind];

/** The facts of one hint. */
export type HintFacts<Kind extends keyof HintKinds = keyof HintKinds> = Kinds<HintKinds, Kind>;

/** The words of an interface for hints. A kind that it lacks has more general words. */
export type HintWords = { readonly [Kind in keyof HintKinds]?: (facts: HintFacts<Kind>) => string };
