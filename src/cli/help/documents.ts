/** The commands that print JSON, each with the schemas of its documents (`api` prints what the service returned). */
import type * as z from "zod";

import { statusChangeNames } from "../../api/operations.js";
import * as results from "../../core/results.js";

export interface JsonDocument {
  /** What the document is about; texts refer to it by this name. */
  readonly name: string;
  /** Commands, with an option that leads to this document instead of another. None: only a part of other documents. */
  readonly commands: readonly string[];
  /** `lines`: one document per line, each printed as soon as it is known. `list`: one array. */
  readonly printed: "once" | "lines" | "list";
  readonly schema: z.ZodType;
}

/** Groups of documents, by the title of a section. */
export const documents: Readonly<Record<string, readonly JsonDocument[]>> = {
  "Orders and drivers": [
    {
      name: "order line",
      commands: statusChangeNames.map((action) => `orders ${action}`),
      printed: "lines",
      schema: results.orderLine,
    },
    { name: "assignment", commands: ["driver assign"], printed: "once", schema: results.assignment },
    { name: "driver", commands: ["driver list"], printed: "list", schema: results.driver },
    { name: "pre-filled order", commands: ["prefill"], printed: "once", schema: results.prefilledOrder },
    { name: "change", commands: ["history", "history settle"], printed: "lines", schema: results.change },
    {
      name: "drivers' fees",
      commands: ["history drivers"],
      printed: "once",
      schema: results.driversOwed,
    },
  ],
  "Sales figures": [
    {
      name: "figures of a store",
      commands: ["summary", "grouped"],
      printed: "once",
      schema: results.storeFigures,
    },
    {
      name: "compared figures",
      commands: ["summary --compare", "grouped --compare"],
      printed: "once",
      schema: results.comparedFigures,
    },
    {
      name: "figures of several stores",
      commands: ["summary --all-stores", "grouped --all-stores"],
      printed: "once",
      schema: results.figuresOfStores,
    },
    { name: "figures of a period", commands: [], printed: "once", schema: results.periodFigures },
    { name: "difference", commands: [], printed: "once", schema: results.difference },
    { name: "missing store", commands: [], printed: "once", schema: results.missingStore },
    {
      name: "planned requests",
      commands: ["summary --dry-run", "grouped --dry-run", "report --dry-run", "sync --dry-run"],
      printed: "once",
      schema: results.plannedFigures,
    },
    { name: "stored days", commands: ["sync"], printed: "once", schema: results.synced },
  ],
  "Stores and sign-ins": [
    { name: "state of a store", commands: ["status"], printed: "once", schema: results.storeStatus },
    { name: "sign-in", commands: ["login"], printed: "once", schema: results.signIn },
    { name: "signed-out store", commands: ["logout"], printed: "lines", schema: results.signedOut },
    { name: "listed store", commands: ["stores list"], printed: "list", schema: results.listedStore },
    { name: "default store", commands: ["stores use"], printed: "once", schema: results.defaultStore },
    { name: "store settings", commands: ["stores set"], printed: "once", schema: results.storeSettings },
    { name: "renamed store", commands: ["stores rename"], printed: "once", schema: results.renamedStore },
    { name: "removed store", commands: ["stores remove"], printed: "once", schema: results.removedStore },
    { name: "environment", commands: ["env list"], printed: "list", schema: results.environment },
    { name: "saved environment", commands: ["env set"], printed: "once", schema: results.environment },
    {
      name: "removed environment",
      commands: ["env remove"],
      printed: "once",
      schema: results.removedEnvironment,
    },
  ],
  Others: [
    { name: "finding", commands: ["doctor"], printed: "list", schema: results.finding },
    { name: "emulator", commands: ["emulator start"], printed: "once", schema: results.startedEmulator },
    {
      name: "run with a reading",
      commands: ["emulator exec --matrix"],
      printed: "list",
      schema: results.matrixRun,
    },
    { name: "reading", commands: ["emulator readings"], printed: "list", schema: results.reading },
    {
      name: "request",
      commands: ["orders --dry-run", "driver assign --dry-run", "prefill --dry-run", "api --dry-run"],
      printed: "lines",
      schema: results.describedRequest,
    },
    { name: "error", commands: ["on stderr"], printed: "once", schema: results.errorDocument },
  ],
};
