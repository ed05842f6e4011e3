/** For machines without state: address and credential from the environment variables alone. */
import { createHash } from "node:crypto";

import { normalizeBaseUrl, ownOptionNames, type Signature } from "../client/index.js";
import { ComandaError } from "../shared/errors.js";

import type { LoginCommand } from "./choose-store.js";
import { variable, type Context } from "./context.js";
import type { Target } from "./target.js";

/**
 * @returns `undefined` where `COMANDA_BASE_URL` isn't set
 * @throws {ComandaError} `configuration` where the address can't be used, or one half of the pair is missing
 */
export function statelessTarget(
  context: Pick<Context, "env">,
  login: LoginCommand = "login",
): Target | undefined {
  const accessToken = variable(context, "COMANDA_ACCESS_TOKEN");
  const apiKey = variable(context, "COMANDA_API_KEY");
  const partnerKey = variable(context, "COMANDA_PARTNER_KEY");
  const address = variable(context, "COMANDA_BASE_URL");
  if (address === undefined) {
    if (accessToken === undefined && apiKey === undefined) return undefined;
    const name = accessToken === undefined ? "COMANDA_API_KEY" : "COMANDA_ACCESS_TOKEN";
    throw new ComandaError("configuration", `${name} is set, but COMANDA_BASE_URL isn't.`, {
      hint: "A credential and its address go together: set both, or neither.",
    });
  }
  const secret = accessToken ?? apiKey;
  if (secret === undefined) {
    throw new ComandaError("configuration", "COMANDA_BASE_URL is set, but no credential is.", {
      hint:
        login === "login"
          ? "Set COMANDA_ACCESS_TOKEN or COMANDA_API_KEY too, or choose a store with --store."
          : "Set COMANDA_API_KEY too, or choose a store with --store.",
    });
  }
  const baseUrl = normalizeBaseUrl(address, { ...ownOptionNames, baseUrl: baseUrlFrom });
  // Tells two stores' credentials apart without telling what they are.
  const quotaKey = `credential ${createHash("sha256").update(secret).digest("hex").slice(0, 16)}`;
  const { host } = new URL(baseUrl);
  return {
    label: host,
    place: `at ${host}`,
    baseUrl,
    baseUrlFrom,
    quotaKey,
    figures: { folder: quotaKey.replace(" ", "-"), signIn: quotaKey },
    available: [
      ...(accessToken === undefined ? [] : (["bearer"] as const)),
      ...(apiKey === undefined ? [] : (["api_key"] as const)),
      ...(partnerKey === undefined ? [] : (["partner_key"] as const)),
    ],
    credentials: {
      ...(accessToken !== undefined && { bearer: () => Promise.resolve(accessToken) }),
      ...(apiKey !== undefined && { apiKey: () => Promise.resolve(apiKey) }),
      ...(partnerKey !== undefined && { partnerKey: () => Promise.resolve(partnerKey) }),
      hint: (signature) => hints[signature],
    },
  };
}

const baseUrlFrom = "COMANDA_BASE_URL";

/** What would have to be there for such a call, or be another where the service has refused it. */
const hints: Readonly<Record<Signature, string>> = {
  bearer:
    "Put a valid access token into COMANDA_ACCESS_TOKEN, or choose a store that is signed in with --store.",
  api_key: "Put the store's API key into COMANDA_API_KEY, or choose a store that has one with --store.",
  partner:
    "Put the keys into COMANDA_API_KEY and COMANDA_PARTNER_KEY, or choose a store that has them with --store.",
};
