import type { CredentialKind, Credentials } from "../client/index.js";

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
   * Tells one sign-in at one store from every other, so that figures kept on disk never pass for another store's;
   * absent where that isn't known. Holds no secret.
   */
  readonly identity?: string;
  readonly available: readonly CredentialKind[];
  readonly credentials: Credentials;
}
