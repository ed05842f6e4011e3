import type { Command } from "commander";

import { ComandaError, type ErrorCode } from "../shared/errors.js";

import type { PinnedCredential } from "./connection.js";
import type { Context } from "./context.js";
import { leaf, perform, type Invocation } from "./leaf.js";
import { describeState, isSignedIn, reportOf, type StatusReport } from "./session-state.js";

export function statusCommand(context: Context): Command {
  const command = leaf({
    usage: "status",
    summary: "is the store signed in? A gate for scripts by its exit code",
    description:
      "Answers from what is stored, without a call. Exit code 0: the store is signed in, if need be with a token " +
      "that commands renew themselves, or has a key alone. Exit code 3: it needs a new sign-in, also where its API key " +
      'still changes the status of orders; that is "can_change_orders" in --json. --check asks the service, which ' +
      "renews a token that has expired.",
    takes: ["store"],
    examples: ["status", "status --check --json", "status --quiet && comanda orders dispatch 4711"],
  }).option("--check", "ask the service");
  return perform(command, context, (invocation) =>
    status(invocation, command.opts<{ check?: boolean }>().check ?? false),
  );
}

async function status(invocation: Invocation, check: boolean): Promise<void> {
  const { output } = invocation;
  const { report, failure }: Status = check
    ? await checkedStatus(invocation)
    : await storedStatus(invocation);
  if (output.json) output.value(report);
  else describe(invocation, report);
  if (failure) throw failure;
  if (isSignedIn(report)) return;
  const { store, state, can_change_orders: ordersChange } = report;
  throw new ComandaError(
    state === "refused" ? "token_refused" : "not_signed_in",
    store === null ? "No store is signed in." : `${store} needs a new sign-in.`,
    {
      hint: [
        `Sign in: comanda login --store ${store ?? "<alias> --env <name>"}`,
        ordersChange && "Until then the status of orders is changed with its API key.",
      ]
        .filter(Boolean)
        .join("\n"),
    },
  );
}

interface StoredStatus {
  readonly report: StatusReport;
  /** What status changes may be signed with, in the order in which that is tried. */
  readonly credentials: readonly PinnedCredential[];
}

interface Status {
  readonly report: StatusReport;
  /** What the service, or the way to it, had against the call. */
  readonly failure?: ComandaError;
}

const signedOut: StatusReport = {
  store: null,
  environment: null,
  state: "signed_out" as const,
  scopes: [],
  expires_at: null,
  has_api_key: false,
  has_partner_key: false,
  has_refresh_token: false,
  can_change_orders: false,
};

async function storedStatus(invocation: Invocation): Promise<StoredStatus> {
  const { context } = invocation;
  const [{ openState }, { chooseSession, oneStoreFlag }, { statelessTarget }] = await Promise.all([
    import("./state.js"),
    import("./choose-store.js"),
    import("./stateless.js"),
  ]);
  const stateless = oneStoreFlag(invocation) === undefined && statelessTarget(context);
  if (stateless) {
    const { available } = stateless;
    const keys = {
      has_api_key: available.includes("api_key"),
      has_partner_key: available.includes("partner_key"),
    };
    return {
      report: { ...signedOut, state: "valid", ...keys, can_change_orders: true },
      credentials: available.filter((kind) => kind !== "partner_key"),
    };
  }
  try {
    const session = await chooseSession(invocation, openState(invocation));
    return {
      report: reportOf(session, context.clock.now()),
      credentials: [
        ...(session.tokens === undefined ? [] : (["bearer"] as const)),
        ...(session.api_key === undefined ? [] : (["api_key"] as const)),
      ],
    };
  } catch (error) {
    if (error instanceof ComandaError && error.code === "not_signed_in")
      return { report: signedOut, credentials: [] };
    throw error;
  }
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

async function checkedStatus(invocation: Invocation): Promise<Status> {
  const [first, second] = (await storedStatus(invocation)).credentials;
  if (first === undefined) return storedStatus(invocation);
  const { state, failure } = await ask(invocation, first);
  // A refresh may have changed what is stored.
  const { report } = await storedStatus(invocation);
  if (state === undefined)
    return { report: { ...report, can_change_orders: false }, ...(failure && { failure }) };
  if (state !== "refused")
    return { report: { ...report, state }, ...(state !== "valid" && failure && { failure }) };
  const other = second && (await ask(invocation, second));
  return {
    report: { ...report, state, can_change_orders: other !== undefined && other.state !== "refused" },
    ...(failure && { failure }),
  };
}

interface Answered {
  /** `undefined` where the answer says nothing about the credential, such as that a scope is missing. */
  readonly state: StatusReport["state"] | undefined;
  readonly failure?: ComandaError;
}

/** Asks with one credential alone, so that what is told of it is not another one's merit. */
async function ask(invocation: Invocation, credential: PinnedCredential): Promise<Answered> {
  const { openConnection } = await import("./connection.js");
  const connection = await openConnection(invocation, "login", credential);
  try {
    await connection.client.deliverOrder(impossibleOrder, { signal: invocation.context.signal });
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
  return new ComandaError("unreachable", "The service gave no answer that tells the state of the sign-in.", {
    hint: "Try again in a moment.",
    ...(error.answer && { answer: error.answer }),
  });
}

function describe({ context, output }: Invocation, report: StatusReport): void {
  if (report.store !== null) output.line(`Store:        ${report.store} (${report.environment ?? "?"})`);
  output.line(`State:        ${describeState(report)}`);
  if (report.scopes.length > 0) output.line(`Permissions:  ${report.scopes.join(", ")}`);
  const token = describeToken(report, context.clock.now());
  if (token !== undefined) output.line(token);
  if (report.store !== null) output.line(`Orders:       ${describeOrders(report)}`);
  if (report.has_api_key) output.line("API key:      stored");
  if (report.has_partner_key) output.line("Partner key:  stored");
}

function describeOrders(report: StatusReport): string {
  if (!report.can_change_orders) return "can't be changed";
  const byToken = report.expires_at !== null && (isSignedIn(report) || report.state === "unreachable");
  return byToken ? "can be changed" : "can be changed, with the API key";
}

/** A token that the service refuses has no time left, whatever it was given. */
function describeToken(report: StatusReport, now: number): string | undefined {
  if (report.expires_at === null || report.state === "refused") return undefined;
  const minute = localMinute(report.expires_at);
  if (Date.parse(report.expires_at) <= now) return `Token ended:  ${minute}`;
  return `Token until:  ${minute}${report.has_refresh_token ? ", then it renews itself" : ""}`;
}

/** As the clock on the wall of this machine shows it; the engine's own formats take 10 ms to load. */
function localMinute(instant: string): string {
  const date = new Date(instant);
  const two = (number: number) => String(number).padStart(2, "0");
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("-");
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
