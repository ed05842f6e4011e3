/** Weekdays and months in words: as a service may write them, and as a reader's locale does. */
import type { Group } from "../../contract/models.js";
import { once } from "../../shared/once.js";

/** A form writes the key or label of a place: a day, a week or a month, an hour, a weekday (0 is Sunday). */
export type Form<Text> = (place: number) => Text;

type Length = "long" | "short";

/** 1970-01-04 was a Sunday. */
const weekday = { unit: "weekday", count: 7, momentOf: (place: number) => (3 + place) * 86_400_000 } as const;
const month = { unit: "month", count: 12, momentOf: (place: number) => Date.UTC(1970, place, 15) } as const;

/** Lists the weekdays in the languages of services, with a capital or without. */
export const weekdayNames = formsOf(weekday);

/** Lists the months like {@link weekdayNames}. 0 is January. */
export const monthNames = formsOf(month);

/** Finds the weekday of this name in any of the languages. */
export function weekdayNamed(name: string): number | undefined {
  return weekdaysByName().get(name);
}

const weekdaysByName = once(
  () =>
    new Map([0, 1, 2, 3, 4, 5, 6].flatMap((day) => weekdayNames.map((form) => [form(day), day] as const))),
);

/** Writes a group's weekday as {@link weekdayText} does. An unknown name is left as it is. */
export function weekdayName(
  { key, label }: Pick<Group, "key" | "label">,
  locale: string,
  length?: Length,
): string {
  const name = label ?? String(key);
  const place = weekdayNamed(name);
  return place === undefined ? name : weekdayText(place, locale, length);
}

/** Writes a weekday in the reader's locale, with a capital, since it stands alone: `Monday`, `Segunda-feira`. */
export function weekdayText(place: number, locale: string, length: Length = "long"): string {
  return withCapital(namesIn(locale, weekday, length)(place)).replace(/\.$/, "");
}

/** Writes names in their variants: `segunda-feira`, `Segunda-feira`, `segunda`; `dom.` and `dom`. */
function formsOf(words: typeof weekday | typeof month): readonly Form<string>[] {
  return ["pt-BR", "en"].flatMap((language) =>
    (["long", "short"] as const).flatMap((length) => {
      const name = namesIn(language, words, length);
      const bare: Form<string> = (place) => name(place).replace(/(?:\.|-feira)$/, "");
      return [name, bare].flatMap((form): Form<string>[] => [form, (place) => withCapital(form(place))]);
    }),
  );
}

function namesIn(
  locale: string,
  { unit, count, momentOf }: typeof weekday | typeof month,
  length: Length,
): Form<string> {
  const names = once(() => {
    const format = new Intl.DateTimeFormat(locale, { [unit]: length, timeZone: "UTC" });
    return Array.from({ length: count }, (_, place) => format.format(momentOf(place)));
  });
  return (place) => names()[place] ?? "";
}

function withCapital(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}
