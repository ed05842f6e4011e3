/** `comanda logout` revokes the tokens of stores at the service, and forgets them and the stores' keys. */
import { chooseSession } from "../auth/session.js";
import { contradiction, endWith, type Command } from "../cli/command.js";
import type { Context } from "../cli/context.js";
import { transportOf } from "../cli/connection.js";
import { ComandaError } from "../base/errors.js";
import { t } from "../languages/language.js";

export default function logout(command: Command): void {
  command
    .details(
      "The store stays on this machine with its time zone, currency, start of the day and sales figures. comanda stores remove deletes them too.",
    )
    .takes("store")
    .option("--all", "sign out of all stores")
    .examples("logout --store centro", "logout --all")
    .does(signOutStores);
}

async function signOutStores(context: Context, { all = false }: { readonly all?: boolean }): Promise<void> {
  const { options, output, signal } = context;
  if (all && options.store !== undefined) throw contradiction("--all", "--store");
  const { sessions } = await context.state();
  // A store that was signed out has no credential, and this machine still knows it.
  const stores = all
    ? (await sessions.list()).filter(
        (session) =>
          "error" in session || (session.tokens ?? session.api_key ?? session.partner_key) !== undefined,
      )
    : [await chooseSession(context, options.store)];
  if (stores.length === 0) output.notice(t`No store is signed in.`);
  const { signOut } = await import("../auth/exchange.js");
  let failure: ComandaError | undefined;
  const call = { transport: transportOf(context), timeoutMs: options.timeoutMs, signal };
  for (const { store } of stores) {
    const signedOut = await signOut(store, sessions, call).catch((thrown: unknown) => {
      if (!all || signal.aborted || !(thrown instanceof ComandaError)) throw thrown;
      return thrown;
    });
    if (signedOut instanceof ComandaError) {
      // The others are signed out all the same.
      output.warn(`${store}: ${signedOut.message}`);
      failure ??= signedOut;
      continue;
    }
    const { former, error } = signedOut;
    const isRevoked = former.tokens !== undefined && error === undefined;
    if (output.json) output.value({ store, revoked: isRevoked, forgotten: true });
    else {
      const told = [t`${store} is signed out.`];
      if (former.api_key !== undefined) told.push(t`Its ${t`API key`} is forgotten, too.`);
      if (former.partner_key !== undefined) told.push(t`Its ${t`partner key`} is forgotten, too.`);
      output.sentence(told.join(" "));
    }
    if (error === undefined) continue;
    output.warn(
      t`${store} is signed out here, but its tokens were not revoked and may work until they expire.`,
    );
    failure ??= error.reworded(error.message, {
      hint: t`The store's owner can uninstall the app in the store portal, which revokes its tokens too.`,
    });
  }
  endWith(context, failure);
}
