import type { MakeOptions } from "../../../src/commands/prefill/index.js";

import { flagsOf } from "./gathering.js";

/** What `prefill --order-type takeout` is parsed to: a test changes what it is about. */
export const takeout: MakeOptions = {
  kind: "make",
  file: undefined,
  flags: flagsOf({ orderType: "takeout" }),
  open: false,
  qr: false,
  store: undefined,
  dryRun: false,
};
