/** The library's hints: they name its options and functions, and never a command or a flag. */
import { secretsOf } from "../client/options.js";
import { completeHint } from "../base/errors.js";
import type { ClientHintKinds, HintFacts, HintKinds } from "../base/hint-facts.js";

/** Completes the hint of an error of `createClient`. */
export function completeClientHint<Thrown>(thrown: Thrown): Thrown {
  return completeHint(thrown, clientHint);
}

/** Completes the hint of an error of `comanda/oauth`. */
export function completeOAuthHint<Thrown>(thrown: Thrown): Thrown {
  return completeHint(thrown, oauthHint);
}

function clientHint(facts: HintFacts): string {
  switch (facts.about) {
    case "base_url":
      return "Check the base URL: baseUrl.";
    case "timeout":
      return "Try again, or allow more time: timeoutMs.";
    case "max_wait":
      return "Try again later, or allow a longer wait: maxWaitMs.";
    case "credential": {
      const { problem, schemes } = facts;
      return schemes.map((scheme) => credentialHints[problem](scheme)).join("\n");
    }
    default:
      // The functions of `comanda/node` and `comanda/oauth` have completed these.
      facts satisfies HintFacts<Exclude<keyof HintKinds, keyof ClientHintKinds>>;
      return "";
  }
}

const credentialHints = {
  missing: (scheme: keyof typeof secretsOf) =>
    `Give it to the client: ${secretsOf[scheme].map((name) => `credentials.${name}`).join(" and ")}.`,
  refused: (scheme: keyof typeof secretsOf) =>
    scheme === "bearer"
      ? "It has expired or was revoked: get a new one, or let credentials.renew get it."
      : "Check the key: the store's portal shows it under Integrations.",
  lacks_scope: () => "With comanda/oauth, authorizationUrl({ key }) begins one.",
};

/** Does work of `comanda/node`, and completes the hint of its error. */
export async function withNodeHints<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw completeHint(error, nodeHint);
  }
}

/** Does work of `comanda/oauth`, and completes the hint of its error. */
export async function withOAuthHints<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw completeOAuthHint(error);
  }
}

const commandLine = "comanda's command line";

function nodeHint(facts: HintFacts): string {
  switch (facts.about) {
    case "sign_in":
      return `Sign in to ${facts.store} (environment ${facts.environment}) with ${commandLine}.`;
    case "sign_in_expired":
      return `Sign in again with ${commandLine}.`;
    case "no_store":
      return `Sign in to a store with ${commandLine}, as the user that runs this program.`;
    case "unknown_store":
      return facts.known === "" ? `Sign in to it with ${commandLine}.` : `Known stores: ${facts.known}.`;
    case "several_stores":
      return `Choose one by the option store or by COMANDA_STORE: ${facts.known}.`;
    case "app":
      return `The client_id and redirect_uri of the environment ${facts.environment} must be the registered ones, and the app approved.`;
    case "token_service":
      return "Try again later. If that doesn't help, check the network and the base URL.";
    case "sign_in_unfinished":
    case "access_denied":
    case "redirect":
    case "redirect_port":
    case "stores":
    case "other_environment":
    case "address":
      return `This is done with ${commandLine}.`;
    default:
      return clientHint(facts);
  }
}

export const authorizeAgain = "The store's Owner has to authorize the app again: authorizationUrl({ key }).";

function oauthHint(facts: HintFacts): string {
  switch (facts.about) {
    case "sign_in":
    case "sign_in_expired":
    case "stores":
      return authorizeAgain;
    case "access_denied":
      return "The store's Owner alone may authorize the app, and has to allow it.";
    case "app":
    case "address":
    case "other_environment":
      return "authUrl, baseUrl, clientId and redirectUri must be those of one environment, as registered.";
    default:
      return nodeHint(facts);
  }
}
