/** Section 4.6. */
import { summarize } from "../../domain/summary/aggregate.js";
import { parseSummaryQuery } from "../../domain/summary/query.js";
import { answerFigures } from "./figures-call.js";
import type { Call } from "./mount.js";

export function summary(call: Call): Response {
  return answerFigures(call, (search, context) => {
    const query = parseSummaryQuery(search, context);
    return summarize(call.service.world.orders.ofStore(call.store.id), query, context.clock);
  });
}
