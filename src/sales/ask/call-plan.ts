/**
 * `--dry-run` of a command that asks for sales figures shows the calls that would go out, those that are kept, and
 * how long it takes.
 */
import { plural, t } from "../../shared/language.js";
import { questionOf } from "../../state/question.js";
import type { Plan } from "../plan/plans.js";
import type { PlannedRequest } from "../plan/store-calls.js";
import { openOf } from "../results.js";
import type { Column, Output } from "../../terminal/index.js";
import type { Machine } from "../../toolkit/machine.js";

import { callsFor, openInquiries, type Inquiry } from "./inquiries.js";
import type { SalesOptions } from "./options.js";
import { duration, isCounted, longestWait, salesProgress, type ExpectedCalls } from "./progress.js";
import type { OpenStore } from "./stores.js";

export interface CallPlan {
  readonly calls: number;
  /** The wait is in milliseconds. It is `undefined` where comanda doesn't count calls, so that nobody knows. */
  readonly waitMs: number | undefined;
  /** Requests whose answers are kept are among them. */
  readonly requests: readonly StoreRequest[];
  /** The plan is an estimate where an answer that isn't there yet tells how many calls it takes. */
  readonly estimated: boolean;
}

export interface StoreRequest extends PlannedRequest {
  readonly store: string;
}

export async function planCalls<Figures>(
  machine: Machine,
  options: Omit<SalesOptions, "csv">,
  plan: Plan<Figures>,
): Promise<CallPlan> {
  const { opened, inquire, close } = await openInquiries(machine, options, plan, salesProgress(machine, ""));
  try {
    const plans = await Promise.all(
      openOf(opened)
        .flatMap((store) => inquire(store) ?? [])
        .map((inquiry) => plannedCalls(inquiry, machine.context.signal)),
    );
    const expectedCalls = plans.flatMap((plan) => plan.expected);
    return {
      calls: expectedCalls.reduce((sum, calls) => sum + calls.calls, 0),
      waitMs: expectedCalls.every(isCounted) ? longestWait(expectedCalls) : undefined,
      requests: plans.flatMap(({ requests }) => requests),
      estimated: plans.some(({ estimated }) => estimated),
    };
  } finally {
    await close();
  }
}

/**
 * Plans the calls of one store, with those that only answers tell, as far as that is possible.
 *
 * @throws {ComandaError} `not_found` where something isn't kept and nothing may be asked
 */
async function plannedCalls(inquiry: Inquiry<unknown>, signal: AbortSignal) {
  const { plan, spans, calls, store } = inquiry;
  await calls.assertAnswerable(await plan.questions(spans, calls));
  const outlook = await plan.outlook?.(calls, spans, signal);
  const questions = [...(await plan.questions(spans, calls)), ...(outlook?.questions ?? [])];
  const requests = (await calls.requests(questions)).map((request): StoreRequest => ({
    ...request,
    store: store.name,
  }));
  const expectedCalls = await callsFor(questions, inquiry);
  return {
    expected: await withUnforeseenCalls(expectedCalls, outlook?.unknownCalls ?? 0, store),
    requests,
    estimated: outlook?.estimated ?? false,
  };
}

/** Adds the calls that only an answer tells; all of them are for groups. */
async function withUnforeseenCalls(
  expected: readonly ExpectedCalls[],
  unforeseen: number,
  store: OpenStore,
): Promise<readonly ExpectedCalls[]> {
  if (unforeseen === 0) return expected;
  const [summaries, groups] = expected;
  const quota = await store.quota("summary_grouped");
  return [...(summaries ? [summaries] : []), { calls: (groups?.calls ?? 0) + unforeseen, quota }];
}

/** A command may add this to what it says of its plan. */
interface PlanNotes {
  /** These sentences follow the first one, for people. */
  readonly lines?: readonly string[];
  readonly members?: object;
}

export async function presentPlan(
  plan: CallPlan,
  output: Output,
  { lines = [], members = {} }: PlanNotes = {},
): Promise<void> {
  const rows = plan.requests.map(rowOf);
  if (output.json) {
    output.value({ ...planShape(plan), ...members, requests: rows });
    return;
  }
  if (output.format === "table") for (const line of [callsText(plan), ...lines]) output.words(line);
  await output.records(columns, rows);
  output.notice(t`Nothing was asked (--dry-run).`);
}

/** Makes the plan's part of the JSON output; `seconds` is null where comanda doesn't count calls. */
export function planShape({ calls, waitMs }: CallPlan): object {
  return { calls, seconds: waitMs === undefined ? null : Math.ceil(waitMs / 1_000) };
}

export function callsText({ calls, waitMs, estimated }: CallPlan): string {
  if (calls === 0) return t`0 calls: all of it is kept.`;
  const count = plural(calls, { one: t`1 call`, other: t`${calls} calls` });
  const text = estimated ? t`about ${count}` : count;
  if (waitMs === undefined)
    return t`${text}, as fast as the service takes them: comanda doesn't count (COMANDA_RATE_LIMITS=off).`;
  return waitMs === 0 ? t`${text}: no wait.` : t`${text}: about ${duration(waitMs)}.`;
}

/** Scripts rely on these fields. */
type Row = ReturnType<typeof rowOf>;

function rowOf({ store, query, kept }: StoreRequest) {
  const { dimension, ...question } = questionOf(query);
  return {
    store,
    endpoint: dimension === null ? "summary" : "grouped",
    group_by: dimension,
    ...question,
    kept,
  };
}

const columns: readonly Column<Row>[] = [
  { heading: "Store", name: "store", cell: ({ store }) => store },
  { heading: "Endpoint", name: "endpoint", cell: ({ endpoint }) => endpoint },
  { heading: "By", name: "group_by", cell: (row) => row.group_by },
  { heading: "From", name: "from", cell: ({ from }) => from },
  { heading: "To", name: "to", cell: ({ to }) => to },
  { heading: "Filters", name: "filters", cell: ({ filters }) => filters.join(" ") },
  {
    heading: "Kept",
    name: "kept",
    cell: ({ kept }) => kept,
    tableText: ({ kept }) => (kept ? t`yes` : t`no`),
  },
];
