/**
 * The signals of one call. A signal of the program's may end thousands of calls, and each of them waits for it in
 * several places, one after the other; Node warns of more than ten listeners. So there is one listener on a signal of
 * the program's, and every call has signals of its own, which end with it.
 */
export interface GivenSignals {
  readonly signal?: AbortSignal;
  readonly grace?: AbortSignal;
}

export interface CallSignals extends GivenSignals {
  /** When the call is over: nothing of it stays on the program's signals. */
  readonly release: () => void;
}

export function callSignals({ signal, grace }: GivenSignals): CallSignals {
  if (!signal) return noSignals;
  const own = follow(signal);
  if (!grace) return own;
  const ownGrace = follow(grace);
  return {
    ...{ signal: own.signal, grace: ownGrace.signal },
    release: () => {
      own.release();
      ownGrace.release();
    },
  };
}

const noSignals: CallSignals = { release: () => undefined };

/** Not of one client, since one signal may end the calls of many clients. */
const groups = new WeakMap<AbortSignal, Group>();

/** The calls that one signal ends. */
interface Group {
  readonly members: Set<AbortController>;
  readonly end: () => void;
}

function follow(source: AbortSignal): { readonly signal: AbortSignal; readonly release: () => void } {
  const own = new AbortController();
  if (source.aborted) {
    own.abort(source.reason);
    return { signal: own.signal, release: noSignals.release };
  }
  const group = groups.get(source) ?? gather(source);
  group.members.add(own);
  return {
    signal: own.signal,
    release: () => {
      group.members.delete(own);
      if (group.members.size > 0 || groups.get(source) !== group) return;
      groups.delete(source);
      source.removeEventListener("abort", group.end);
    },
  };
}

function gather(source: AbortSignal): Group {
  const members = new Set<AbortController>();
  const end = () => {
    for (const member of members) member.abort(source.reason);
  };
  const group = { members, end };
  groups.set(source, group);
  source.addEventListener("abort", end, { once: true });
  return group;
}
