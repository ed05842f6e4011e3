/**
 * The time zone of a store's days, settled when somebody signs in there: sales figures that are counted in the days of
 * this machine's zone would be of other days.
 */
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { withStoreSettings } from "../../state/settings/store-settings.js";
import type { Output } from "../../terminal/index.js";
import type { Machine } from "../../toolkit/machine.js";
import { resolveTimeZone } from "../../sales/ask/store-preferences.js";

export type StoreZone =
  /** The settings say it already, or the store has no figures. */
  | { readonly kind: "settled" }
  | { readonly kind: "stored"; readonly zone: string }
  /** It could not be stored; the sign-in is. */
  | { readonly kind: "not stored"; readonly error: ComandaError }
  /** Nobody could be asked. */
  | { readonly kind: "proposed"; readonly zone: string };

/**
 * Stores the zone that was given, else asks for one that the settings don't have. Where nobody can be asked, this
 * machine's is proposed.
 *
 * @param given IANA name, checked already
 */
export async function settleZone(
  machine: Machine,
  store: string,
  given: string | undefined,
): Promise<StoreZone> {
  const { settings } = await machine.state();
  if (given === undefined) {
    const { time_zone: forAll, stores } = await settings.read();
    if ((stores?.[store]?.time_zone ?? forAll) !== undefined) return { kind: "settled" };
    if (!machine.canAsk()) return { kind: "proposed", zone: await resolveTimeZone() };
  }
  const zone = given ?? (await askZone(machine, store));
  try {
    await settings.update((current) => withStoreSettings(current, store, { time_zone: zone }));
    return { kind: "stored", zone };
  } catch (error) {
    if (error instanceof ComandaError) return { kind: "not stored", error };
    throw error;
  }
}

/** Just Enter takes what the question proposes: this machine's zone, or the one that an answer came near to. */
async function askZone(machine: Machine, store: string): Promise<string> {
  const { machineZone, spokenZone } = await import("../../sales/period/calendar.js");
  const { isYes } = await import("../../terminal/prompt.js");
  machine.output.notice(
    t`Signed in at ${store}. Its sales are counted in days of its own time zone, such as America/Sao_Paulo.`,
  );
  let proposed = machineZone();
  let question = t`Which time zone is that? A city will do. (Enter: ${proposed})`;
  for (;;) {
    const typed = await machine.askText(question);
    if (typed === "" || isYes(typed)) return proposed;
    const answer = spokenZone(typed);
    if ("zone" in answer) return answer.zone;
    proposed = answer.near ?? proposed;
    question = answer.near
      ? t`There is no time zone "${typed}". Is it ${answer.near}? (Enter: yes)`
      : t`There is no time zone "${typed}". Which city is it? (Enter: ${proposed})`;
  }
}

export function tellZone(zone: StoreZone, store: string, output: Output): void {
  if (zone.kind === "stored") output.notice(t`The days of ${store} are counted in ${zone.zone}.`);
  if (zone.kind === "not stored")
    output.warn(t`${zone.error.message} The time zone of ${store} is not kept.`);
  if (zone.kind !== "proposed") return;
  output.notice(
    t`The days of ${store} are counted in this machine's time zone, ${zone.zone}. To keep it, or another: comanda stores set ${store} --tz ${zone.zone}`,
  );
}
