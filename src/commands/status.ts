import type { Command } from "commander";

import { ComandaError, type ErrorCode } from "../errors/index.js";

import type { Context } from "./context.js";
import { leaf, perform, type Invocation } from "./leaf.js";
import { describeState, isUsable, reportOf, stateOf, type StatusReport } from "./session-state.js";

export function statusCommand(context: Context): Command {
  const command = leaf({
    usage: "status",
    summary: "is the store signed in? A gate for scripts by its exit code",
    description:
      "Answers from what is stored, without a call. Exit code 0: commands can go ahead, if need be with a " +
      "token that they renew themselves. --check asks the service, which renews a token that has expired.",
    takes: ["store"],
    examples: ["status", "status --check --json", "status --quiet && comanda orders dispatch 4711"],
  }).option("--check", "ask the service");
  return perform(command, context, (invocation) =>
    status(invocation, command.opts<{ check?: boolean }>().check ?? false),
  );
}

async function status(invocation: Invocation, check: boolean): Promise<void> {
  const { output } = invocation;
  const { report, failure } = check ? await checkedStatus(invocation) : await storedStatus(invocation);
  if (output.json) output.value(report);
  else describe(invocation, report);
  if (failure) throw failure;
  if (isUsable(report)) return;
  throw new ComandaError(
    report.state === "refused" ? "token_refused" : "not_signed_in",
    report.store === null ? "No store is signed in." : `${report.store} can't be used without a new sign-in.`,
    { hint: `Sign in: comanda login --store ${report.store ?? "<alias> --env <name>"}` },
  );
}

interface Status {
  readonly report: StatusReport;
  /** What the service, or the way to it, had against the call. */
  readonly failure?: ComandaError;
}

const signedOut: StatusReport = {
  ...{ store: null, environment: null, state: "signed_out" as const, scopes: [], expires_at: null },
  ...{ has_api_key: false, has_partner_key: false, has_refresh_token: false },
};

async function storedStatus(invocation: Invocation): Promise<Status> {
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
    return { report: { ...signedOut, state: "valid", ...keys } };
  }
  try {
    const session = await chooseSession(invocation, openState(invocation));
    return { report: reportOf(session, stateOf(session, context.clock.now())) };
  } catch (error) {
    if (error instanceof ComandaError && error.code === "not_signed_in") return { report: signedOut };
    throw error;
  }
}

/**
 * There is no shown call that only asks. So the check marks an order as delivered that can't exist: ids are
 * integers (section 2.1). "Not found" is the answer to a credential that is accepted.
 */
const impossibleOrder = "comanda-status-check";

const stateAfter: Partial<Record<ErrorCode, StatusReport["state"]>> = {
  token_refused: "refused",
  unreachable: "unreachable",
  server_error: "unreachable",
  unexpected_answer: "unreachable",
  outcome_unknown: "unreachable",
  rate_limited: "unreachable",
};

async function checkedStatus(invocation: Invocation): Promise<Status> {
  const before = await storedStatus(invocation);
  if (before.report.state === "signed_out") return before;
  const { openConnection } = await import("./connection.js");
  const connection = await openConnection(invocation);
  try {
    await connection.client.deliverOrder(impossibleOrder, { signal: invocation.context.signal });
    return { report: { ...(await storedStatus(invocation)).report, state: "valid" } };
  } catch (error) {
    if (!(error instanceof ComandaError)) throw error;
    // A refresh may have changed what is stored.
    const { report } = await storedStatus(invocation);
    const state = stateAfter[error.code];
    if (state !== undefined) return { report: { ...report, state }, failure: asUnreachable(error) };
    if (["not_found", "invalid_request", "status_conflict"].includes(error.code)) {
      return { report: { ...report, state: "valid" } };
    }
    return { report, failure: error };
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
  if (report.has_api_key) output.line("API key:      stored");
  if (report.has_partner_key) output.line("Partner key:  stored");
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
