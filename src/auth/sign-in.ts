/** The sign-in of section 5.2: nothing is stored before it has succeeded as a whole. */
import { t } from "../languages/language.js";
import { ComandaError } from "../client/errors.js";
import type { Room, Session, SessionStore } from "../state/sessions/session.js";
import {
  authorizationUrl,
  createOneTimeValues,
  type OneTimeValues,
  type RandomBytes,
} from "./authorization-url.js";
import {
  parseRedirectAddress,
  waitForCallback,
  type PendingCallback,
  type ReceivedCallback,
  type RedirectPrompt,
} from "./callback.js";
import { exchangeAndKeep, refuseForeign, type ExchangeOptions } from "./code-exchange.js";
import { listenForRedirect, type RedirectListener } from "./redirect-listener.js";

export interface SignInOptions extends Omit<ExchangeOptions, "sessions" | "room"> {
  readonly sessions: SessionStore;
  readonly random: RandomBytes;
  /** Prints the authorization URL; called once, before any browser opens. */
  readonly showUrl: (url: string) => void;
  /** Absent where no browser can or shall open: `--no-browser`, no display, SSH. */
  readonly openBrowser?: (url: string) => Promise<void>;
  /** Absent without a terminal. Used where no browser opened, or none can come back to this machine. */
  readonly promptForRedirect?: RedirectPrompt;
  /** A sentence for the person about what goes on; holds no secret. */
  readonly notify?: (message: string) => void;
  /** For `--debug`; holds no secret. */
  readonly debug?: (message: string) => void;
  /** Milliseconds to wait for the person; five minutes by default. */
  readonly timeoutMs?: number;
}

const fiveMinutes = 300_000;

/**
 * Signs in at a store and keeps its session. An API key of the same store stays.
 *
 * @returns the session as it was written
 * @throws {ComandaError} `invalid_input` (the alias belongs to another environment), `configuration` (a port
 *   that is taken, a redirect address that can't come back, an unknown client), `state_unusable` (before a browser
 *   opens, where the session could not be stored), `access_denied`, `not_signed_in` (time is up), `token_refused` (the
 *   code), or the service is unreachable or failing. Tokens that can't be stored are revoked.
 * @throws the signal's reason
 */
export async function signIn(options: SignInOptions): Promise<Session> {
  const { environment, store, sessions, random } = options;
  const address = parseRedirectAddress(environment);
  const values = await createOneTimeValues(random);
  const url = authorizationUrl(environment, values);
  refuseForeign(await sessions.read(store), store, environment);
  options.signal?.throwIfAborted();
  const room = await sessions.reserve(store);
  try {
    return await askOwner(options, { pending: { address, state: values.state }, values, url, room });
  } finally {
    room.release();
  }
}

interface Attempt {
  readonly pending: PendingCallback;
  readonly values: OneTimeValues;
  /** The authorization URL. */
  readonly url: string;
  /** Room on the disk for the session. */
  readonly room: Room;
}

async function askOwner(options: SignInOptions, attempt: Attempt): Promise<Session> {
  const { pending, values, url, room } = attempt;
  const { signal } = options;
  const listener = await openListener(options, pending);
  try {
    options.showUrl(url);
    const received = await waitForCallback({
      pending,
      clock: options.clock,
      timeoutMs: options.timeoutMs ?? fiveMinutes,
      received: listener?.received,
      prompt: options.promptForRedirect,
      ...openBrowser(options, pending, url),
      signal,
    });
    return await settle({ ...options, room }, values, received);
  } finally {
    await listener?.close();
  }
}

async function openListener(
  { environment, promptForRedirect, clock, notify, debug }: SignInOptions,
  pending: PendingCallback,
): Promise<RedirectListener | undefined> {
  const { listen } = pending.address;
  if (listen !== undefined) {
    return listenForRedirect({
      listen,
      pending,
      clock,
      onRefused: (reason) => debug?.(t`A request to the redirect address was refused: ${reason}.`),
      onForeign: () =>
        notify?.(
          t`Another user of this machine tried to answer the sign-in, and was refused. Go on in your browser.`,
        ),
    });
  }
  if (promptForRedirect !== undefined) return undefined;
  throw new ComandaError(
    "configuration",
    t`The browser can't come back from the environment ${environment.name} to this machine, and there is no terminal to paste its address into.`,
    { hint: t`Run comanda login on a terminal, or register an http redirect address on 127.0.0.1.` },
  );
}

/**
 * The URL is printed, so a browser that doesn't open is no failure. Where this machine listens, the person is asked to
 * paste the address only then.
 */
function openBrowser(
  { openBrowser: open, notify }: SignInOptions,
  { address: { listen } }: PendingCallback,
  url: string,
): { promptWhen?: Promise<boolean> } {
  if (open === undefined) return {};
  const opening = open(url).then(
    () => true,
    () => {
      notify?.(t`The browser could not be opened. Open the address above in it yourself.`);
      return false;
    },
  );
  return listen === undefined ? {} : { promptWhen: opening.then((isOpen) => !isOpen) };
}

/** The browser is told last, when the outcome is certain. */
async function settle(
  options: SignInOptions & { readonly room: Room },
  values: OneTimeValues,
  { callback, answer }: ReceivedCallback,
): Promise<Session> {
  try {
    const session = await exchangeAndKeep(options, values, callback);
    await answer("signed_in");
    return session;
  } catch (error) {
    const denied = error instanceof ComandaError && error.code === "access_denied";
    await answer(denied ? "access_denied" : "failed");
    throw error;
  }
}
