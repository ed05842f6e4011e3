/** Section 4.7. */
import { summarizeGrouped } from "../../domain/summary/aggregate.js";
import type { Names } from "../../domain/summary/groups.js";
import { parseGroupedQuery } from "../../domain/summary/query.js";
import { paymentMethods } from "../../seed/catalog.js";
import { answerFigures } from "./figures-call.js";
import type { Call } from "./mount.js";

export function groupedSummary(call: Call): Response {
  const { drivers, orders } = call.service.world;
  const names: Names = {
    driver: (id) => drivers.get(id)?.name,
    paymentMethod: (id) => paymentMethods.find((method) => method.id === id)?.name,
  };
  return answerFigures(call, (search, context) => {
    const query = parseGroupedQuery(search, context);
    return summarizeGrouped(orders.ofStore(call.store.id), query, context.clock, names);
  });
}
