import type { Command } from "commander";

import { ComandaError } from "../../errors/index.js";
import type { Context } from "../context.js";
import { leaf, perform, type Invocation } from "../leaf.js";

interface SetOptions {
  readonly tz?: string;
  readonly currency?: string;
  readonly locale?: string;
}

export function setStoreCommand(context: Context): Command {
  const command = leaf({
    usage: "set <alias>",
    summary: "say in which time zone a store's days are counted, and how its figures are shown",
    description: "What isn't given stays as it is. A flag of the single command goes before it.",
    examples: ["stores set centro --tz America/Sao_Paulo --currency BRL --locale pt-BR"],
  })
    .option("--tz <zone>", "IANA name of the time zone, for example America/Sao_Paulo")
    .option("--currency <code>", "ISO 4217 code, for example BRL")
    .option("--locale <tag>", "how numbers are written, for example pt-BR");
  return perform(command, context, (invocation, [alias = ""]) =>
    setStore(invocation, alias, command.opts<SetOptions>()),
  );
}

async function setStore(invocation: Invocation, given: string, options: SetOptions): Promise<void> {
  const [{ openState }, { knownSession }, { withStoreSettings }, formats, { resolveZone }] =
    await Promise.all([
      import("../state.js"),
      import("../choose-store.js"),
      import("../../state/store-settings.js"),
      import("../../reports/number-format.js"),
      import("../../reports/calendar.js"),
    ]);
  const { tz, currency, locale } = options;
  const change = {
    ...(tz !== undefined && { time_zone: resolveZone(tz) }),
    ...(currency !== undefined && { currency: formats.parseCurrency(currency) }),
    ...(locale !== undefined && { locale: formats.parseLocale(locale) }),
  };
  if (Object.keys(change).length === 0) {
    throw new ComandaError("usage", "Nothing to set was given.", {
      hint: "Give --tz, --currency or --locale.",
    });
  }
  const { sessions, settings } = openState(invocation);
  const { store } = await knownSession(sessions, given);
  const written = await settings.update((current) => withStoreSettings(current, store, change));
  const own = written.stores?.[store];
  const set = {
    time_zone: own?.time_zone ?? null,
    currency: own?.currency ?? null,
    locale: own?.locale ?? null,
  };
  const { output } = invocation;
  if (output.json) output.value({ store, ...set });
  else {
    const words = Object.entries(set).map(
      ([name, value]) => `${name.replace("_", " ")} ${value ?? "not set"}`,
    );
    output.sentence(`${store}: ${words.join(", ")}.`);
  }
}
