/** Limits the time of a whole call, whatever it waits for. */
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import type { Context } from "../../toolkit/context.js";

/**
 * @param ms `undefined` for no limit
 * @param work has to end when its signal is aborted
 * @throws {ComandaError} `unreachable` where the time was over before a write went out
 */
export async function withTimeLimit<Result>(
  { clock, signal }: Pick<Context, "clock" | "signal">,
  ms: number | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  if (ms === undefined) return work(signal);
  const [limit, end] = [new AbortController(), new AbortController()];
  const reason = new ComandaError("unreachable", t`The call took longer than --max-time allows.`, {
    hint: t`Try again, or allow more time: --max-time.`,
  });
  void clock.sleep(ms, end.signal).then(
    () => limit.abort(reason),
    () => undefined,
  );
  try {
    return await work(AbortSignal.any([signal, limit.signal]));
  } catch (error) {
    // A stream that was ended by the signal gives another reason.
    throw limit.signal.aborted && !(error instanceof ComandaError) ? reason : error;
  } finally {
    end.abort();
  }
}
