/** The redirect address as a person pastes it, where no browser of this machine can bring it back. */
import { judgeParameters, type Callback, type PendingCallback } from "./callback.js";
import { baseOf, type RedirectAddress } from "./redirect-address.js";

/**
 * Asks on the terminal for the address that the browser ended at. `problem` says what was wrong with the line
 * before. `undefined` where there is nobody to ask any more (end of input). Rejects when the signal is aborted.
 */
export type RedirectPrompt = (
  problem: string | undefined,
  signal: AbortSignal,
) => Promise<string | undefined>;

/** Asks until the answer belongs to this sign-in; `undefined` where the input ended before. */
export async function askForRedirect(
  prompt: RedirectPrompt,
  address: RedirectAddress,
  pending: PendingCallback,
  signal: AbortSignal,
): Promise<Callback | undefined> {
  let problem: string | undefined;
  for (;;) {
    const line = await prompt(problem, signal);
    if (line === undefined) return undefined;
    const judged = judgePasted(line, address, pending);
    if (judged.kind !== "none") return judged;
    problem = judged.problem;
  }
}

const problems = {
  wrong_state: "That address belongs to another sign-in.",
  wrong_address: "That address is not the redirect address.",
  repeated: "That address has a parameter twice.",
  incomplete: "That address has neither a code nor an error.",
} as const;

/** Takes the whole address, or its query alone, by the same rules as a request of the browser's. */
export function judgePasted(
  line: string,
  address: RedirectAddress,
  pending: PendingCallback,
): Callback | { readonly kind: "none"; readonly problem: string } {
  const query = queryOf(unquoted(line.trim()), address);
  if (query === undefined) return { kind: "none", problem: problems.wrong_address };
  const judged = judgeParameters(new URLSearchParams(query), pending);
  return judged.kind === "none" ? { kind: "none", problem: problems[judged.reason] } : judged;
}

function queryOf(pasted: string, address: RedirectAddress): string | undefined {
  const [beforeQuery = ""] = pasted.split(/[?#]/, 1);
  if (beforeQuery.includes("=") || pasted.startsWith("?")) return pasted.split("#", 1)[0];
  // Browsers hide the scheme in the address bar, and some copy it that way.
  const { protocol } = new URL(address.uri);
  const complete = beforeQuery.includes("://") || beforeQuery.toLowerCase().startsWith(protocol);
  const whole = complete ? pasted : `${protocol}//${pasted}`;
  if (!URL.canParse(whole)) return undefined;
  const url = new URL(whole);
  return baseOf(url) === address.base ? url.search : undefined;
}

function unquoted(text: string): string {
  return /^(["'`<]).*["'`>]$/.test(text) ? text.slice(1, -1) : text;
}
