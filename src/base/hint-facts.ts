/**
 * What a hint is about, without the words of an interface: the command line names commands and flags, the library options and
 * functions. A hint that is the same for every reader is written where its error is made.
 */

/** The kinds of hints that a client needs, each with the facts that it depends on. */
export interface ClientHintKinds {
  /** `variable`: the environment variable that the URL was read from. */
  readonly base_url: { readonly variable?: string | undefined };
  readonly timeout: object;
  readonly max_wait: object;
  /** `schemes`: one line for each. */
  readonly credential: {
    readonly problem: "missing" | "refused" | "lacks_scope";
    readonly schemes: readonly ("bearer" | "api_key" | "partner")[];
  };
}

/** The kinds of hints on sign-ins and state. */
export interface HintKinds extends ClientHintKinds {
  readonly sign_in: { readonly store: string; readonly environment: string };
  readonly sign_in_expired: object;
  readonly sign_in_unfinished: object;
  readonly access_denied: object;
  /** No browser can come back to this machine, and no terminal is there to paste the address into. */
  readonly redirect: object;
  readonly redirect_port: object;
  /** The service doesn't know the app, or its redirect address. */
  readonly app: { readonly environment: string };
  readonly token_service: object;
  readonly no_store: object;
  /** `known`: their aliases. */
  readonly unknown_store: { readonly store: string; readonly known: string };
  readonly several_stores: { readonly first: string; readonly known: string };
  readonly stores: object;
  readonly other_environment: { readonly store: string };
  readonly address: { readonly environment: string };
}

/** The facts of one hint. `about` tells the kinds apart. */
export type HintFacts<Kind extends keyof HintKinds = keyof HintKinds> = {
  readonly [Each in Kind]: { readonly about: Each } & HintKinds[Each];
}[Kind];
