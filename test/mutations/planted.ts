/** Decisions, the faults that are planted into them, and the test that must find each fault. */

export interface PlantedFault {
  readonly decision: string;
  /** What the program does with the fault. */
  readonly fault: string;
  /** Below `src`. */
  readonly file: string;
  /** The name of the function, variable, parameter or property that contains it. */
  readonly within: string;
  /** An expression or a property, however it is formatted. It occurs once there. */
  readonly from: string;
  readonly to: string;
  readonly seenBy: NamedTest;
}

export interface NamedTest {
  /** Below `test`. */
  readonly file: string;
  /** A part of its title, including those of its groups. */
  readonly title: string;
  /** A part of the name of its group. */
  readonly group: string;
}

/**
 * For each decision, its sources and tests. For each fault, what it does and the test's title, an expression and its replacement. The name
 * before the expression is the function, variable or property that contains it. Leases name their engine, because PostgreSQL is started
 * only for complete runs.
 */
const table = `
# retry: client/judge.ts, seen by client/retry.test.ts
A write that may have been done is sent again. | that was sent and may not be repeated never is
- nextStep: isNotDone(last) || !repeatable
+ isNotDone(last)
A gateway's refusal ends the doubt about an earlier request. | 404 {"code":4041}: not_found, by the gateway
- ofApi: last.evidence === "api"
+ true
4002 after an unknown outcome is told as a plain refusal. | status_conflict, by the api
- isKnown: wasRefused
+ wasRefused || isDoneOrRefused
A call is repeated once more than it may be. | is repeated 3 times at most
- nextStep: retries >= maxRetries
+ retries > maxRetries
A bad certificate is asked again. | after bad certificate
- nextStep: "tls"
+ "another"

# judge: client/judge.ts, seen by client/wire.test.ts
The status decides before the code in the body does. | 404 means 'status_conflict'
- judge: named ?? byStatus.get(httpStatus)
+ byStatus.get(httpStatus) ?? named

# judge: client/judge.ts, seen by client/retry.test.ts
A gateway's page counts as the API's own word. | <html><h1>Forbidden</h1></html>: token_refused, by the gateway
- judge: isApis ? "api" : "gateway"
+ "api"

# judge: client/judge.ts, seen by client/wire.test.ts
A 2xx that isn't the API's is a success. | 200 means 'status_conflict'
- judge: !isError
+ known !== undefined || !isError

# judge: client/judge.ts, seen by client/retry.test.ts
408 and its like settle what became of an order. | unexpected_answer, by the api
- judge: !notProcessed.has(httpStatus)
+ true

# transition: emulator/domain/transitions.ts, seen by emulator/transitions.test.ts
An order that is ready can be delivered. | deliver is taken in these statuses
- deliver: "released"
+ "ready", "released"
An order that is out for delivery can't be canceled. | cancel is taken in these statuses
- cancel: handed
+ handed.slice(1)
A change is done again to an order that is there already. | leads nowhere from a final status
- targetOf: sources[change].includes(status)
+ (status === target || sources[change].includes(status))
An order that is picked up is released, as one that is delivered. | dispatch leads where section 3 says
- dispatch: takeout: "waiting_to_catch"
+ takeout: "released"

# ask: sales/fetch.ts, seen by sales/commands/regressions.test.ts
Figures are kept for an hour. | summary shows a changed order after ten minutes
- goodForMs: 10 * 60_000
+ 60 * 60_000
Figures of a period that runs are kept as long as others. | an answer is cached for ten minutes
- runningGoodForMs: 60_000
+ goodForMs
--fresh takes what is kept. | summary shows a changed order after ten minutes
- requestOf: freshness === "fresh"
+ false

# ask: sales/figures.ts, seen by sales/commands/regressions.test.ts
An answer that is grouped by something else is taken. | an answer with
- rowsOf: groupedBy !== by
+ groupedBy === undefined

# limits: state/limits.ts, seen by state/limits.test.ts
One request more than the service allows goes out. | are available up to the limit
- readLog: limit - 1
+ limit
Requests go out although the service said to wait. | are blocked for all processes after a 429
- at: blocked
+ 0
A request goes out long after its place has passed. | a process that was suspended
- acquire: -lateMs
+ -Infinity
A place that wasn't used stays taken. | that were not used are free again
- settle: free()
+ undefined

# leases: state/leases.ts, seen by state/leases.test.ts in SQLite
A lease that another one has is taken. | are exclusive
- take: running !== undefined
+ false
A process that is stopped loses its lease. | stay with a suspended process
- isHeld: running === row.started
+ running === row.started && now < row.until_at
Who wakes up after its lease has ended goes on. | of another machine end when they expire
- assertHeld: leftMs() <= 0
+ false

# filters: sales/filters.ts, seen by sales/filters.test.ts
!= selects what it should leave out. | as status_not_in
- !=: ["not_in", "not_eq"]
+ ["in", "eq"]
A second value takes the place of the first. | merges repeated filters, with each value once
- parseFilters: [...new Set([...before, ...parts])]
+ parts
A value that the specification's closed list doesn't have goes out. | rejects the filter
- parseFilters: readFilters
+ (() => [])

# periods: sales/period.ts, seen by sales/period/comparison.test.ts
February is compared with as many days of March as it has itself. | {"period":"last-month"} with --compare previous
- comparisonPeriod: first.add(unit).subtract({ days: 1 })
+ first.add({ days: 27 })
Days are compared with days that are days of the period itself. | the period before {"from"
- betweenMoments: overlaps ? days + 1 : days
+ days

# periods: sales/period.ts, seen by sales/period/resolve.test.ts
A period whose end lies before its start is asked for. | rejects the end before the start
- resolvePeriod: Date.parse(end) < Date.parse(start)
+ false

# windows: sales/fetch.ts, seen by sales/period/windows.test.ts
A window is longer than the six months that the service takes. | covers the period without gap
- longest: summaryPeriodMonths
+ summaryPeriodMonths + 1
A window ends where the next one begins, so that both have an order. | covers the period without gap
- windowsOf: edge.subtract({ microseconds: 1 })
+ edge
A week is torn. | splits a long period without splitting a week or month
- windowsOf: by === "week"
+ by === "hour"

# merge: sales/figures.ts, seen by sales/figures.test.ts
An order of a group that two answers have is lost. | adds up a group of two windows
- addWindows: sum(rows[place], row)
+ row
The same month of two years is one. | keeps the months of two years apart
- places: isTimeline(by)
+ false
Sums go on beyond what is exact. | rejects a sum that is too large to be exact
- sum: !Number.isSafeInteger(orders) || !Number.isSafeInteger(revenue)
+ false

# money: api/money.ts, seen by api/money.test.ts
One decimal is read as a cent and not as ten. | 7.5 is 750 cents
- parseAmount: fraction.padEnd(2, "0")
+ fraction
A negative amount is read as a positive one. | -0.5 is -50 cents
- centsFromNumber: -cents
+ cents
An average is cut off and not rounded. | 200 over 3 is 67
- quotient: 2n * dividend + divisor
+ 2n * dividend
A thousands separator is read as a decimal comma. | is refused
- typedAmount: isAmount(plain)
+ true
`;

export const plantedFaults: readonly PlantedFault[] = table.split(/^# /m).flatMap((section) => {
  const [, decision = "", file = "", test = "", group = ""] =
    /^(\w+): (\S+), seen by (\S+)(?: in (\w+))?\n/.exec(section) ?? [];
  return [...section.matchAll(/^(.+) \| (.+)\n- (\S+): (.+)\n\+ (.+)$/gm)].map(
    ([, fault = "", title = "", within = "", from = "", to = ""]) => ({
      ...{ decision, fault, file, within, from, to },
      seenBy: { file: test, title, group },
    }),
  );
});
