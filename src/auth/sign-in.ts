/** Signs a store in as section 5.2 describes. Nothing is stored before the whole sign-in has succeeded. */
import { localDefaults } from "../base/defaults.js";
import { ComandaError } from "../base/errors.js";
import { t } from "../languages/language.js";
import type { Session, SessionStore } from "../state/sessions.js";
import * as authorize from "./authorize.js";
import { exchangeAndStore, checkEnvironment, type ExchangeOptions } from "./exchange.js";
import { listenForRedirect, type ReceivedCallback } from "./listener.js";

export interface SignInOptions extends ExchangeOptions {
  readonly sessions: SessionStore;
  /** Prints the authorization URL; called once, before any browser opens. */
  readonly showUrl: (url: string) => void;
  /** Opens the browser; `undefined` with `--no-browser`, over SSH, and without a display. */
  readonly openBrowser?: (url: string) => Promise<void>;
  /** Prompts for the URL at which the browser ended up, and resolves with `undefined` if the input has ended. */
  readonly promptForRedirect?: (problem: string | undefined, end: AbortSignal) => Promise<string | undefined>;
  /** Milliseconds to wait for the user (default: `localDefaults.signInMs`). */
  readonly waitMs?: number;
}

/**
 * @throws {ComandaError} before the browser opens: `invalid_input` (the alias belongs to another environment), `configuration`
 *   (such as a port in use), `state_unusable`; afterwards: `not_signed_in` (timeout), and the errors of {@link exchangeAndStore}
 * @throws the signal's reason
 */
export async function signIn(options: SignInOptions): Promise<Session> {
  const { environment, store, sessions, notify, signal } = options;
  const address = new URL(environment.redirect_uri);
  const values = await authorize.createOneTimeValues();
  const url = authorize.authorizationUrl(environment, values);
  const pending = { address, state: values.state };
  // Taking the lease writes to the disk, so a full disk is reported before the browser opens.
  await sessions.update(store, (current) => {
    checkEnvironment(current, store, environment);
    return Promise.resolve(undefined);
  });
  signal?.throwIfAborted();
  if (authorize.loopbackAddresses(address).length === 0 && !options.promptForRedirect) {
    const message = t`comanda ${"login"} requires a terminal.`;
    throw new ComandaError("configuration", message, { hintFacts: { about: "redirect" } });
  }
  const foreign = t`comanda rejected a response to this sign-in that came from another user of this machine. Continue in your browser.`;
  const listener = await listenForRedirect(pending, () => notify?.(foreign));
  try {
    options.showUrl(url);
    const { callback, answer } = await firstCallback(options, pending, url, listener.received);
    // The page reports the true outcome, so it is sent last.
    try {
      const session = await exchangeAndStore(options, values, callback);
      await answer("signed_in");
      return session;
    } catch (error) {
      await answer("failed");
      throw error;
    }
  } finally {
    await listener.close();
  }
}

/** Waits for the redirect, a pasted URL, or the timeout. The first of them ends the others. */
async function firstCallback(
  options: SignInOptions,
  pending: authorize.PendingCallback,
  url: string,
  received: Promise<ReceivedCallback>,
): Promise<ReceivedCallback> {
  const { store, environment, clock, signal, openBrowser, promptForRedirect } = options;
  const canReturn = authorize.loopbackAddresses(pending.address).length > 0;
  const isOpen = openBrowser?.(url).then(
    () => true,
    () => false,
  );
  const end = new AbortController();
  const ended = signal ? AbortSignal.any([end.signal, signal]) : end.signal;

  const unfinished = (message: string) =>
    new ComandaError("not_signed_in", message, {
      hintFacts: { about: "sign_in_unfinished", store, environment: environment.name },
    });
  const waitMs = options.waitMs ?? localDefaults.signInMs;
  const limit = waitMs < 60_000 ? `${waitMs / 1000} s` : `${waitMs / 60_000} min`;
  const late = t`No answer from the browser within ${limit}. Nothing was saved.`;
  const timeUp = clock.sleep(waitMs, ended).then(() => Promise.reject(unfinished(late)));

  /** Prompts until a pasted URL belongs to this sign-in. Doesn't prompt if a browser opened that can return to this machine. */
  async function pasted(): Promise<ReceivedCallback> {
    if (!promptForRedirect || (canReturn && (await isOpen))) return received;
    let line = await promptForRedirect(undefined, ended);
    while (line !== undefined) {
      const callback = authorize.judgePasted(line, pending);
      if (callback) return { callback, answer: () => Promise.resolve() };
      line = await promptForRedirect(t`That address doesn't belong to this sign-in.`, ended);
    }
    if (canReturn) return received;
    throw unfinished(t`The sign-in was not completed. Nothing was saved.`);
  }

  const sources = [timeUp, pasted(), received];
  // The abort below ends the remaining ones, whose errors no longer matter.
  for (const source of sources) source.catch(() => undefined);
  try {
    return await Promise.race(sources);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    end.abort();
  }
}
