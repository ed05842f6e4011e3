/**
 * Lists the names of weekdays and months in languages that a service may write, and writes weekdays in a reader's
 * locale.
 */
import type { Group } from "../../contract/models.js";
import { once } from "../../shared/once.js";

/**
 * A form writes the key or label of a place: a day, a week or a month by its ordinal, an hour, a weekday (0 is
 * Sunday).
 */
export type Form<Text> = (place: number) => Text;

/** Gives what all forms say of a place; `undefined` where they differ. */
export function unanimous<Text>(forms: readonly Form<Text>[], place: number): Text | undefined {
  const texts = new Set(forms.map((form) => form(place)));
  return texts.size === 1 ? [...texts][0] : undefined;
}

type Length = "long" | "short";

const languages = ["pt-BR", "en", "es"] as const;
/** 1970-01-04 was a Sunday. */
const weekdayAt = (place: number) => (3 + place) * 86_400_000;
const monthAt = (place: number) => Date.UTC(1970, place, 15);

/** Lists the weekdays in all of these languages, with a capital or without. 0 is Sunday. */
export const weekdayNames: readonly Form<string>[] = languages.flatMap((language) =>
  formsOfLengths((length) => variantsOf(namesIn(language, { weekday: length }, [7, weekdayAt]), language)),
);

/** Lists the months like {@link weekdayNames}. 0 is January. */
export const monthNames: readonly Form<string>[] = languages.flatMap((language) =>
  formsOfLengths((length) => variantsOf(namesIn(language, { month: length }, [12, monthAt]), language)),
);

/** Finds the weekday of this name in any of the languages. */
export function weekdayNamed(name: string): number | undefined {
  return weekdaysByName().get(name);
}

const weekdaysByName = once(
  () =>
    new Map([0, 1, 2, 3, 4, 5, 6].flatMap((day) => weekdayNames.map((form) => [form(day), day] as const))),
);

/**
 * Writes a weekday in the reader's locale, with a capital, since it stands alone: `Monday`, `Segunda-feira`. An
 * unknown name is left as it is.
 */
export function weekdayName(
  { key, label }: Pick<Group, "key" | "label">,
  locale: string,
  length: Length = "long",
): string {
  const name = label ?? String(key);
  const weekday = weekdayNamed(name);
  if (weekday === undefined) return name;
  return withCapital(namesIn(locale, { weekday: length }, [7, weekdayAt])(weekday), locale).replace(
    /\.$/,
    "",
  );
}

function formsOfLengths<Item>(formsOf: (length: Length) => readonly Item[]): readonly Item[] {
  return (["long", "short"] as const).flatMap(formsOf);
}

/** Writes a name in its variants: `segunda-feira`, `Segunda-feira`, `SEGUNDA-FEIRA`, `segunda`; `dom.` and `dom`. */
function variantsOf(name: Form<string>, language: string): readonly Form<string>[] {
  const bare: Form<string> = (place) => name(place).replace(/(?:\.|-feira)$/, "");
  return [name, bare].flatMap((form): Form<string>[] => [
    form,
    (place) => withCapital(form(place), language),
    (place) => form(place).toLocaleUpperCase(language),
  ]);
}

/** @param places are how many there are, and when each of them is, in milliseconds since the epoch */
function namesIn(
  locale: string,
  options: Intl.DateTimeFormatOptions,
  [count, momentOf]: readonly [count: number, momentOf: (place: number) => number],
): Form<string> {
  let names: readonly string[] | undefined;
  return (place) => {
    if (names === undefined) {
      const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" });
      names = Array.from({ length: count }, (_, index) => format.format(momentOf(index)));
    }
    return names[place] ?? "";
  };
}

function withCapital(name: string, locale: string): string {
  return name.slice(0, 1).toLocaleUpperCase(locale) + name.slice(1);
}
