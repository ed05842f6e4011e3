/** The one place that turns an error into text. */
import type { ComandaError } from "../client/errors.js";
import { t } from "../languages/language.js";

import { printable, safeJson } from "./escape.js";
import type { Style } from "./style.js";
import { wrapWords } from "./wrap.js";

/**
 * Tells people what happened, the service's answer, and what to do next.
 *
 * @param width columns of the terminal; absent without one
 */
export function renderError(error: ComandaError, style: Style, width?: number): string {
  const serviceText = error.answer && serviceWords(error.answer, error.message);
  const lines = [
    `${style.red(style.bold(t`error:`))} ${printable(error.message)}`,
    ...(serviceText === undefined ? [] : [style.dim(t`  The service said: ${printable(serviceText)}`)]),
    ...(error.hint === undefined ? [] : error.hint.split("\n").map((line) => `  ${printable(line)}`)),
  ];
  return `${lines.map((line) => wrapWords(line, width)).join("\n")}\n`;
}

/** @returns `undefined` where the answer adds nothing to the error's message */
function serviceWords(
  { httpStatus, code, message, details }: NonNullable<ComandaError["answer"]>,
  errorMessage: string,
): string | undefined {
  const words = [message, details].filter(Boolean).join(": ");
  if (code === undefined && words === "" && errorMessage.includes(`HTTP ${httpStatus}`)) return undefined;
  return `${words || t`nothing more`} (HTTP ${httpStatus}${code === undefined ? "" : t`, code ${code}`})`;
}

/** Programs get comanda's own stable name, and the service's number where it gave one. */
export function codesOf({ code, answer }: ComandaError): {
  readonly code: string;
  readonly service_code: number | null;
} {
  return { code, service_code: answer?.code ?? null };
}

/** Programs read the error on one line. */
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
