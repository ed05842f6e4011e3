/** Decisions, faults that are put into each of them, and the test that has to see each fault. */

export interface PlantedFault {
  /** What the program would do. */
  readonly fault: string;
  /** Below `src`. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly seenBy: NamedTest;
}

export interface NamedTest {
  /** Below `test`. */
  readonly file: string;
  /** A part of its title, with those of the groups that it stands in. */
  readonly title: string;
  /** A part of the name of the group that it stands in. */
  readonly group?: string;
}

const retryTests = "client/retry.test.ts";
const wireTests = "client/wire.test.ts";
const transitionTests = "emulator/transitions.test.ts";
const seenTests = "sales/commands/seen.test.ts";
const limitTests = "state/limits.test.ts";
const figureTests = "sales/figures.test.ts";
const filterTests = "sales/filters.test.ts";
const comparisonTests = "sales/period/comparison.test.ts";
const periodTests = "sales/period/resolve.test.ts";
const windowTests = "sales/period/windows.test.ts";
const leaseTests = "state/leases.test.ts";
/** The other engine's server is started for whole runs alone. */
const inSqlite = "SQLite";
const moneyTests = "api/money.test.ts";

export const plantedFaults: Readonly<Record<string, readonly PlantedFault[]>> = {
  retry: [
    {
      fault: "A write that may have been done is sent again.",
      file: "client/judge.ts",
      from: "} else if (isNotDone(last) || !repeatable) return undefined;",
      to: "} else if (isNotDone(last)) return undefined;",
      seenBy: { file: retryTests, title: "that was sent and may not be repeated never is" },
    },
    {
      fault: "A gateway's refusal ends the doubt about an earlier request.",
      file: "client/judge.ts",
      from: 'const apis = last.evidence === "api" ? last.serviceCode : null;',
      to: "const apis = last.serviceCode;",
      seenBy: { file: retryTests, title: '404 {"code":4041}: not_found, by the gateway' },
    },
    {
      fault: "4002 after an unknown outcome is told as a plain refusal.",
      file: "client/judge.ts",
      from: "const isKnown = doubt === undefined || wasRefused;",
      to: "const isKnown = doubt === undefined || wasRefused || isDoneOrRefused;",
      seenBy: { file: retryTests, title: "status_conflict, by the api" },
    },
    {
      fault: "A call is repeated once more than it may be.",
      file: "client/judge.ts",
      from: "if (repeats >= maxRepeats)",
      to: "if (repeats > maxRepeats)",
      seenBy: { file: retryTests, title: "is repeated 3 times at most" },
    },
    {
      fault: "A bad certificate is asked again.",
      file: "client/judge.ts",
      from: '["tls", "proxy_auth"]',
      to: '["proxy_auth"]',
      seenBy: { file: retryTests, title: "after bad certificate" },
    },
  ],
  judge: [
    {
      fault: "The status decides before the code in the body does.",
      file: "client/judge.ts",
      from: "named ?? byStatus.get(httpStatus) ??",
      to: "byStatus.get(httpStatus) ?? named ??",
      seenBy: { file: wireTests, title: "404 means 'status_conflict'" },
    },
    {
      fault: "A gateway's page counts as the API's own word.",
      file: "client/judge.ts",
      from: 'evidence: isApis ? "api" : "gateway"',
      to: 'evidence: "api"',
      seenBy: { file: retryTests, title: "<html><h1>Forbidden</h1></html>: token_refused, by the gateway" },
    },
    {
      fault: "A 2xx that isn't the API's is a success.",
      file: "client/judge.ts",
      from: "if (!isError) {",
      to: "if (known !== undefined || !isError) {",
      seenBy: { file: wireTests, title: "200 means 'status_conflict'" },
    },
    {
      fault: "408 and its like settle what became of an order.",
      file: "client/judge.ts",
      from: "isApis && !notLookedAt.has(httpStatus)",
      to: "isApis",
      seenBy: { file: retryTests, title: "unexpected_answer, by the api" },
    },
  ],
  transition: [
    {
      fault: "An order that is ready can be delivered.",
      file: "emulator/domain/transitions.ts",
      from: 'deliver: ["released"],',
      to: 'deliver: ["ready", "released"],',
      seenBy: { file: transitionTests, title: "deliver is taken in these statuses" },
    },
    {
      fault: "An order that is out for delivery can't be canceled.",
      file: "emulator/domain/transitions.ts",
      from: '...(readings.cancel_from === "any_open" ? handed : [])]',
      to: '...(readings.cancel_from === "any_open" ? handed.slice(1) : [])]',
      seenBy: { file: transitionTests, title: "cancel is taken in these statuses" },
    },
    {
      fault: "A change is done again to an order that is there already.",
      file: "emulator/domain/transitions.ts",
      from: "return isAgain || sources[change].includes(status) ?",
      to: "return isAgain || status === target || sources[change].includes(status) ?",
      seenBy: { file: transitionTests, title: "leads nowhere from a final status" },
    },
    {
      fault: "An order that is picked up is released, as one that is delivered.",
      file: "emulator/domain/transitions.ts",
      from: 'takeout: "waiting_to_catch", onsite',
      to: 'takeout: "released", onsite',
      seenBy: { file: transitionTests, title: "dispatch leads where section 3 says" },
    },
  ],
  ask: [
    {
      fault: "Figures are kept for an hour.",
      file: "sales/ask.ts",
      from: "const goodForMs = 10 * 60_000;",
      to: "const goodForMs = 60 * 60_000;",
      seenBy: { file: seenTests, title: "1. An order that is changed later" },
    },
    {
      fault: "Figures of a period that runs are kept as long as others.",
      file: "sales/ask.ts",
      from: "const runningGoodForMs = 60_000;",
      to: "const runningGoodForMs = goodForMs;",
      seenBy: { file: seenTests, title: "A figure is kept for ten minutes" },
    },
    {
      fault: "--fresh takes what is kept.",
      file: "sales/ask.ts",
      from: 'if (freshness === "fresh") return request;',
      to: "",
      seenBy: { file: seenTests, title: "1. An order that is changed later" },
    },
    {
      fault: "An answer that is grouped by something else is taken.",
      file: "sales/figures.ts",
      from: "if (groupedBy !== by) throw",
      to: "if (groupedBy === undefined) throw",
      seenBy: { file: seenTests, title: "7. An answer with" },
    },
  ],
  limits: [
    {
      fault: "One request more than the service allows goes out.",
      file: "state/limits.ts",
      from: "now + windowMs, limit - 1,",
      to: "now + windowMs, limit,",
      seenBy: { file: limitTests, title: "are given up to the limit" },
    },
    {
      fault: "Requests go out although the service said to wait.",
      file: "state/limits.ts",
      from: "const at = Math.max(blocked, free, apart, now);",
      to: "const at = Math.max(free, apart, now);",
      seenBy: { file: limitTests, title: "after a 429 are closed to everyone" },
    },
    {
      fault: "A place that wasn't used stays taken.",
      file: "state/limits.ts",
      from: "if (!sent) return free();",
      to: "if (!sent) return;",
      seenBy: { file: limitTests, title: "that were not used are given back" },
    },
  ],
  leases: [
    {
      fault: "A lease that another one has is taken.",
      file: "state/leases.ts",
      from: "if (running !== undefined && isHeld && (!isOwn || ownIds.has(row.id))) return row;",
      to: "",
      seenBy: { file: leaseTests, group: inSqlite, title: "are one's at a time" },
    },
    {
      fault: "A process that is stopped loses its lease.",
      file: "state/leases.ts",
      from: ": running === row.started;",
      to: ": running === row.started && now < row.until_at;",
      seenBy: {
        file: leaseTests,
        group: inSqlite,
        title: "stay with a process of this machine that is stopped",
      },
    },
    {
      fault: "Who wakes up after its lease has ended goes on.",
      file: "state/leases.ts",
      from: "if (leftMs() <= 0) throw new LeaseLost(name);",
      to: "",
      seenBy: { file: leaseTests, group: inSqlite, title: "of another machine end with their time" },
    },
  ],
  filters: [
    {
      fault: "!= selects what it should leave out.",
      file: "sales/filters.ts",
      from: '"!=": ["not_in", "not_eq"]',
      to: '"!=": ["in", "eq"]',
      seenBy: { file: filterTests, title: "status_not_in" },
    },
    {
      fault: "A second value takes the place of the first.",
      file: "sales/filters.ts",
      from: "[...new Set([...before, ...parts])]",
      to: "parts",
      seenBy: { file: filterTests, title: "A repeated filter becomes one with each value once" },
    },
    {
      fault: "A value that the specification's closed list doesn't have goes out.",
      file: "sales/filters.ts",
      from: "readFilters(filters, (",
      to: "readFilters({}, (",
      seenBy: { file: filterTests, title: "is refused" },
    },
  ],
  periods: [
    {
      fault: "February is compared with as many days of March as it has itself.",
      file: "sales/period.ts",
      from: "const last = first.add(unit).subtract({ days: 1 });",
      to: "const last = first.add({ days: 27 });",
      seenBy: { file: comparisonTests, title: '{"period":"last-month"} is compared by previous' },
    },
    {
      fault: "Days are compared with days that are days of the period itself.",
      file: "sales/period.ts",
      from: "Math.max(1, overlaps ? days + 1 : days)",
      to: "Math.max(1, days)",
      seenBy: { file: comparisonTests, title: 'The period before {"from"' },
    },
    {
      fault: "A period whose end lies before its start is asked for.",
      file: "sales/period.ts",
      from: "if (Date.parse(end) < Date.parse(start)) {",
      to: "if (Date.parse(end) < 0) {",
      seenBy: { file: periodTests, title: "refuse the end before the start" },
    },
  ],
  windows: [
    {
      fault: "A window is longer than the six months that the service takes.",
      file: "sales/ask.ts",
      from: "longest: Unit = { months: summaryPeriodMonths }",
      to: "longest: Unit = { months: summaryPeriodMonths + 1 }",
      seenBy: { file: windowTests, title: "The windows cover the period without gap" },
    },
    {
      fault: "A window ends where the next one begins, so that both have an order.",
      file: "sales/ask.ts",
      from: "wireDateTime(edge.subtract({ microseconds: 1 }))",
      to: "wireDateTime(edge)",
      seenBy: { file: windowTests, title: "The windows cover the period without gap" },
    },
    {
      fault: "A week is torn.",
      file: "sales/ask.ts",
      from: 'if (by === "week") next =',
      to: 'if (by === "hour") next =',
      seenBy: { file: windowTests, title: "Longer ones are cut where no week or month is torn" },
    },
  ],
  merge: [
    {
      fault: "An order of a group that two answers have is lost.",
      file: "sales/figures.ts",
      from: "rows[place] = sum(rows[place], row);",
      to: "rows[place] = row;",
      seenBy: { file: figureTests, title: "has the orders of both" },
    },
    {
      fault: "The same month of two years is one.",
      file: "sales/figures.ts",
      from: "const places = isTimeline(by) ? new Map<Key, number>() : before;",
      to: "const places = before;",
      seenBy: { file: figureTests, title: "The months of two years stay apart" },
    },
    {
      fault: "Sums go on beyond what is exact.",
      file: "sales/figures.ts",
      from: "if (!Number.isSafeInteger(orders) || !Number.isSafeInteger(revenue))",
      to: "if (Number.isNaN(orders))",
      seenBy: { file: figureTests, title: "Amounts are never added beyond what is exact" },
    },
  ],
  money: [
    {
      fault: "One decimal is read as a cent and not as ten.",
      file: "api/money.ts",
      from: 'fraction.padEnd(2, "0")',
      to: "fraction",
      seenBy: { file: moneyTests, title: "7.5 is 750 cents" },
    },
    {
      fault: "A negative amount is read as a positive one.",
      file: "api/money.ts",
      from: "return cents !== undefined && amount < 0 ? -cents : cents;",
      to: "return cents;",
      seenBy: { file: moneyTests, title: "-0.5 is -50 cents" },
    },
    {
      fault: "An average is cut off and not rounded.",
      file: "api/money.ts",
      from: "[2n * dividend + divisor, 2n * divisor]",
      to: "[2n * dividend, 2n * divisor]",
      seenBy: { file: moneyTests, title: "200 over 3 is 67" },
    },
    {
      fault: "A thousands separator is read as a decimal comma.",
      file: "api/money.ts",
      from: "return isAmount(plain) ? plain : undefined;",
      to: "return plain;",
      seenBy: { file: moneyTests, title: "is refused" },
    },
  ],
};
