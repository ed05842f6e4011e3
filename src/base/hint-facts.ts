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

export type HintKinds = ClientHintKinds;

/** The facts of one hint. `about` tells the kinds apart. */
export type HintFacts<Kind extends keyof HintKinds = keyof HintKinds> = {
  readonly [Each in Kind]: { readonly about: Each } & HintKinds[Each];
}[Kind];
