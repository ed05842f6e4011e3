/** Numbers, amounts and changes in a store's locale and currency. */
import { numberFromCents, type Cents } from "../api/money.js";
import { ComandaError } from "../base/errors.js";
import type { Context } from "../cli/context.js";
import { preferencesFor, type Preferences } from "../core/preferences.js";
import { currentLanguage, plural, t } from "../languages/language.js";
import type { Settings } from "../state/settings.js";

type Regional = Pick<Preferences, "locale" | "currency">;
export type NumberFormat = ReturnType<typeof createFormat>;

export const noNumber = "–";

const formats = new Map<string, NumberFormat>();

/** Without a currency, amounts are plain numbers with two decimals. */
export function numberFormat(store: Regional): NumberFormat {
  const name = `${store.locale} ${store.currency ?? ""}`;
  const format = formats.get(name) ?? createFormat(store);
  formats.set(name, format);
  return format;
}

/** What decides how a person reads a store's amounts and times: the settings, and this machine's variables. */
export interface SettingsView {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly settings: Settings;
}

/** Reads the settings. If they can't be read, warns and returns none, because that must not hide a change that was sent. */
export async function settingsView({ env, output, workspace }: Context): Promise<SettingsView> {
  const { settings } = await workspace.state();
  try {
    return { env, settings: await settings.read() };
  } catch (error) {
    if (!(error instanceof ComandaError)) throw error;
    output.warn(`${error.message} ${t`Times are shown in this machine's time zone.`}`);
    return { env, settings: { environments: {} } };
  }
}

/** Returns the number format of a store. An invalid currency or locale counts as none, for the same reason. */
export function formatOf(view: SettingsView, store: string | null | undefined): NumberFormat {
  try {
    return numberFormat(preferencesFor(view, view.settings, store ?? undefined));
  } catch (error) {
    if (!(error instanceof ComandaError)) throw error;
    return numberFormat({ currency: null, locale: currentLanguage() });
  }
}

function createFormat({ locale, currency }: Regional) {
  const formatter = (options: Intl.NumberFormatOptions = {}) => {
    const format = new Intl.NumberFormat(locale, options);
    return (value: number) => withoutDirection(format.format(value));
  };
  const percent = { style: "percent", maximumFractionDigits: 1 } as const;
  const share = formatter(percent);
  const change = formatter({ ...percent, signDisplay: "exceptZero" });
  const count = formatter();
  // The service's amounts have cents in every currency.
  const amount = formatter({
    ...(currency !== null && { style: "currency", currency }),
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
  return {
    count,
    amount,
    /** Always has a sign; null, after a division by zero, is a dash. */
    change: (value: number | null) => (value === null ? noNumber : change(value / 100)),
    /** Expects a number from 0 to 1. */
    share: (part: number | null) => (part === null ? noNumber : share(part)),
    /** Returns orders and their revenue: `2 orders, R$50.00`. */
    sold: (orders: number, revenue: Cents) => {
      const text = amount(numberFromCents(revenue));
      return plural(orders, { one: t`1 order, ${text}`, other: t`${count(orders)} orders, ${text}` });
    },
  };
}

/** Removes the direction marks that some locales put around a sign, and that a terminal would show as escapes. */
export function withoutDirection(text: string): string {
  return text.replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "");
}
