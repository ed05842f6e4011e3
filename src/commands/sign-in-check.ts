/** Is a store signed in, by what lies here and by what the service says? */
import { ComandaError, type ErrorCode } from "../shared/errors.js";
import { t } from "../shared/language.js";

import type { StoreChoice } from "./choose-store.js";
import type { Machine } from "./machine.js";
import { reportOf, signedOut, type StatusReport } from "./session-state.js";
import type { PinnedCredential } from "./target.js";

export interface SignIn {
  readonly report: StatusReport;
  /** What status changes may be signed with, in the order in which that is tried. */
  readonly credentials: readonly PinnedCredential[];
  /** What the service, or the way to it, had against the call. */
  readonly failure?: ComandaError | undefined;
}

const nowhere: StatusReport = { store: null, ...signedOut };

/** As it lies on this machine. */
export async function storedSignIn(machine: Machine, store: string | undefined): Promise<SignIn> {
  try {
    return signInOf(await machine.chooseStore({ store }), machine.context.clock.now());
  } catch (error) {
    if (!(error instanceof ComandaError && error.code === "not_signed_in")) throw error;
    return { report: nowhere, credentials: [] };
  }
}

function signInOf(choice: StoreChoice, now: number): SignIn {
  if (choice.kind === "session") {
    const { session } = choice;
    const credentials = credentialsOf(session.tokens, session.api_key);
    return { report: reportOf(session, now), credentials };
  }
  const { accessToken, apiKey, partnerKey } = choice.variables;
  const keys = { has_api_key: apiKey !== undefined, has_partner_key: partnerKey !== undefined };
  return {
    report: { ...nowhere, state: "valid", ...keys, can_change_orders: true },
    credentials: credentialsOf(accessToken, apiKey),
  };
}

function credentialsOf(token: unknown, apiKey: unknown): readonly PinnedCredential[] {
  return [
    ...(token === undefined ? [] : (["bearer"] as const)),
    ...(apiKey === undefined ? [] : (["api_key"] as const)),
  ];
}

/**
 * There is no shown call that only asks. So the check marks an order as delivered that can't exist: ids are
 * integers (section 2.1). "Not found" is the answer to a credential that is accepted.
 */
const impossibleOrder = "comanda-status-check";

const stateAfter: Partial<Record<ErrorCode, StatusReport["state"]>> = {
  not_found: "valid",
  invalid_request: "valid",
  status_conflict: "valid",
  token_refused: "refused",
  unreachable: "unreachable",
  server_error: "unreachable",
  unexpected_answer: "unreachable",
  outcome_unknown: "unreachable",
  rate_limited: "unreachable",
};

/** As the service says of each credential in turn. */
export async function checkedSignIn(machine: Machine, store: string | undefined): Promise<SignIn> {
  const before = await storedSignIn(machine, store);
  const [first, second] = before.credentials;
  if (first === undefined) return before;
  const { state, failure } = await ask(machine, store, first);
  // A refresh may have changed what is stored.
  const { report, credentials } = await storedSignIn(machine, store);
  const now = (change: Partial<StatusReport>) => ({ report: { ...report, ...change }, credentials });
  if (state === undefined) return { ...now({ can_change_orders: false }), failure };
  if (state === "valid") return now({ state });
  if (state !== "refused") return { ...now({ state }), failure };
  const other = second && (await ask(machine, store, second));
  const ordersChange = other !== undefined && other.state !== "refused";
  return { ...now({ state, can_change_orders: ordersChange }), failure };
}

interface Answered {
  /** `undefined` where the answer says nothing about the credential, such as that a scope is missing. */
  readonly state: StatusReport["state"] | undefined;
  readonly failure?: ComandaError;
}

/** Asks with one credential alone, so that what is told of it is not another one's merit. */
async function ask(machine: Machine, store: string | undefined, auth: PinnedCredential): Promise<Answered> {
  const connection = await machine.connection({ store, auth, probes: true });
  try {
    await connection.client.deliverOrder(impossibleOrder, { signal: machine.context.signal });
    return { state: "valid" };
  } catch (error) {
    if (!(error instanceof ComandaError)) throw error;
    return { state: stateAfter[error.code], failure: asUnreachable(error) };
  } finally {
    await connection.close();
  }
}

/** For this call alone an unknown outcome is of no weight: nothing could have happened. */
function asUnreachable(error: ComandaError): ComandaError {
  if (error.code !== "outcome_unknown") return error;
  return new ComandaError("unreachable", t`The service gave no answer that tells the state of the sign-in.`, {
    hint: t`Try again in a moment.`,
    ...(error.answer && { answer: error.answer }),
  });
}
