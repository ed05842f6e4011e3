/** The options of the commands for figures. */
import { dateFields } from "../../api/values.js";
import { collect, type Command } from "../../cli/command.js";
import { comparisons } from "../../sales/period.js";

export function takePeriod(command: Command, defaultPeriod: string): Command {
  const period = command.createOption("-p, --period <period>", "period; see comanda help periods");
  return command
    .addOption(period.default(undefined, defaultPeriod))
    .option("--from <date>", "first day, or date-time with offset")
    .option("--to <date>", "last day, or date-time with offset (with --from: now)");
}

export function takePeriodInZone(command: Command, defaultPeriod: string): Command {
  return takePeriod(command, defaultPeriod)
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
