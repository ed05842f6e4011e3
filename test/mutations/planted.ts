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
A write that may have been done is retried. | that was sent and may not be repeated never is
- nextStep: isNotDone(last) || !repeatable
+ isNotDone(last)
A gateway's refusal settles an earlier request. | 404 {"code":4041}: not_found, by the gateway
- ofApi: last.evidence === "api"
+ true
4002 after an unknown outcome is reported as a refusal. | status_conflict, by the api
- isKnown: wasRefused
+ wasRefused || isDoneOrRefused
A call is retried once too often. | is repeated 3 times at most
- nextStep: retries >= maxRetries
+ retries > maxRetries
A call is retried after a bad certificate. | after bad certificate
- nextStep: "tls"
+ "another"

# judge: client/judge.ts, seen by client/wire.test.ts
The status takes precedence over the code in the body. | 404 means 'status_conflict'
- judge: named ?? byStatus.get(httpStatus)
+ byStatus.get(httpStatus) ?? named

# judge: client/judge.ts, seen by client/retry.test.ts
A gateway's page counts as a response of the API. | <html><h1>Forbidden</h1></html>: token_refused, by the gateway
- judge: isApis ? "api" : "gateway"
+ "api"

# judge: client/judge.ts, seen by client/wire.test.ts
A 2xx that isn't the API's is a success. | 200 means 'status_conflict'
- judge: !isError
+ known !== undefined || !isError

# judge: client/judge.ts, seen by client/retry.test.ts
421 and the like count as evidence of an order. | unexpected_answer, by the api
- judge: !notProcessed.has(httpStatus)
+ true

# judge: client/judge.ts, seen by client/ambiguous.test.ts
An empty body that may have been cut off is a success. | an empty 2xx counts only if it is complete
- mayBeCutOff: body.trim() === ""
+ false

# transition: emulator/domain/transitions.ts, seen by emulator/transitions.test.ts
An order that is ready can be delivered. | accepts deliver only in the listed statuses
- deliver: "released"
+ "ready", "released"
An order that is out for delivery can't be canceled. | accepts cancel only in the listed statuses
- cancel: handed
+ handed.slice(1)
An order that has the status can be changed to it again. | accepts finalize only in the listed statuses
- targetOf: sources[change].includes(status)
+ (status === target || sources[change].includes(status))
Dispatching a takeout order releases it like a delivery. | accepts dispatch only in the listed statuses
- dispatch: takeout: "waiting_to_catch"
+ takeout: "released"

# ask: sales/fetch.ts, seen by sales/commands/regressions.test.ts
Figures are cached for an hour. | summary shows a changed order after ten minutes
- goodForMs: 10 * 60_000
+ 60 * 60_000
Figures of a running period are cached as long as others. | an answer is cached for ten minutes
- runningGoodForMs: 60_000
+ goodForMs
--fresh uses cached answers. | summary shows a changed order after ten minutes
- requestOf: freshness === "fresh"
+ false

# ask: sales/fetch.ts, seen by sales/commands/cached.test.ts
An answer from before a window's end is cached as long as a later one. | isn't used for a window that ended
- requestOf: cached.askedAt > over
+ true

# ask: sales/figures.ts, seen by sales/commands/regressions.test.ts
An answer with another grouping is accepted. | an answer with
- rowsOf: groupedBy !== by
+ groupedBy === undefined

# limits: state/limits.ts, seen by state/limits.test.ts
One request more than the service allows is sent. | are available up to the limit
- readLog: limit - 1
+ limit
Requests are sent although the service said to wait. | are blocked for all processes after a 429
- earliest: blocked
+ 0
A 429 long before slows requests down. | are a second apart for a window
- isSecond: last.taken > now - windowMs
+ true
A request is sent long after its slot. | a process that was suspended
- acquire: -lateMs
+ -Infinity
An unused slot isn't freed. | that were not used are free again
- settle: free()
+ undefined

# leases: state/leases.ts, seen by state/leases.test.ts in SQLite
A lease is taken from its holder. | are exclusive
- take: running !== undefined
+ false
A suspended process loses its lease. | stay with a suspended process
- isHeld: running === row.started
+ running === row.started && now < row.until_at
A process continues after its lease has expired. | of another machine end when they expire
- assertHeld: leftMs() <= 0
+ false

# filters: sales/filters.ts, seen by sales/filters.test.ts
!= selects what it should exclude. | as status_not_in
- !=: ["not_in", "not_eq"]
+ ["in", "eq"]
A second value replaces the first. | merges repeated filters, with each value once
- parseFilters: [...new Set([...before, ...parts])]
+ parts
A value that isn't in a closed list is sent. | rejects the filter
- parseFilters: readFilters
+ (() => [])

# periods: sales/period.ts, seen by sales/period/comparison.test.ts
February is compared with 28 days of January. | {"period":"last-month"} with --compare previous
- comparisonPeriod: first.add(unit).subtract({ days: 1 })
+ first.add({ days: 27 })
A period is compared with some of its own days. | the period before {"from"
- betweenMoments: overlaps ? days + 1 : days
+ days

# periods: sales/period.ts, seen by sales/period/resolve.test.ts
A period that ends before it starts is requested. | rejects the end before the start
- resolvePeriod: Date.parse(end) < Date.parse(start)
+ false

# windows: sales/fetch.ts, seen by sales/period/windows.test.ts
A window is longer than the service's six months. | covers the period without gap
- longest: summaryPeriodMonths
+ summaryPeriodMonths + 1
A window overlaps the next one by an instant. | covers the period without gap
- windowsOf: edge.subtract({ microseconds: 1 })
+ edge
A week is split. | splits a long period without splitting a week or month
- windowsOf: by === "week"
+ by === "hour"

# merge: sales/figures.ts, seen by sales/figures.test.ts
Orders of a group in two answers are lost. | adds up a group of two windows
- addWindows: sum(rows[place], row)
+ row
The same month of two years is one group. | keeps the months of two years apart
- places: isTimeline(by)
+ false
Sums may be too large to be exact. | rejects a sum that is too large to be exact
- sum: !Number.isSafeInteger(orders) || !Number.isSafeInteger(revenue)
+ false

# money: api/money.ts, seen by api/money.test.ts
One decimal is read as a cent instead of ten. | 7.5 is 750 cents
- parseAmount: fraction.padEnd(2, "0")
+ fraction
A negative amount is read as a positive one. | -0.5 is -50 cents
- centsFromNumber: -cents
+ cents
An average is truncated instead of rounded. | 200 over 3 is 67
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
