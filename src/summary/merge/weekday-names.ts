/** The names of weekdays: in which the service may have written them, and as a reader's locale writes them. */
import type { Group } from "../../contract/summary.js";
import type { Form } from "./calendar-labels.js";

type Length = "long" | "short";

/** In any of these languages, with a capital or without; 0 is Sunday. */
export const weekdayNames: readonly Form<string>[] = ["pt-BR", "en", "es"].flatMap((language) =>
  (["long", "short"] as const).flatMap((length): Form<string>[] => {
    const name = nameIn(language, length);
    return [name, (day) => capital(name(day), language)];
  }),
);

/**
 * A weekday as the reader's locale calls it, with a capital, since it stands alone: `Monday`, `Segunda-feira`. What is
 * none that is known is left as it is.
 */
export function weekdayName(
  { key, label }: Pick<Group, "key" | "label">,
  locale: string,
  length: Length = "long",
): string {
  const name = label ?? String(key);
  const weekday = [0, 1, 2, 3, 4, 5, 6].find((day) => weekdayNames.some((form) => form(day) === name));
  return weekday === undefined ? name : capital(nameIn(locale, length)(weekday), locale).replace(/\.$/, "");
}

function nameIn(locale: string, weekday: Length): Form<string> {
  let names: readonly string[] | undefined;
  return (day) => {
    names ??= [0, 1, 2, 3, 4, 5, 6].map((each) =>
      // 1970-01-04 was a Sunday.
      new Intl.DateTimeFormat(locale, { weekday, timeZone: "UTC" }).format((3 + each) * 86_400_000),
    );
    return names[day] ?? "";
  };
}

function capital(name: string, locale: string): string {
  return name.slice(0, 1).toLocaleUpperCase(locale) + name.slice(1);
}
