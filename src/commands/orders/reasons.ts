/** Tells people why an order is not done. Programs and reports get the service's own texts and numbers. */
import { errorCodes } from "../../contract/errors.js";
import { t } from "../../shared/language.js";

import type { OrderOutcome } from "./outcomes.js";

/** @returns an empty text for an order that this command has changed */
export function reasonText(row: Pick<OrderOutcome, "outcome" | "code" | "message" | "details">): string {
  if (row.outcome === "done") return row.message ?? "";
  return (row.outcome === "refused" ? refusalText(row) : undefined) ?? row.message ?? "";
}

function refusalText({
  code,
  message,
  details,
}: Pick<OrderOutcome, "code" | "message" | "details">): string | undefined {
  switch (code) {
    case errorCodes.statusCannotChange:
    case "status_conflict":
      return t`Its status doesn't allow it: it may be finished, or not at that step yet.`;
    case errorCodes.notFound:
    case "not_found":
      return t`The service knows no such order. Is the id right, and of this store?`;
    case errorCodes.invalidToken:
    case "token_refused":
      return t`The service refused the credential.`;
    case "forbidden":
      return t`The service doesn't allow it to this store's sign-in.`;
    case errorCodes.invalidParameters:
    case "invalid_request":
      // The journal doesn't keep the service's texts.
      return (details ?? message) === null
        ? t`The service refused the request.`
        : t`The service refused the request: ${details ?? message ?? "?"}`;
    default:
      return undefined;
  }
}
