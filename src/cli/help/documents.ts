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

const printed =
  (how: JsonDocument["printed"]) =>
  (name: string, schema: z.ZodType, ...commands: readonly string[]) =>
    ({ name, commands, printed: how, schema }) satisfies JsonDocument;
const once = printed("once");
const lines = printed("lines");
const list = printed("list");

/** Groups of documents, by the title of a section. */
export const documents: Readonly<Record<string, readonly JsonDocument[]>> = {
  "Orders and drivers": [
    lines("order line", results.orderLine, ...statusChangeNames.map((action) => `orders ${action}`)),
    once("assignment", results.assignment, "driver assign"),
    list("driver", results.listedDriver, "driver list"),
    once("pre-filled order", results.prefilledOrder, "prefill"),
    lines("change", results.change, "history", "history settle"),
    once("drivers' fees", results.driversOwed, "history drivers"),
  ],
  "Sales figures": [
    once("figures of a store", results.storeFigures, "summary", "grouped"),
    once("compared figures", results.comparedFigures, "summary --compare", "grouped --compare"),
    once(
      "figures of several stores",
      results.figuresOfStores,
      "summary --all-stores",
      "grouped --all-stores",
    ),
    once("figures of a period", results.periodFigures),
    once("difference", results.difference),
    once("missing store", results.missingStore),
    once(
      "planned requests",
      results.plannedFigures,
      ...["summary --dry-run", "grouped --dry-run", "report --dry-run", "sync --dry-run"],
    ),
    once("stored days", results.synced, "sync"),
  ],
  "Stores and sign-ins": [
    once("state of a store", results.storeStatus, "status"),
    once("sign-in", results.signIn, "login"),
    lines("signed-out store", results.signedOut, "logout"),
    list("listed store", results.listedStore, "stores list"),
    once("default store", results.defaultStore, "stores use"),
    once("store settings", results.storeSettings, "stores set"),
    once("renamed store", results.renamedStore, "stores rename"),
    once("removed store", results.removedStore, "stores remove"),
    list("environment", results.environment, "env list"),
    once("saved environment", results.environment, "env set"),
    once("removed environment", results.removedEnvironment, "env remove"),
  ],
  Others: [
    list("finding", results.finding, "doctor"),
    once("emulator", results.startedEmulator, "emulator start"),
    list("run with a reading", results.matrixRun, "emulator exec --matrix"),
    list("reading", results.reading, "emulator readings"),
    lines(
      "request",
      results.describedRequest,
      ...["orders --dry-run", "driver assign --dry-run", "prefill --dry-run", "api --dry-run"],
    ),
    once("error", results.errorDocument, "on stderr"),
  ],
};
