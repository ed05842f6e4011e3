/**
 * Settles the time zone of a store's days when somebody signs in there: in this machine's zone, sales figures would be
 * counted in other days.
 */
import { t } from "../../languages/language.js";
import { withStoreSettings } from "../../state/settings.js";
import type { Output } from "../../cli/output.js";
import type { Context } from "../../cli/context.js";
import { machineZone, resolveTimeZone } from "../figures/preferences.js";

export interface StoreZone {
  readonly zone: string;
  readonly money?: Money | undefined;
  /** Where nobody could be asked, the zone is only proposed. */
  readonly isStored: boolean;
}

/** Amounts are shown by an ISO 4217 code and a BCP 47 tag. */
interface Money {
  readonly currency: string;
  readonly locale: string;
}

/** The currencies of zones in which a restaurant of the service may be. */
const moneyByZone: readonly (readonly [zone: RegExp, currency: string, locale: string])[] = [
  [
    /^(?:Brazil|America\/(?:Araguaina|Bahia|Belem|Boa_Vista|Campo_Grande|Cuiaba|Eirunepe|Fortaleza|Maceio|Manaus|Noronha|Porto_Velho|Recife|Rio_Branco|Santarem|Sao_Paulo)$)/,
    "BRL",
    "pt-BR",
  ],
  [/^(?:Europe\/Lisbon|Atlantic\/(?:Azores|Madeira))$/, "EUR", "pt-PT"],
  [/^America\/(?:Argentina\/|Buenos_Aires$)/, "ARS", "es-AR"],
  [/^America\/Montevideo$/, "UYU", "es-UY"],
  [/^America\/Asuncion$/, "PYG", "es-PY"],
  [/^America\/Santiago$/, "CLP", "es-CL"],
  [/^America\/Bogota$/, "COP", "es-CO"],
  [/^America\/Lima$/, "PEN", "es-PE"],
  [/^America\/Mexico_City$/, "MXN", "es-MX"],
];

function moneyIn(zone: string): Money | undefined {
  const [, currency, locale] = moneyByZone.find(([zones]) => zones.test(zone)) ?? [];
  return currency === undefined || locale === undefined ? undefined : { currency, locale };
}

/**
 * Asks for a zone where the settings have none. Where nobody can be asked, it proposes this machine's.
 *
 * @returns `undefined` where the settings have a zone
 */
export async function settleZone(context: Context, store: string): Promise<StoreZone | undefined> {
  const { settings } = await context.state();
  const { stores } = await settings.read();
  if (stores?.[store]?.time_zone !== undefined) return undefined;
  const hasMoney = stores?.[store]?.currency !== undefined;
  const proposedMoney = (zone: string) => (hasMoney ? undefined : moneyIn(zone));
  if (!context.canAsk()) {
    const zone = await resolveTimeZone();
    return { zone, money: proposedMoney(zone), isStored: false };
  }
  const zone = await askZone(context, store);
  const money = await askMoney(context, proposedMoney(zone));
  await keepZone(context, store, { zone, money });
  return { zone, money, isStored: true };
}

export async function keepZone(
  context: Context,
  store: string,
  { zone, money }: Pick<StoreZone, "zone" | "money">,
): Promise<void> {
  const { settings } = await context.state();
  await settings.update((current) => withStoreSettings(current, store, { time_zone: zone, ...money }));
}

/** Enter accepts this machine's zone, but for UTC: that is a server's, and no restaurant's. */
async function askZone(context: Context, store: string): Promise<string> {
  const { spokenZone } = await import("../../sales/calendar.js");
  context.output.notice(
    t`Signed in at ${store}. Its sales are counted in days of its own time zone, such as America/Sao_Paulo.`,
  );
  const proposed = machineZone();
  const isUtc = proposed === "UTC";
  for (;;) {
    const input = await context.askText(
      isUtc
        ? t`Which time zone is that? A city will do.`
        : t`Which time zone is that? A city will do. (Enter: ${proposed})`,
    );
    if (input === "" && !isUtc) return proposed;
    if (input === "") continue;
    const answer = spokenZone(input);
    if ("zone" in answer) return answer.zone;
    if (answer.near === undefined) context.output.notice(t`There is no time zone "${input}".`);
    else if (await context.askYesNo(t`There is no time zone "${input}". Is it ${answer.near}?`, true))
      return answer.near;
  }
}

/** @returns `undefined` without a proposal, or where the answer is no */
async function askMoney(context: Context, money: Money | undefined): Promise<Money | undefined> {
  if (money === undefined) return undefined;
  const { currency, locale } = money;
  const isAccepted = await context.askYesNo(
    t`Are its amounts in ${currency}, written as in ${locale}?`,
    true,
  );
  return isAccepted ? money : undefined;
}

export function tellZone({ zone, money, isStored }: StoreZone, store: string, output: Output): void {
  if (!isStored) {
    const moneyOptions = money ? ` --currency ${money.currency} --locale ${money.locale}` : "";
    output.notice(
      t`The days of ${store} are counted in this machine's time zone, ${zone}. To keep it, or another: ${`comanda stores set ${store} --tz ${zone}${moneyOptions}`}`,
    );
    return;
  }
  output.notice(t`The days of ${store} are counted in ${zone}.`);
  if (money) output.notice(t`Its amounts are shown in ${money.currency}.`);
}
