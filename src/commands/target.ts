import type { Credentials } from "../client/index.js";
import type { Credential } from "../contract/credentials.js";

/** Where calls go and how they are signed. A target's credentials never meet another target's address. */
export interface Target {
  readonly label: string;
  readonly baseUrl: string;
  /** Whose requests are counted together against the service's limits. Holds no secret. */
  readonly quotaKey: string;
  readonly available: readonly Credential[];
  readonly credentials: Credentials;
}
