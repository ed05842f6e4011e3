/** The options of the commands for figures. */
import { dateFields } from "../../api/values.js";
import { collect, type Command } from "../../cli/command.js";
import { comparisons } from "../../sales/period.js";

/** @param usual names the default period */
export function takePeriod(command: Command, usual: string): Command {
  const period = command.createOption("-p, --period <period>", "period; see comanda help periods");
  return command
    .addOption(period.default(undefined, usual))
    .option("--from <date>", "first day, or date-time with offset")
    .option("--to <date>", "last day, or date-time with offset (with --from: now)");
}

/** @param usual names the default period */
export function takePeriodInZone(command: Command, usual: string): Command {
  return takePeriod(command, usual)
    .option("--tz <zone>", "time zone of the days (default: the store's)")
    .option("--fresh", "ignore cached answers");
}

export function takeFiguresOptions(command: Command): Command {
  const dateField = command
    .createOption("--date-field <field>", "date")
    .choices(dateFields)
    .default(undefined, "created_at");
  return takePeriodInZone(command, "yesterday")
    .option("-f, --filter <filter>", "filter orders; see comanda help filters (repeatable)", collect)
    .option("--net", "exclude canceled orders")
    .addOption(dateField)
    .addOption(command.createOption("--compare <with>", "compare with").choices(comparisons))
    .option("--offline", "use only cached answers, however old");
}
