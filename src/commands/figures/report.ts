/** `comanda report` writes an HTML page about a period, with charts. */
import { randomUUID } from "node:crypto";
import {
  accessSync,
  closeSync,
  constants,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { systemErrorCode } from "../../base/errors.js";
import { contradiction } from "../../base/fields.js";
import type { Command } from "../../cli/command.js";
import type { Context } from "../../cli/context.js";
import { fetchPlanned, planFigures, type FiguresRequest, type Grouping } from "../../core/figures.js";
import { t } from "../../languages/language.js";
import { periodName } from "../../sales/period.js";
import { byRevenue } from "../../sales/sort.js";
import { storesWithFigures } from "../../views/figures.js";
import { unwritable, writing } from "../files.js";
import { showRequests } from "./dry-run.js";
import { takePeriodInZone } from "./options.js";

/** Sections that aren't compared save requests. */
const ranked = { isCompared: false, sort: byRevenue } as const;

export const reportSections: readonly Grouping[] = [
  {},
  { by: "day" },
  { by: "hour" },
  { by: "day_of_week" },
  { by: "status", ...ranked },
  { by: "sales_channel", ...ranked },
  { by: "order_type", ...ranked },
  { by: "payment_method_id", ...ranked },
  { by: "driver_id", ...ranked },
  { by: "customer_origin", ...ranked },
];

interface ReportOptions extends FiguresRequest {
  readonly out?: string;
  readonly open?: boolean;
}

export default function report(command: Command): void {
  takePeriodInZone(
    command.details(
      "The page compares headline figures with the previous period. It shows revenue and orders by day, hour and weekday, with charts, and by status, channel, order type, payment method, driver and origin. It is one file that you can mail, print and read offline. Its language follows the store's locale.",
      "A report requires several requests, and the service allows 5 per minute. It therefore takes a minute or two; --dry-run shows how long. After an interruption, the next run reuses the answers cached in the last ten minutes. The report omits a comparison that would start more than 3 years ago.",
    ),
    "last-month",
  )
    .option("-o, --out <file>", "file to write; - is stdout (default: report-<days>.html)")
    .option("--open", "open the page in the browser")
    .takes("store", "allStores", "dryRun")
    .printsText()
    .examples(
      "report",
      "report --period last-year --dry-run",
      "report --period 2026-10 --out october.html",
      "report --all-stores --period last-week --open",
    )
    .does(makeReport);
}

async function makeReport(context: Context, { out, open = false, ...options }: ReportOptions) {
  const { output } = context;
  const request = {
    ...options,
    period: periodName(options, "last-month"),
    compare: "previous",
    omitsImpossible: true,
  } as const;
  if (open && out === "-") throw contradiction("--open", "--out -");
  // Reports a file that can't be written before the requests, which take a minute or two.
  if (out !== undefined && out !== "-" && !context.options.dryRun)
    writing(out, () => {
      const before = statSync(out, { throwIfNoEntry: false });
      if (before?.isDirectory()) throw new Error(t`it is a folder`);
      if (before && !before.isFile()) accessSync(out, constants.W_OK);
      else accessSync(path.dirname(path.resolve(out)), constants.W_OK | constants.X_OK);
    });
  const plan = await planFigures(context.workspace, context.options, request, reportSections);
  if (context.options.dryRun) return showRequests(output, plan);
  const results = await fetchPlanned(plan);
  const [headline] = results;
  if (!headline) return undefined;
  const [store] = storesWithFigures(headline);
  if (store) {
    const { reportPage } = await import("./page.js");
    const page = await reportPage({ results, now: context.clock.now() });
    const { first, last } = store.current.period;
    // The days in the name prevent November's report from replacing October's.
    if (out === "-") output.text(page);
    else await writePage(context, out ?? `report-${first}-to-${last}.html`, page, open);
  }
  return headline.failure;
}

async function writePage(context: Context, file: string, page: string, open: boolean): Promise<void> {
  const { output } = context;
  const before = writing(file, () => statSync(file, { throwIfNoEntry: false }));
  if (before && !before.isFile()) await writeToDevice(context, file, page);
  else
    writing(file, () => {
      const target = before ? realpathSync(file) : file;
      const part = `${target}.${randomUUID()}.tmp`;
      // A full disk or a kill leaves an earlier report unchanged.
      try {
        writeFileSync(part, page, { flag: "wx", mode: before?.mode });
        renameSync(part, target);
      } catch (error) {
        rmSync(part, { force: true });
        throw error;
      }
    });
  output.sentence(t`Report saved to ${file}.`);
  const warn = () => output.warn(t`The browser didn't open. Open this page yourself: ${file}`);
  if (open && context.stdout.isTTY !== true) warn();
  else if (open) await context.openBrowser(pathToFileURL(file).href).catch(warn);
}

/** Writes to a pipe or device. A signal ends the wait for a reader, which a system call would not end. */
async function writeToDevice({ clock, signal }: Context, file: string, page: string): Promise<void> {
  let descriptor: number | undefined;
  let rest = Buffer.from(page);
  try {
    while (rest.length > 0)
      try {
        descriptor ??= openSync(file, constants.O_WRONLY | constants.O_NONBLOCK);
        rest = rest.subarray(writeSync(descriptor, rest));
      } catch (error) {
        const code = systemErrorCode(error);
        // No program has opened the pipe to read, or it is full.
        const isLate = (code === "ENXIO" && statSync(file).isFIFO()) || code === "EAGAIN";
        if (!isLate) throw unwritable(file, error);
        await clock.sleep(50, signal);
      }
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
