/** What a public validator has against recorded exchanges. */
import { openApiDocument } from "../../src/api/openapi.js";

import { createValidator } from "./openapi-validator.js";
import type { RecordedExchange } from "./record-exchanges.cjs";

const validate = createValidator(openApiDocument());

export function mismatches(exchanges: readonly RecordedExchange[]): string[] {
  // An answer that a fault made is not the service's.
  return exchanges
    .filter(({ fault }) => fault === undefined)
    .flatMap((exchange) => {
      const { method, path: target, status } = exchange;
      return validate(exchange).map((problem) => `${method} ${target} ${status}: ${problem}`);
    });
}
