/** The findings of `doctor`. */
import { ComandaError } from "../../client/errors.js";
import { t } from "../../languages/language.js";

export interface Finding {
  readonly check: string;
  readonly status: "ok" | "warning" | "failure";
  readonly message: string;
  /** The remedy; null where nothing has to be done. */
  readonly hint: string | null;
}

export const ok = (check: string, message: string): Finding => ({ check, status: "ok", message, hint: null });
export const warning = (check: string, message: string, hint: string): Finding => ({
  ...{ check, status: "warning", message, hint },
});
export const failure = (check: string, message: string, hint: string): Finding => ({
  ...{ check, status: "failure", message, hint },
});

/** Makes a finding of an error that a part of comanda has thrown. */
export function failureOf(check: string, error: unknown): Finding {
  if (!(error instanceof ComandaError)) throw error;
  return failure(check, error.message, error.hint ?? t`Run the command again with --debug.`);
}
