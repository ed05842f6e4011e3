/** One call of a tool: what it may use, how long it may take, and the question to the user before a change. */
import { whenAborted } from "../base/clock.js";
import { ComandaError, type ErrorCode } from "../base/errors.js";
import { createNotifier } from "../cli/notices.js";
import { createOutput } from "../cli/output.js";
import type { Notice, Workspace } from "../core/workspace.js";
import { inLanguage, type Words } from "../languages/language.js";
import { assistantHint } from "./hints.js";
import * as sdk from "./sdk.js";
import { resultOf, type Answer } from "./texts.js";
import type { Tool } from "./tools.js";

export interface ServerOptions {
  readonly allowWrites: boolean;
  /** Allows changes in an app that can't ask the user. */
  readonly withoutAsking: boolean;
}

export interface Server extends ServerOptions {
  readonly protocol: sdk.McpServer["server"];
  readonly workspace: Workspace;
  readonly userWords: Words;
}

/** Time for answers to requests already sent, after a call is canceled or the client disconnects. */
export const graceMs = 3_000;
/** Time for a call that only reads, besides its wait for the rate limit of 45 s: clients give up after a minute. */
const readMs = 10_000;
/** Time until a question counts as not answered. */
const questionMs = 10 * 60_000;
/** Clients that reset their limit at each sign of progress wait for the user, too. */
const progressMs = 5_000;

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
  // A wait isn't true any more once the result is there.
  let isPassing = false;
  const write = (line: string | Uint8Array) => {
    if (!isPassing) notices.push(String(line).trim());
    tell(String(line).trim());
  };
  const streams = { stdout: { write }, stderr: { write }, env: {} };
  const output = await createOutput(streams, { format: "table", color: false });
  const { notify: show, warn, end } = createNotifier(output, workspace.clock, assistantHint);
  const notify = (notice: Notice) => {
    isPassing = notice.type === "wait" || notice.type === "progress";
    show(notice);
    isPassing = false;
  };
  const beat = setInterval(tell, progressMs, "Still waiting.").unref();
  let limit: NodeJS.Timeout | undefined;
  if (!tool.writes) {
    const late = new ComandaError("rate_limited", "The service didn't answer in time.", {
      hint: "Call again in a minute. Figures that arrived are cached for up to ten minutes.",
    });
    limit = setTimeout(() => stop.abort(late), workspace.maxWaitMs + readMs).unref();
  }
  let answer: Answer;
  try {
    if (tool.writes && !canChange(server))
      throw refusal("forbidden", server.allowWrites ? "cannotAsk" : "readsOnly");
    // A warning about a change that isn't recorded belongs to the result.
    const state = async () => ({ ...(await workspace.state()), warn });
    const own = { ...workspace, signal: stop.signal, grace: giveUp.signal, notify, state };
    const confirm = (question: () => string) => ask(server, question, extra, stop.signal);
    answer = await tool.run({ workspace: own, confirm, isLocal: tool.isLocal ?? false }, input);
  } catch (failure) {
    if (!(failure instanceof ComandaError)) throw failure;
    answer = { about: [], document: () => ({}), text: () => "", failure };
  } finally {
    clearInterval(beat);
    clearTimeout(limit);
    leave();
    end();
  }
  return resultOf(answer, notices);
}

const lateCode: number = sdk.ErrorCode.RequestTimeout;
/** Why nothing is sent, and what the assistant does then. */
const refusals = {
  decline: ["The user declined.", "Don't try again unless the user requests it."],
  cancel: ["The user closed the question.", "Don't try again unless the user requests it."],
  late: ["The user didn't answer within ten minutes.", "Call again when the user is available."],
  unasked: [
    "The app couldn't show the question to the user.",
    "Tell the user that the app didn't ask for confirmation.",
  ],
  cannotAsk: [
    "This app can't ask the user for confirmation, so changes aren't allowed.",
    "Tell the user: changes require an app that supports MCP elicitation. For apps without it, see --without-asking in comanda help mcp.",
  ],
  readsOnly: [
    "Changes aren't allowed on this server.",
    "Tell the user: to allow changes, add --allow-writes to the arguments of comanda mcp in the app's settings.",
  ],
} as const;

function refusal(code: ErrorCode, reason: keyof typeof refusals): ComandaError {
  const [message, hint] = refusals[reason];
  return new ComandaError(code, `${message} Nothing was sent.`, { hint });
}

/** @throws {ComandaError} `interrupted` unless the user agrees, or comanda doesn't have to ask */
async function ask(
  { protocol, userWords }: Server,
  question: () => string,
  { requestId }: Extra,
  signal: AbortSignal,
): Promise<void> {
  if (asksUser(protocol)) {
    const message = inLanguage(userWords, question);
    const form = { message, requestedSchema: { type: "object" as const, properties: {} } };
    const options = { signal, timeout: questionMs, relatedRequestId: requestId };
    const { action } = await protocol.elicitInput(form, options).catch((error: unknown) => {
      const isLate = error instanceof sdk.McpError && error.code === lateCode;
      return { action: isLate ? ("late" as const) : ("unasked" as const) };
    });
    if (action !== "accept") throw refusal("interrupted", action);
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
