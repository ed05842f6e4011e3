import type { CredentialKind, Credentials } from "../client/index.js";

/** Figures of one sign-in never pass for another's: after another one the alias may stand for another store. */
export interface KeptFigures {
  /** The name of the folder that they lie in. */
  readonly folder: string;
  readonly signIn: string;
}

/** Where calls go and how they are signed. A target's credentials never meet another target's address. */
export interface Target {
  readonly label: string;
  /** Where something is, as a sentence ends: "of the store centro", "at api.example". */
  readonly place: string;
  readonly baseUrl: string;
  /** Where the base URL comes from, for hints: a command or a variable. */
  readonly baseUrlFrom: string;
  /** Whose requests are counted together against the service's limits. Holds no secret. */
  readonly quotaKey: string;
  /**
   * Whose the sales figures are that are kept on disk; absent where one sign-in can't be told from others. Holds no
   * secret.
   */
  readonly figures?: KeptFigures;
  readonly available: readonly CredentialKind[];
  readonly credentials: Credentials;
}
