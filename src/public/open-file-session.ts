/** {@link fileSession} loads this file when it is called. */
import path from "node:path";

import { sessionAccess } from "../auth/session-access.js";
import type { ChangedOrder } from "../client/call/done-before.js";
import type { CallObserver } from "../client/call/observer.js";
import type { Transport } from "../client/http/transport.js";
import { createTransport } from "../client/http/undici-transport.js";
import { systemClock } from "../shared/clock.js";
import { ComandaError } from "../shared/errors.js";
import { openGate } from "../state/gate.js";
import { isLastChange } from "../state/journal/done-before.js";
import { openJournal } from "../state/journal/journal.js";
import type { HostProcess } from "../state/locks/process-identity.js";
import { openState, type State } from "../state/open-state.js";
import { openLimiter } from "../state/limiter.js";
import { chooseSession, unknownStore, type NamedStore } from "../state/sessions/choose-session.js";
import type { Session, SessionStore } from "../state/sessions/session.js";
import { isProtected } from "../state/settings/store-settings.js";

export interface OpenOptions {
  readonly store: string | undefined;
  readonly folder: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly transport: Transport | undefined;
  readonly confirm: string | undefined;
  readonly journal: boolean;
  readonly onWarning: ((message: string) => void) | undefined;
  readonly host: HostProcess;
}

/** Opens the session. Its result has the type `FileSession` in file-session.ts. */
export async function openFileSession({
  store,
  folder,
  env,
  transport = refreshTransport(env),
  host,
  ...gate
}: OpenOptions) {
  const machine = {
    clock: systemClock,
    process: host,
    ...(gate.onWarning && { warn: gate.onWarning }),
  };
  // The command line takes the same variables for the same folder.
  const variables = folder === undefined ? env : { ...env, COMANDA_CONFIG_DIR: path.resolve(folder) };
  const state = await openState({ ...machine, env: variables });
  const { sessions, settings } = state;
  const session = await choose(sessions, {
    named: store,
    settings: store === undefined ? await settings.read() : undefined,
  });
  if (gate.confirm !== undefined && gate.confirm !== session.store)
    throw otherStore(gate.confirm, session.store);
  const access = sessionAccess({ session, sessions, transport, clock: systemClock, pid: host.pid });
  return {
    store: session.store,
    environment: session.environment.name,
    clientOptions: {
      baseUrl: access.baseUrl,
      allowInsecure: access.allowInsecure,
      credentials: access.credentials,
      rateLimiter: openLimiter(access, { env, folder: state }),
      ...(gate.onWarning && { onWarning: gate.onWarning }),
      doneBefore: (change: ChangedOrder) =>
        isLastChange(state, { store: session.store, environment: session.environment.name }, change),
      observer: sessionGate(session, { state, actor: env["COMANDA_ACTOR"], ...gate }),
    },
  };
}

interface SessionGateOptions extends Pick<OpenOptions, "confirm" | "journal"> {
  readonly state: State;
  readonly actor: string | undefined;
}

function sessionGate(
  { store, environment, signed_in_at }: Session,
  { state, actor, confirm, journal: writesJournal }: SessionGateOptions,
): CallObserver {
  const journal = writesJournal
    ? openJournal({
        state,
        place: { store, environment: environment.name },
        ...(actor?.trim() && { actor }),
        wayOut:
          "Nothing was sent. With the option journal: false it is sent all the same, and history doesn't show it.",
      })
    : undefined;
  return openGate({
    // The settings are read each time, since the store may be protected while the program runs.
    async beforeCancel() {
      if (confirm === undefined && isProtected(await state.settings.read(), store)) throw notConfirmed(store);
    },
    figures: signed_in_at === undefined ? undefined : { state, store },
    journal,
    // A program may end by itself once its call is over, so the outcome has to be on the disk by then.
    others: [{ ended: () => journal?.close() }],
  });
}

function notConfirmed(store: string): ComandaError {
  return new ComandaError("usage", `${store} is protected, so that no order is canceled there by mistake.`, {
    hint: `Nothing was sent. If the program may cancel there: fileSession({ confirm: "${store}" })`,
  });
}

function otherStore(confirm: string, store: string): ComandaError {
  return new ComandaError("usage", `The option confirm names ${confirm}, but this is ${store}.`, {
    hint: `Pass the store that is meant: { store: "${confirm}", confirm: "${confirm}" }`,
  });
}

/** Chooses the session, and words its errors for a program: it passes options, and types no flags. */
async function choose(sessions: SessionStore, store: NamedStore): Promise<Session> {
  const choice = await chooseSession(sessions, store);
  switch (choice.kind) {
    case "session":
      return choice.session;
    case "several":
      throw new ComandaError("usage", "This machine knows several stores; say which one.", {
        hint: `Pass one of them as store: ${choice.aliases.join(", ")}.`,
      });
    case "unknown":
      if (choice.aliases.length === 0) throw noStore();
      throw unknownStore(choice.alias, choice.aliases, `It knows: ${choice.aliases.join(", ")}.`);
    case "none":
      throw noStore();
  }
}

function noStore(): ComandaError {
  return new ComandaError("not_signed_in", "This machine knows no store yet.", {
    hint: "Sign in at one: comanda login --store <alias> --env <name>",
  });
}

/** Opens one connection for each refresh, so that nothing is left for the program to close. */
function refreshTransport(env: OpenOptions["env"]): Transport {
  return {
    send: async (request) => {
      const transport = createTransport({ env, shortLived: false });
      try {
        return await transport.send(request);
      } finally {
        await transport.close();
      }
    },
    close: () => Promise.resolve(),
  };
}
