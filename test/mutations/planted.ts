/** Nine decisions, faults that are put into each of them, and the test that has to see each fault. */

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
}

const retryTests = "client/retry.test.ts";
const wireTests = "client/wire.test.ts";
const transitionTests = "emulator/transitions.test.ts";
const freshnessTests = "sales/ledger/freshness.test.ts";
const filterTests = "sales/plan/filters.test.ts";
const comparisonTests = "sales/period/comparison.test.ts";
const periodTests = "sales/period/resolve.test.ts";
const splitTests = "sales/period/windows.test.ts";
const moneyTests = "contract/money.test.ts";

export const plantedFaults: Readonly<Record<string, readonly PlantedFault[]>> = {
  retry: [
    {
      fault: "A write that may have been done is sent again.",
      file: "client/call/retry.ts",
      from: "return repeatable && !wouldAnswerTheSame(attempt) ?",
      to: "return !wouldAnswerTheSame(attempt) ?",
      seenBy: { file: retryTests, title: "that was sent and may not be repeated never is" },
    },
    {
      fault: "A gateway's refusal ends the doubt about an earlier request.",
      file: "client/call/outcome.ts",
      from: 'if (evidence !== "api") return "unknown";',
      to: 'if (evidence === null) return "unknown";',
      seenBy: { file: retryTests, title: '404 {"code":4041}: not_found, by the gateway' },
    },
    {
      fault: "4002 after an unknown outcome is told as a plain refusal.",
      file: "client/call/outcome.ts",
      from: 'if (code === errorCodes.statusCannotChange) return "was_done_or_refused";',
      to: 'if (code === errorCodes.statusCannotChange) return "was_refused";',
      seenBy: { file: retryTests, title: "status_conflict, by the api" },
    },
    {
      fault: "A call is repeated once more than it may be.",
      file: "client/call/retry.ts",
      from: "if (repeats >= maxRepeats)",
      to: "if (repeats > maxRepeats)",
      seenBy: { file: retryTests, title: "is repeated 3 times at most" },
    },
    {
      fault: "A bad certificate is asked again.",
      file: "client/call/retry.ts",
      from: 'return failure === "tls" ? "final" : "not_processed";',
      to: 'return "not_processed";',
      seenBy: { file: retryTests, title: "after bad certificate" },
    },
  ],
  judge: [
    {
      fault: "The status decides before the code in the body does.",
      file: "client/call/judge.ts",
      from: "named ?? byStatus.get(status) ??",
      to: "byStatus.get(status) ?? named ??",
      seenBy: { file: wireTests, title: "404 means 'status_conflict'" },
    },
    {
      fault: "A gateway's page counts as the API's own word.",
      file: "client/call/judge.ts",
      from: 'evidence: isApis ? "api" : "gateway"',
      to: 'evidence: "api"',
      seenBy: { file: retryTests, title: "<html><h1>Forbidden</h1></html>: token_refused, by the gateway" },
    },
    {
      fault: "A 2xx that isn't the API's is a success.",
      file: "client/call/judge.ts",
      from: "if (named && isNothingButError(body)) return",
      to: "if (named && isNothingButError(body) && status > 299) return",
      seenBy: { file: wireTests, title: "200 means 'status_conflict'" },
    },
    {
      fault: "408 and its like settle what became of an order.",
      file: "client/call/judge.ts",
      from: "isApis && !notLookedAt.has(status)",
      to: "isApis",
      seenBy: { file: retryTests, title: "unexpected_answer, by the api" },
    },
  ],
  transition: [
    {
      fault: "An order that is ready can be delivered.",
      file: "emulator/domain/transitions.ts",
      from: 'return ["released"];',
      to: 'return ["ready", "released"];',
      seenBy: { file: transitionTests, title: "deliver is taken in these statuses" },
    },
    {
      fault: "An order that is out for delivery can't be canceled.",
      file: "emulator/domain/transitions.ts",
      from: '...(readings.cancel_from === "any_open" ? handedOverStatuses : [])]',
      to: '...(readings.cancel_from === "any_open" ? handedOverStatuses.slice(1) : [])]',
      seenBy: { file: transitionTests, title: "cancel is taken in these statuses" },
    },
    {
      fault: "A change is done again to an order that is there already.",
      file: "emulator/domain/transitions.ts",
      from: "return sources.includes(order.status) ?",
      to: "return sources.includes(order.status) || targets[change][order.orderType] === order.status ?",
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
  freshness: [
    {
      fault: "What a clock that ran ahead has dated makes figures final.",
      file: "sales/ledger/freshness.ts",
      from: "if (askedAt > next) return false;",
      to: "if (askedAt > next) return true;",
      seenBy: { file: freshnessTests, title: "an answer of the future" },
    },
    {
      fault: "Figures are final while orders of their days still change.",
      file: "sales/ledger/freshness.ts",
      from: "finalAfterMs = 35 * dayMs",
      to: "finalAfterMs = 5 * dayMs",
      seenBy: { file: freshnessTests, title: "two that agree, the first too early" },
    },
    {
      fault: "--offline asks the service.",
      file: "sales/ledger/freshness.ts",
      from: 'return kind === "usual" || kind === "fresh";',
      to: 'return kind !== "as of";',
      seenBy: { file: freshnessTests, title: "only --offline and --as-of ask nothing" },
    },
  ],
  limits: [
    {
      fault: "One request more than the service allows goes out.",
      file: "state/limits.ts",
      from: "Math.max(0, limit - sumOf(uses))",
      to: "Math.max(0, limit + 1 - sumOf(uses))",
      seenBy: { file: "state/limits.test.ts", title: "are granted up to the limit" },
    },
    {
      fault: "Requests go out although the service said to wait.",
      file: "state/limits.ts",
      from: "return blockedUntil > now ? 0 :",
      to: "return blockedUntil < 0 ? 0 :",
      seenBy: { file: "state/limits.test.ts", title: "after a 429 are closed to everyone" },
    },
    {
      fault: "Work that nobody waits for goes before a person's.",
      file: "state/limits.ts",
      from: "order by is_background, since_at, id",
      to: "order by is_background desc, since_at, id",
      seenBy: { file: "state/limits.test.ts", title: "the first to wait is the first to go" },
    },
    {
      fault: "A clock that was set back keeps a place taken for as long.",
      file: "state/limits.ts",
      from: "update limit_uses set counted_at = $2 where limit_key = $1 and counted_at > $2",
      to: "update limit_uses set counted_at = counted_at where limit_key = $1 and counted_at > $2",
      seenBy: { file: "state/limits.test.ts", title: "of requests in the future is believed for one window" },
    },
  ],
  filters: [
    {
      fault: "!= selects what it should leave out.",
      file: "sales/plan/filters.ts",
      from: '"!=": ["not_in", "not_eq"]',
      to: '"!=": ["in", "eq"]',
      seenBy: { file: filterTests, title: "status_not_in" },
    },
    {
      fault: "Of two times in one filter the wider one counts.",
      file: "sales/plan/filters.ts",
      from: 'other.operator === "gteq" ? a > b : a < b',
      to: 'other.operator === "gteq" ? a < b : a > b',
      seenBy: { file: filterTests, title: "together with" },
    },
    {
      fault: "A second value takes the place of the first.",
      file: "sales/plan/filters.ts",
      from: "[...new Set([...before, ...filter.values])]",
      to: "filter.values",
      seenBy: { file: filterTests, title: "A repeated filter becomes one with each value once" },
    },
    {
      fault: "A value that the specification's closed list doesn't have goes out.",
      file: "sales/plan/filters.ts",
      from: "sent !== undefined && isFilterValue(allowed, sent)",
      to: "sent !== undefined",
      seenBy: { file: filterTests, title: "is refused" },
    },
  ],
  periods: [
    {
      fault: "February is compared with as many days of March as it has itself.",
      file: "sales/period/comparison.ts",
      from: "const last = first.add({ months }).subtract({ days: 1 });",
      to: "const last = first.add({ days: 27 });",
      seenBy: { file: comparisonTests, title: "Whole months meet whole months" },
    },
    {
      fault: "Days are compared with days that are days of the period itself.",
      file: "sales/period/comparison.ts",
      from: "Math.max(1, isTouching ? days + 1 : days)",
      to: "Math.max(1, days)",
      seenBy: { file: comparisonTests, title: "The period before has as many days" },
    },
    {
      fault: "A period whose end lies before its start is asked for.",
      file: "sales/period/resolve.ts",
      from: "if (isBefore(end, start)) throw emptyPeriod(resolvedPeriod);",
      to: "",
      seenBy: { file: periodTests, title: "refuse the end before the start" },
    },
    {
      fault: "A window is longer than the six months that the service takes.",
      file: "sales/period/windows.ts",
      from: "const windowDays = 180;",
      to: "const windowDays = 200;",
      seenBy: { file: splitTests, title: "A day more than 6 months is split" },
    },
  ],
  merge: [
    {
      fault: "The average of several answers is that of the last one.",
      file: "sales/merge/sums.ts",
      from: "average_order_value: numberFromCents(averageCents(revenue, orders))",
      to: "average_order_value: numberFromCents(averageCents(revenue, 1))",
      seenBy: { file: "sales/merge/groups.test.ts", title: "with all of its orders and its newest name" },
    },
    {
      fault: "An order of a group that two answers have is lost.",
      file: "sales/merge/members.ts",
      from: "addSums(before?.sum ?? emptySum, member.sum)",
      to: "member.sum",
      seenBy: { file: "sales/merge/groups.test.ts", title: "with all of its orders and its newest name" },
    },
    {
      fault: "The same month of two years is one.",
      file: "sales/merge/group-identity.ts",
      from: "identity: `${key}@${place}`, ordinal: place }",
      to: "identity: key, ordinal: place }",
      seenBy: { file: "sales/merge/stores.test.ts", title: "The months of two years stay apart" },
    },
    {
      fault: "Sums go on beyond what is exact.",
      file: "sales/merge/sums.ts",
      from: "if (!Number.isSafeInteger(sum)) throw tooLarge(sum / 100);",
      to: "",
      seenBy: { file: "sales/merge/sums.test.ts", title: "Amounts are never added beyond what is exact" },
    },
  ],
  money: [
    {
      fault: "One decimal is read as a cent and not as ten.",
      file: "contract/money.ts",
      from: 'Number(fraction.padEnd(2, "0"))',
      to: "Number(fraction)",
      seenBy: { file: moneyTests, title: "7.5 is 750 cents" },
    },
    {
      fault: "A negative amount is read as a positive one.",
      file: "contract/money.ts",
      from: "return amount < 0 ? -cents : cents;",
      to: "return cents;",
      seenBy: { file: moneyTests, title: "-0.5 is -50 cents" },
    },
    {
      fault: "An average is cut off and not rounded.",
      file: "contract/money.ts",
      from: "[2n * total + parts, 2n * parts]",
      to: "[2n * total, 2n * parts]",
      seenBy: { file: moneyTests, title: "200 over 3 is 67" },
    },
    {
      fault: "A thousands separator is read as a decimal comma.",
      file: "contract/money.ts",
      from: "return isAmount(plain) ? plain : undefined;",
      to: "return plain;",
      seenBy: { file: moneyTests, title: "is refused" },
    },
  ],
};
