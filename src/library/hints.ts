/** The library's hints: they name its options and functions, and never a command or a flag. */
import { secretsOf } from "../client/options.js";
import { completeHint } from "../base/errors.js";
import type { HintFacts } from "../base/hint-facts.js";

/** Completes the hints of `createClient`. */
export function completeClientHint<Thrown>(thrown: Thrown): Thrown {
  return completeHint(thrown, clientHint);
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
