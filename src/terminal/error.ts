/** The one place that turns an error into text. */
import type { ComandaError } from "../shared/errors.js";
import { t } from "../shared/language.js";

import { printable, safeJson } from "./escape.js";
import type { Style } from "./style.js";
import { wrapWords } from "./wrap.js";

/**
 * For people: what happened, what the service said, what to do next.
 *
 * @param width of the terminal; absent where it is none
 */
export function renderError(error: ComandaError, style: Style, width?: number): string {
  const said = error.answer && serviceWords(error.answer, error.message);
  const lines = [
    `${style.red(style.bold(t`error:`))} ${printable(error.message)}`,
    ...(said === undefined ? [] : [style.dim(t`  The service said: ${printable(said)}`)]),
    ...(error.hint === undefined ? [] : error.hint.split("\n").map((line) => `  ${printable(line)}`)),
  ];
  return `${lines.map((line) => wrapWords(line, width)).join("\n")}\n`;
}

/** @returns `undefined` where the service said nothing that `told` hasn't told */
function serviceWords(
  { httpStatus, code, message, details }: NonNullable<ComandaError["answer"]>,
  told: string,
): string | undefined {
  const words = [message, details].filter(Boolean).join(": ");
  if (code === undefined && words === "" && told.includes(`HTTP ${httpStatus}`)) return undefined;
  return `${words || t`nothing more`} (HTTP ${httpStatus}${code === undefined ? "" : t`, code ${code}`})`;
}

/** comanda's own stable name, and the service's number where it gave one. */
export function codesOf({ code, answer }: ComandaError): {
  readonly code: string;
  readonly service_code: number | null;
} {
  return { code, service_code: answer?.code ?? null };
}

/** For programs, on one line. */
export function renderErrorJson(error: ComandaError): string {
  return `${safeJson({
    error: {
      exit_code: error.exitCode,
      ...codesOf(error),
      http_status: error.answer?.httpStatus ?? null,
      message: error.message,
      details: error.answer?.details ?? error.answer?.message ?? null,
      hint: error.hint ?? null,
      evidence: error.evidence,
    },
  })}\n`;
}
