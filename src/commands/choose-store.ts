/** Which store a command is about: flag, then environment variable, then settings, then the only one there is. */
import { suggestion } from "../shared/nearest.js";
import { ComandaError } from "../shared/errors.js";
import type { Session, SessionStore } from "../state/sessions/session.js";
import { parseStoreAlias } from "../state/sessions/store-alias.js";

import { oneStore } from "./command-line.js";
import { variable } from "./context.js";
import type { Invocation } from "./leaf.js";
import type { State } from "./state.js";

/** @throws {ComandaError} `usage` where more than one `--store` was given */
export function oneStoreFlag({ globals }: Pick<Invocation, "globals">): string | undefined {
  return oneStore(globals);
}

/** How a store gets what a command needs: a call that takes the API key alone has no use for a sign-in. */
export type LoginCommand = "login" | "login --api-key";

/**
 * @param login what is recommended where there is no session
 * @returns the session of the store that is meant
 * @throws {ComandaError} `invalid_input` for an alias that isn't known, `not_signed_in` where none is,
 *   `usage` where there are several and none is chosen, `state_unusable` where its file can't be used
 */
export async function chooseSession(
  invocation: Invocation,
  state: State,
  login: LoginCommand = "login",
): Promise<Session> {
  const named = oneStoreFlag(invocation) ?? variable(invocation.context, "COMANDA_STORE");
  const session =
    named === undefined
      ? await defaultSession(state, login)
      : await knownSession(state.sessions, named, login);
  refuseOtherEnvironment(session, variable(invocation.context, "COMANDA_ENV"));
  return session;
}

/** @throws {ComandaError} `invalid_input` for an alias that isn't known */
export async function knownSession(
  sessions: SessionStore,
  alias: string,
  login: LoginCommand = "login",
): Promise<Session> {
  const session = await sessions.read(parseStoreAlias(alias));
  if (session) return session;
  throw await unknownStore(sessions, alias, login);
}

export async function unknownStore(
  sessions: Pick<SessionStore, "list">,
  alias: string,
  login: LoginCommand = "login",
): Promise<ComandaError> {
  const known = (await sessions.list()).map(({ store }) => store);
  const message = `This machine knows no store "${alias}".${suggestion(alias, known)}`;
  return new ComandaError("invalid_input", message, {
    hint:
      known.length === 0
        ? `${login === "login" ? "Sign in first" : "Store its API key first"}: comanda ${login} --store ${alias}`
        : `It knows: ${known.join(", ")}. To add it: comanda ${login} --store ${alias}`,
  });
}

async function defaultSession({ sessions, settings }: State, login: LoginCommand): Promise<Session> {
  const chosen = settings.read().default_store;
  if (chosen !== undefined) {
    const session = await sessions.read(chosen);
    if (session) return session;
  }
  const [only, ...others] = await sessions.list();
  if (only === undefined) {
    throw new ComandaError("not_signed_in", "This machine knows no store yet.", {
      hint: `${login === "login" ? "Sign in at one" : "Store the API key of one"}: comanda ${login} --store <alias> --env <name>\nOr have a look around first: comanda demo`,
    });
  }
  if (others.length > 0) {
    throw new ComandaError("usage", "This machine knows several stores; say which one.", {
      hint: `With --store <alias>, or once for all: comanda stores use ${only.store}`,
    });
  }
  if ("error" in only) throw only.error;
  return only;
}

/** `COMANDA_ENV` in a script is a promise that nothing else is touched. */
export function refuseOtherEnvironment({ store, environment }: Session, wanted: string | undefined): void {
  if (!wanted || wanted === environment.name) return;
  throw new ComandaError(
    "configuration",
    `The store ${store} belongs to ${environment.name}, but COMANDA_ENV is ${wanted}.`,
    { hint: "Choose a store of that environment, or unset COMANDA_ENV." },
  );
}
