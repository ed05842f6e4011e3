/** `--dry-run` of what asks for sales figures: the calls that would go out, those that are kept, and how long it takes. */
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
  /** Milliseconds; `undefined` where comanda doesn't count calls, so that nobody knows. */
  readonly waitMs: number | undefined;
  /** Also those whose answers are kept. */
  readonly requests: readonly StoreRequest[];
  /** Does an answer that isn't there yet tell how many calls it takes? */
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
    const planned = await Promise.all(
      openOf(opened)
        .flatMap((store) => inquire(store) ?? [])
        .map((inquiry) => plannedCalls(inquiry, machine.context.signal)),
    );
    const expected = planned.flatMap((plan) => plan.expected);
    return {
      calls: expected.reduce((sum, calls) => sum + calls.calls, 0),
      waitMs: expected.every(isCounted) ? longestWait(expected) : undefined,
      requests: planned.flatMap(({ requests }) => requests),
      estimated: planned.some(({ estimated }) => estimated),
    };
  } finally {
    await close();
  }
}

/**
 * With those that only answers tell, as far as that is possible.
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
  const expected = await callsFor(questions, inquiry);
  return {
    expected: await withUnknown(expected, outlook?.unknownCalls ?? 0, store),
    requests,
    estimated: outlook?.estimated ?? false,
  };
}

/** Calls that only an answer tells are for groups. */
async function withUnknown(
  expected: readonly ExpectedCalls[],
  unknown: number,
  store: OpenStore,
): Promise<readonly ExpectedCalls[]> {
  if (unknown === 0) return expected;
  const [summaries, groups] = expected;
  const quota = await store.quota("summary_grouped");
  return [...(summaries ? [summaries] : []), { calls: (groups?.calls ?? 0) + unknown, quota }];
}

/** What one command says of its plan beside that. */
interface PlanNotes {
  /** Sentences behind the first one, for people. */
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

/** `seconds` is null where comanda doesn't count calls. */
export function planShape({ calls, waitMs }: CallPlan): object {
  return { calls, seconds: waitMs === undefined ? null : Math.ceil(waitMs / 1_000) };
}

export function callsText({ calls, waitMs, estimated }: CallPlan): string {
  if (calls === 0) return t`0 calls: all of it is kept.`;
  const count = plural(calls, { one: t`1 call`, other: t`${calls} calls` });
  const about = estimated ? t`about ${count}` : count;
  if (waitMs === undefined)
    return t`${about}, as fast as the service takes them: comanda doesn't count (COMANDA_RATE_LIMITS=off).`;
  return waitMs === 0 ? t`${about}: no wait.` : t`${about}: about ${duration(waitMs)}.`;
}

/** What scripts rely on. */
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
