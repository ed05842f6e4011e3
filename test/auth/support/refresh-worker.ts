/**
 * Refreshes in a separate process, as a command would. For each message `{ env, stores }` it gets an access token for each
 * store and sends the outcome back. After a SIGTERM, it completes critical work first, as the program does.
 */
import process from "node:process";

import { createAccessTokenSource } from "../../../src/auth/renewal.js";
import { createTransport } from "../../../src/client/http.js";
import { systemClock } from "../../../src/base/clock.js";
import { openState, type State } from "../../../src/state/state.js";

export interface Task {
  /** The variables that name the state. */
  readonly env: Readonly<Record<string, string>>;
  readonly stores: readonly string[];
}

/** For each store the token, or the message of the error. */
export type Outcome = Readonly<Record<string, { readonly token: string } | { readonly error: string }>>;

const critical = new Set<Promise<unknown>>();
const transport = createTransport();
let opened: Promise<State> | undefined;

process.on("SIGTERM", () => {
  void Promise.allSettled(critical).then(() => process.exit(143));
});

process.on("message", (task: Task) => {
  void run(task).then((outcome) => process.send?.(outcome));
});

async function run({ env, stores }: Task): Promise<Outcome> {
  const { sessions } = await (opened ??= openState({ env, clock: systemClock, critical }));
  const outcomes: Record<string, Outcome[string]> = {};
  const refresh = async (store: string) => {
    const session = await sessions.read(store);
    if (session === undefined) throw new Error("no session");
    const own = { session, sessions, transport, clock: systemClock, pid: process.pid };
    outcomes[store] = { token: await createAccessTokenSource(own).bearer() };
  };
  const settled = stores.map((store) =>
    refresh(store).catch((error: unknown) => (outcomes[store] = { error: String(error) })),
  );
  await Promise.all(settled);
  return outcomes;
}
