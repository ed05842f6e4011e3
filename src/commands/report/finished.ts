import type { StoreResult, StoresTotal } from "../../summary/merge/stores.js";
import type { Gathered } from "../figures/gather.js";
import type { FiguresRequest } from "../figures/request.js";

import type { ReportFigures } from "./figures.js";
import type { ReportOptions } from "./options.js";

/** What the report's writers are given. */
export interface FinishedReport {
  readonly several: boolean;
  readonly results: readonly StoreResult<Gathered<ReportFigures>>[];
  /** Over the stores that answered; of one store, its own figures. */
  readonly total: StoresTotal<ReportFigures> | null;
  readonly request: FiguresRequest;
  readonly options: ReportOptions;
}
