/** `comanda logout` revokes the tokens of stores at the service, and deletes them and the stores' keys. */
import { credentialKinds } from "../api/operations.js";
import { contradiction } from "../base/fields.js";
import type { Command } from "../cli/command.js";
import type { Context } from "../cli/context.js";
import { ComandaError } from "../base/errors.js";
import { chooseStore } from "../core/connection.js";
import { t, translated } from "../languages/language.js";
import { hasCredentials } from "../state/sessions.js";
import { findOtherSignIns } from "../state/state.js";

export default function logout(command: Command): void {
  command
    .details(
      "The store stays on this machine with its time zone, currency, day start and sales figures. To delete those, too, use `comanda stores remove`.",
    )
    .takes("store")
    .option("--all", "sign out of all stores")
    .examples("logout --store centro", "logout --all")
    .does(signOutStores);
}

async function signOutStores(context: Context, { all = false }: { readonly all?: boolean }) {
  const { options, output, signal } = context;
  if (all && options.store !== undefined) throw contradiction("--all", "--store");
  const { sessions } = await context.workspace.state();
  const stores = all ? (await sessions.list()).filter(hasCredentials) : [await chosenSession(context)];
  if (stores.length === 0) output.notice(t`No store is signed in.`);
  const { signOut } = await import("../auth/exchange.js");
  let failure: ComandaError | undefined;
  const call = { transport: await context.workspace.transport(), timeoutMs: options.timeoutMs, signal };
  for (const { store } of stores) {
    const signedOut = await signOut(store, sessions, call).catch((thrown: unknown) => {
      if (!all || signal.aborted || !(thrown instanceof ComandaError)) throw thrown;
      return thrown;
    });
    if (signedOut instanceof ComandaError) {
      // Goes on with the other stores.
      output.warn(`${store}: ${signedOut.message}`);
      failure ??= signedOut;
      continue;
    }
    const { former, error } = signedOut;
    const isRevoked = former.tokens !== undefined && error === undefined;
    const keys = (["api_key", "partner_key"] as const).filter((name) => former[name] !== undefined);
    const document = { store, revoked: isRevoked, deleted: true, keys_still_valid: keys };
    output.done(document, t`${store} is signed out.`);
    const { apiKey, partnerKey } = credentialKinds;
    const names = keys.map((key) => translated((key === "api_key" ? apiKey : partnerKey).name));
    if (keys.length > 0 && !output.json)
      output.sentence(t`Deleted from this machine, but still valid at the service: ${names.join(", ")}.`);
    if (error === undefined) continue;
    output.warn(
      t`The previous sign-in to ${store} could not be revoked and may stay valid until it expires.`,
    );
    failure ??= error.reworded(error.message, {
      hint: t`To revoke this sign-in, the store's owner can uninstall the app in the store's portal.`,
    });
  }
  if (all)
    for (const { folder, stores: others, without } of await findOtherSignIns(context.env, context.clock)) {
      const command = [...without.map((name) => `${name}=`), "comanda logout --all"].join(" ");
      output.warn(t`Sign-ins in ${folder} stay valid: ${others.join(", ")}. To revoke them: ${command}`);
    }
  return failure;
}

/** @throws {ComandaError} also `usage` if all other commands use the credentials in variables, which can't be signed out */
async function chosenSession({ workspace, options }: Context) {
  const { session, label } = await chooseStore(workspace, options.store);
  if (session) return session;
  const message = t`Environment variables contain the credentials for ${label}, and logout can't revoke those.`;
  throw new ComandaError("usage", message, {
    hint: t`To sign out of a store on this machine, add --store <alias>.`,
  });
}
