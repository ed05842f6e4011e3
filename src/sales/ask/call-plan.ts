/**
 * `--dry-run` of a command that asks for sales figures shows the calls that would go out, those that are kept, and
 * how long it takes.
 */
import { plural, t } from "../../shared/language.js";
import { questionOf } from "../../state/question.js";
import type { Plan } from "../plan/plans.js";
import type { PlannedRequest } from "../plan/store-calls.js";
import type { Column, Output } from "../../terminal/index.js";
import type { Machine } from "../../toolkit/machine.js";

import { withInquiries, type AskingOptions, type Inquiry } from "./ask-stores.js";
import { duration, longestWait } from "./progress.js";

export interface CallPlan {
  readonly kind: "plan";
  readonly calls: number;
  /** The wait is in milliseconds. It is `undefined` where comanda doesn't count calls, so that nobody knows. */
  readonly waitMs: number | undefined;
  /** Requests whose answers are kept are among them. */
  readonly requests: readonly RequestRow[];
  /** The plan is an estimate where an answer that isn't there yet tells how many calls it takes. */
  readonly estimated: boolean;
}

export async function planCalls<Figures>(
  machine: Machine,
  options: AskingOptions,
  plan: Plan<Figures>,
): Promise<CallPlan> {
  return withInquiries(machine, "", options, async (stores) => {
    const inquiries = stores.filter((store) => store.kind === "inquiry");
    const plans = await Promise.all(
      inquiries.map((inquiry) => plannedCalls(inquiry, plan, machine.context.signal)),
    );
    const expectedCalls = plans.flatMap((plan) => plan.expected);
    return {
      kind: "plan",
      calls: expectedCalls.reduce((sum, calls) => sum + calls.calls, 0),
      waitMs: longestWait(expectedCalls),
      requests: plans.flatMap(({ requests }) => requests),
      estimated: plans.some(({ estimated }) => estimated),
    };
  });
}

/**
 * Plans the calls of one store, with those that only answers tell, as far as that is possible.
 *
 * @throws {ComandaError} `not_found` where something isn't kept and nothing may be asked
 */
async function plannedCalls<Figures>(inquiry: Inquiry, plan: Plan<Figures>, signal: AbortSignal) {
  const { periods, calls, store, expected } = inquiry;
  const certain = await plan.questions(periods, calls);
  await calls.assertAnswerable(certain);
  const outlook = await plan.outlook?.(calls, periods, signal);
  const { questions: later, unknownCalls = 0, estimated } = outlook ?? { questions: [], estimated: false };
  const questions = [...certain, ...later];
  const requests = (await calls.requests(questions)).map((request) => requestRow(store.name, request));
  return { expected: await expected(questions, unknownCalls), requests, estimated };
}

/**
 * @param estimateText follows the first sentence, for people, where the plan is an estimate; JSON then says in
 * `estimated` whether it is one
 */
export async function presentPlan(plan: CallPlan, output: Output, estimateText?: string): Promise<void> {
  const { requests, estimated } = plan;
  if (output.json) {
    output.value({ ...planShape(plan), ...(estimateText !== undefined && { estimated }), requests });
    return;
  }
  if (output.format === "table") {
    output.words(callsText(plan));
    if (estimated && estimateText !== undefined) output.words(estimateText);
  }
  await output.records(columns, requests);
  output.notice(t`Nothing was asked (--dry-run).`);
}

/** Makes the plan's part of the JSON output; `seconds` is null where comanda doesn't count calls. */
export function planShape({ calls, waitMs }: CallPlan): object {
  return { calls, seconds: waitMs === undefined ? null : Math.ceil(waitMs / 1_000) };
}

function callsText({ calls, waitMs, estimated }: CallPlan): string {
  if (calls === 0) return t`0 calls: all of it is kept.`;
  const count = plural(calls, { one: t`1 call`, other: t`${calls} calls` });
  const text = estimated ? t`about ${count}` : count;
  if (waitMs === undefined)
    return t`${text}, as fast as the service takes them: comanda doesn't count (COMANDA_RATE_LIMITS=off).`;
  return waitMs === 0 ? t`${text}: no wait.` : t`${text}: about ${duration(waitMs)}.`;
}

/** Scripts rely on these fields. */
type RequestRow = ReturnType<typeof requestRow>;

export function requestRow(store: string, { query, kept }: PlannedRequest) {
  const { dimension, ...question } = questionOf(query);
  return {
    store,
    endpoint: dimension === null ? "summary" : "grouped",
    group_by: dimension,
    ...question,
    kept,
  };
}

const columns: readonly Column<RequestRow>[] = [
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
