import { dimensions, type Dimension } from "../../contract/enums.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { groupAlerts } from "../compare/group-alerts.js";
import { groupedPlan, type GroupedFigures } from "../plan/plans.js";
import { parseDimension } from "../plan/request.js";
import { fillCompared } from "../merge/fill.js";
import { isTemporal } from "../merge/calendar-forms.js";
import { groupTable } from "../present/group-table.js";
import { groupedShape, resultShape } from "../present/json.js";
import { parseSort, rankGroups, type Ranking } from "../present/ranking.js";
import { mapFigures } from "../results.js";
import { askForDimension } from "../../toolkit/asking.js";
import { wholeNumber, type CommandLine } from "../../toolkit/command-line.js";
import type { Command } from "../../toolkit/command.js";
import {
  askFigures,
  failureOf,
  figuresHelp,
  figuresOptions,
  figuresTakes,
  parseFigures,
  presentFigures,
  type FiguresOptions,
  type FiguresResult,
} from "./figures.js";
import { isForPeople, tableOptions } from "../ask/options.js";

export interface GroupedOptions extends FiguresOptions {
  readonly dimension: Dimension;
  readonly ranking: Ranking;
  /** Bars are drawn where this is true; absent, they are drawn where they help. */
  readonly chart: boolean | undefined;
  /** Days and hours without orders are added. */
  readonly fill: boolean;
}

export const grouped: Command<GroupedOptions, FiguresResult<GroupedFigures>> = {
  description: {
    usage: "grouped",
    summary: "the figures of a period, split by one dimension",
    description: figuresHelp(
      `Dimensions: ${dimensions.slice(0, 5).join(", ")} (in time's order); ${dimensions.slice(5).join(", ")}.`,
      "Days, weeks, months, hours and weekdays without orders are there with 0 orders; --no-fill leaves them out.",
      "A week or month that the edge of the period cuts is marked with its days. In a comparison whole ones meet whole ones, from the first on, and what an edge cuts meets what the same edge of the other period cuts; where the two are not as long, no percentage is given.",
      "Weekdays and hours are compared per day, since a month has four Tuesdays or five: Days says how many, and in brackets how many before where that is another number.",
      "On a terminal, figures in time are drawn as bars beneath their table; --chart draws them for any dimension. Without a period it is yesterday.",
    ),
    options: [
      {
        flags: "--by <dimension>",
        description: "what to split by; time goes by the store's time zone (section 4.7; required)",
      },
      ...figuresOptions(
        {
          flags: "--sort <field>",
          description: "revenue, orders, average, label or key, with :asc or :desc after it if wanted",
        },
        {
          flags: "--top <number>",
          description: "only the first so many groups; by revenue where --sort isn't given",
        },
        { flags: "--rest", description: "with --top: what the others sum up to, as one line" },
        { flags: "--no-fill", description: "without the days, hours and weekdays that have no orders" },
        { flags: "--chart", description: "draw the revenue as bars" },
      ),
    ],
    takes: figuresTakes,
    examples: [
      "grouped --by hour",
      "grouped --by day --period last-month --compare year",
      "grouped --by driver_id --period last-7-days --top 5 --rest",
      "grouped --by sales_channel --period 2026-10 --filter 'status=closed' --chart",
      "grouped --by day --period last-month --format csv",
    ],
  },
  ask(machine, line) {
    // All other faults of the command line are told before anything is asked.
    parseFigures(line);
    return askForDimension(machine, line, { option: "--by", question: t`Split by what?` });
  },
  parse(line) {
    const chart = isForPeople(line, "--chart", t`Bars are for people: leave out one of the two.`);
    const figures = parseFigures(line);
    const dimension = parseDimension(line.text("--by"), figures.request.dateField);
    if (figures.alerts.weeks !== undefined && (dimension === "week" || dimension === "month")) {
      throw new ComandaError("usage", t`A weekday's median is of days, not of weeks or months.`, {
        hint: t`Use --by day, or --compare in place of --baseline.`,
      });
    }
    return {
      ...figures,
      dimension,
      ranking: parseRanking(line),
      chart: chart || undefined,
      fill: !line.flag("--no-fill"),
    };
  },
  run(machine, options) {
    const { dimension, request, fill, alerts } = options;
    const { rules, weeks } = alerts;
    const now = machine.context.clock.now();
    return askFigures(machine, "grouped", options, {
      plan: groupedPlan(dimension, request),
      dimension,
      transform: (figures) => (fill ? fillCompared(figures, dimension, { now, ...request }) : figures),
      judge: (figures) => groupAlerts(figures, { dimension, dateField: request.dateField, rules, weeks }),
    });
  },
  async present(sales, output, options) {
    const { dimension, ranking, chart, request } = options;
    const { format } = output;
    await presentFigures(sales, output, options, async (result) => {
      const ranked = mapFigures(result, (figures, display) =>
        rankGroups(figures, { dimension, dateField: request.dateField, ranking, display }),
      );
      if (format === "json") {
        const { dateField } = request;
        output.value(resultShape(ranked, dateField, groupedShape));
        return;
      }
      const hasBars = !output.plain && (chart ?? (output.columns !== undefined && isTemporal(dimension)));
      const barWidth = hasBars ? (output.columns ?? 80) : undefined;
      output.text(
        await groupTable(ranked, {
          ...tableOptions(options, output, format),
          dimension,
          rest: ranking.rest,
          barWidth,
        }),
      );
    });
  },
  failure: failureOf,
};

/** @throws {ComandaError} `invalid_input` for another field, `usage` for a number or `--rest` without `--top` */
function parseRanking(line: CommandLine): Ranking {
  const [top, rest] = [line.text("--top"), line.flag("--rest")];
  if (rest && top === undefined) {
    throw new ComandaError("usage", t`--rest is about what --top leaves out.`, {
      hint: t`Add --top 10, say.`,
    });
  }
  const sort = line.text("--sort") ?? (top === undefined ? undefined : "revenue");
  return {
    sort: sort === undefined ? undefined : parseSort(sort),
    top: top === undefined ? undefined : wholeNumber(line, "--top", { least: 1, most: 999_999_999 }),
    rest,
  };
}
