/** Why an order is not done, in a person's words. The service's own words and numbers are for programs and for reports. */
import { errorCodes } from "../../contract/errors.js";
import { t } from "../../shared/language.js";

import type { OrderOutcome } from "./outcomes.js";

/** @returns an empty text for an order that is done now */
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
      // What the service said is in no journal.
      return (details ?? message) === null
        ? t`The service refused the request.`
        : t`The service refused the request: ${details ?? message ?? "?"}`;
    default:
      return undefined;
  }
}
