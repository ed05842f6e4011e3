/** What the two summary endpoints have in common. */
import { jsonAnswer, refuse } from "../answers.js";
import { invalidParameters } from "../../domain/choices.js";
import { InvalidQuery } from "../../domain/summary/invalid-query.js";
import type { QueryContext } from "../../domain/summary/query.js";
import { createWallClock } from "../../domain/summary/wall-clock.js";
import type { Call } from "./mount.js";

/** Answers with what `figures` makes of the query, or with code 4000 where it is refused. */
export function answerFigures(
  { c, service, store }: Call,
  figures: (search: URLSearchParams, context: QueryContext) => unknown,
): Response {
  const context = { now: service.world.clock.now(), clock: createWallClock(store.timeZone) };
  try {
    return jsonAnswer(figures(new URL(c.req.url).searchParams, context));
  } catch (error) {
    if (error instanceof InvalidQuery) return refuse(invalidParameters(error.details));
    throw error;
  }
}
