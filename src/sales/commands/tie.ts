/** `comanda tie` checks whether the sales figures that are kept here agree with each other. Nothing is asked. */
import { ComandaError } from "../../shared/errors.js";
import { plural, t } from "../../shared/language.js";
import type { TieDifference } from "../ledger/tie.js";
import type { PeriodRequest } from "../period/resolve.js";
import type { Column } from "../../terminal/index.js";
import type { Command } from "../../toolkit/command.js";
import { readPeriod } from "../ask/store-preferences.js";
import { agreementText, coverageTexts, figureText, roundToCents, whatText } from "./tie-texts.js";
import { tieStore, type StoreTie } from "../ask/tie-store.js";

export interface TieOptions {
  /** Without a period, all that is kept is compared. */
  readonly period: PeriodRequest | undefined;
  readonly zone: string | undefined;
  readonly stores: readonly string[];
  readonly allStores: boolean;
}

export type TieResult = readonly StoreTie[];

export const tie: Command<TieOptions, TieResult> = {
  description: {
    usage: "tie",
    summary: "hold the sales figures that are kept here against each other",
    description: [
      "For each stretch of time that was asked for it holds every split against the whole, the days that are known by themselves against the whole, and revenue by orders against the average. The newest answers count; the service isn't asked. A difference mostly means that orders changed between two answers: ask again with --fresh, and run it again.",
      "It looks at what lies within the period, and without one at everything. An answer that there is nothing to hold against is counted beside the checks. Other filters, days of another zone, and stores among themselves are never compared.",
      "For a period that was asked for by driver it also says how many of each driver's orders were assigned on this machine. That is no check: the portal assigns, too, and an order may be assigned the day after it was made.",
      "Ends with 11 where a difference remains, and with 5 where nothing is kept.",
    ].join("\n\n"),
    options: [
      { flags: "-p, --period <period>", description: "as of `comanda summary`; default: all that is kept" },
      { flags: "--from <date>", description: "first day, or a date-time with offset" },
      { flags: "--to <date>", description: "last day, or a date-time with offset" },
      { flags: "--tz <zone>", description: "whose days are counted; default: the store's, or the machine's" },
    ],
    takes: ["store", "allStores", "format"],
    examples: ["tie", "tie --period last-month", "tie --all-stores --json"],
  },
  parse(line) {
    const [period, from, to] = [line.text("--period"), line.text("--from"), line.text("--to")];
    const isNamed = period !== undefined || from !== undefined || to !== undefined;
    return {
      period: isNamed ? { period, from, to } : undefined,
      zone: line.text("--tz"),
      stores: line.globals.stores,
      allStores: line.globals.allStores,
    };
  },
  async run(machine, options) {
    const stores = await machine.storeAliases(options);
    const { period: request, zone } = options;
    const ties = await Promise.all(
      stores.map(async (store) =>
        tieStore(machine, store, request && (await readPeriod(machine, request, { store, zone }))),
      ),
    );
    if (ties.some(({ checks, alone }) => checks + alone > 0)) return ties;
    machine.context.signal.throwIfAborted();
    throw new ComandaError(
      "not_found",
      request ? t`No figures of that period are kept here.` : t`No sales figures are kept on this machine.`,
      { hint: t`Ask for some: comanda report` },
    );
  },
  async present(ties, output) {
    const rows = ties.flatMap(({ store, amount, differences }) =>
      differences.map((difference): Row => ({ ...difference, store, amount })),
    );
    if (output.json) {
      output.value({
        checks: sumOf(ties, ({ checks }) => checks),
        differences: rows.map((row) => {
          const { store, said, counted } = row;
          return { what: whatOf(row), store, said, counted, difference: roundToCents(counted - said) };
        }),
        alone: sumOf(ties, ({ alone }) => alone),
        drivers: ties.flatMap(({ store, drivers }) =>
          drivers.map(({ driver, name, orders, assigned, fees }) => ({
            ...{ store, driver_id: driver, name, orders, assigned_here: assigned, total_fee: fees },
          })),
        ),
      });
      return;
    }
    const isTable = output.format === "table";
    if (rows.length > 0 || !isTable) await output.records(columnsFor(ties.length > 1), rows);
    if (isTable) for (const text of coverageTexts(ties)) output.words(text);
    const agreement = agreementText(ties);
    if (agreement !== undefined && isTable) output.sentence(agreement);
    else if (agreement !== undefined) output.notice(agreement);
    const alone = sumOf(ties, (storeTie) => storeTie.alone);
    if (alone > 0) {
      output.notice(
        plural(alone, {
          one: t`1 answer stands alone: there is nothing to hold it against.`,
          other: t`${alone} answers stand alone: there is nothing to hold them against.`,
        }),
      );
    }
  },
  failure(ties) {
    const count = sumOf(ties, ({ differences }) => differences.length);
    if (count === 0) return undefined;
    return new ComandaError(
      "figures_differ",
      plural(count, { one: t`1 figure doesn't agree.`, other: t`${count} figures don't agree.` }),
      { hint: t`Ask for them again, as with comanda report --fresh, and run this again.` },
    );
  },
};

function sumOf(ties: TieResult, countOf: (tie: StoreTie) => number): number {
  return ties.reduce((total, storeTie) => total + countOf(storeTie), 0);
}

type Row = TieDifference & Pick<StoreTie, "store" | "amount">;

/** Writes the filter and the date field too, so that no two differences have the same name. */
function whatOf({ measure, by, from, to, filters, date_field: dateField }: TieDifference): string {
  const parts = by === "" ? "" : ` by ${by}`;
  const span = from === to ? from : `${from} to ${to}`;
  const kind = [...(dateField === "created_at" ? [] : [dateField]), ...(filters === "[]" ? [] : [filters])];
  return [`${measure}${parts}`, span, ...kind].join(", ");
}

function columnsFor(areSeveral: boolean): readonly Column<Row>[] {
  const figure = (heading: string, name: string, valueOf: (row: Row) => number): Column<Row> => ({
    ...{ heading, name, align: "right" },
    cell: (row) => (row.measure === "orders" ? valueOf(row) : valueOf(row).toFixed(2)),
    tableText: (row) => figureText(row, valueOf(row)),
  });
  return [
    ...(areSeveral ? [{ heading: "Store", name: "store", cell: ({ store }: Row) => store }] : []),
    { heading: "What", name: "what", cell: whatOf, tableText: whatText },
    figure("Said", "said", ({ said }) => said),
    figure("Counted", "counted", ({ counted }) => counted),
    figure("Difference", "difference", ({ said, counted }) => roundToCents(counted - said)),
  ];
}
