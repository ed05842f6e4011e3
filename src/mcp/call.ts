/** One call of a tool: what it may use, how long it may take, and the question to the user before a change. */
import { whenAborted } from "../base/clock.js";
import { ComandaError } from "../base/errors.js";
import { createNotifier } from "../cli/notices.js";
import { createOutput } from "../cli/output.js";
import type { Workspace } from "../core/workspace.js";
import { inLanguage, type Words } from "../languages/language.js";
import { assistantHint } from "./hints.js";
import * as sdk from "./sdk.js";
import { errorResult, resultOf } from "./texts.js";
import type { Tool } from "./tools.js";

export interface Server {
  readonly protocol: sdk.McpServer["server"];
  readonly workspace: Workspace;
  readonly allowWrites: boolean;
  /** Allows changes in an app that can't ask the user. */
  readonly withoutAsking: boolean;
  readonly userWords: Words;
}

/** Time for answers to requests already sent, after a call is canceled or the client disconnects. */
export const graceMs = 3_000;
/** Time for a call that only reads, besides its wait for the rate limit of 45 s: clients give up after a minute. */
const readMs = 10_000;
/** Time until a question counts as not answered. */
const questionMs = 10 * 60_000;

type Extra = sdk.RequestHandlerExtra<sdk.ServerRequest, sdk.ServerNotification>;

/** Runs a tool and returns its result or its error. */
export async function callTool<Input>(
  server: Server,
  tool: Tool<Input>,
  input: Input,
  extra: Extra,
): Promise<sdk.CallToolResult> {
  const { workspace } = server;
  const stop = new AbortController();
  const giveUp = new AbortController();
  const leave = whenAborted(extra.signal, () => {
    stop.abort(new ComandaError("interrupted", "The call was canceled."));
    setTimeout(() => giveUp.abort(), graceMs).unref();
  });
  const progressToken = extra._meta?.progressToken;
  let progress = 0;
  const tell = (message: string) => {
    if (progressToken === undefined) return;
    const params = { progressToken, progress: (progress += 1), message };
    void extra.sendNotification({ method: "notifications/progress", params }).catch(() => undefined);
  };
  const notices: string[] = [];
  const write = (line: string | Uint8Array) => {
    notices.push(String(line).trim());
    tell(String(line).trim());
  };
  const streams = { stdout: { write }, stderr: { write }, env: {} };
  const output = await createOutput(streams, { format: "table", color: false });
  const { notify, end } = createNotifier(output, workspace.clock, assistantHint);
  const timers = [setInterval(tell, 5_000, "Waiting for the service.").unref()];
  if (!tool.writes) {
    const late = new ComandaError("rate_limited", "The service hasn't answered in time.", {
      hint: "Call again in a minute. Answers that have arrived are cached for ten minutes.",
    });
    timers.push(setTimeout(() => stop.abort(late), workspace.maxWaitMs + readMs).unref());
  }
  const own = { ...workspace, signal: stop.signal, grace: giveUp.signal, notify };
  const confirm = (question: () => string) => ask(server, question, extra, stop.signal);
  const run = async () => {
    try {
      if (tool.writes) mustBeAllowed(server);
      return await tool.run({ workspace: own, confirm }, input);
    } finally {
      for (const timer of timers) clearTimeout(timer);
      leave();
      end();
    }
  };
  try {
    return await resultOf(await run(), notices);
  } catch (failure) {
    if (failure instanceof ComandaError) return errorResult(failure, notices);
    throw failure;
  }
}

const lateCodes: readonly number[] = [sdk.ErrorCode.RequestTimeout];
const noFields = { type: "object" as const, properties: {} };
const declined = ["The user declined.", "Don't try again unless the user says so."] as const;

/** @throws {ComandaError} `interrupted` unless the user agrees, or comanda needn't ask */
async function ask(
  { protocol, userWords }: Server,
  question: () => string,
  { requestId }: Extra,
  signal: AbortSignal,
): Promise<void> {
  if (asksUser(protocol)) {
    const form = { message: inLanguage(userWords, question), requestedSchema: noFields };
    const options = { signal, timeout: questionMs, relatedRequestId: requestId };
    const { action } = await protocol.elicitInput(form, options).catch((error: unknown) => {
      const isLate = error instanceof sdk.McpError && lateCodes.includes(error.code);
      return { action: isLate ? ("late" as const) : ("unasked" as const) };
    });
    if (action !== "accept") {
      const [message, hint] = {
        late: ["No answer from the user within ten minutes.", "Call again when the user is there."],
        unasked: ["The app couldn't ask the user.", "Tell the user that the app didn't show the question."],
        decline: declined,
        cancel: declined,
      }[action];
      throw new ComandaError("interrupted", `${message} Nothing was sent.`, { hint });
    }
  }
  signal.throwIfAborted();
}

function asksUser(protocol: Server["protocol"]): boolean {
  return protocol.getClientCapabilities()?.elicitation?.form !== undefined;
}

/** Returns whether the tools for changes may be called, and are listed. */
export function canChange({ protocol, allowWrites, withoutAsking }: Server): boolean {
  return allowWrites && (withoutAsking || asksUser(protocol));
}

/** @throws {ComandaError} `forbidden` if this server, or this app, may change nothing */
function mustBeAllowed(server: Server): void {
  if (canChange(server)) return;
  const [message, hint] = server.allowWrites
    ? [
        "This app can't ask the user, so nothing may be changed.",
        "Tell the user: changes require an app with MCP elicitation. comanda help mcp describes --without-asking.",
      ]
    : [
        "This server may not change anything.",
        "Tell the user: to allow changes, add --allow-writes to the arguments of comanda mcp in the app's settings.",
      ];
  throw new ComandaError("forbidden", `${message} Nothing was sent.`, { hint });
}
