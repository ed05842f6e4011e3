/** Finds filter values of sales figures that neither the API's list nor any kept answer of the stores has. */
import { describeUnlisted, unlistedValues } from "../../client/unlisted-values.js";
import type { Filter } from "../../contract/filters.js";
import { dimensions } from "../../contract/enums.js";
import { t } from "../../shared/language.js";
import type { SalesSource } from "./source.js";

/** Warns before anything is asked, since such a value may be a slip: it would select no order. */
export async function warnOfUnlisted(
  filters: readonly Filter[],
  sources: readonly Pick<SalesSource, "answersBy">[],
  onWarning: (message: string) => void,
): Promise<void> {
  for (const unlistedValue of unlistedValues(filters)) {
    const dimension = dimensions.find((name) => name === unlistedValue.field);
    const knownValues = new Set<string>();
    for (const source of sources) {
      if (dimension === undefined) break;
      for await (const { answer } of source.answersBy(dimension))
        for (const { key } of answer.groups) knownValues.add(String(key));
    }
    if (knownValues.has(unlistedValue.value)) continue;
    const advice = t` To see which there are: comanda grouped --by ${unlistedValue.field} --period last-month`;
    onWarning(`${describeUnlisted(unlistedValue, knownValues)}${advice}`);
  }
}
