/** Colours: for a terminal, or where somebody asks for them. */

export type Paint = (text: string) => string;

export interface Style {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly cyan: Paint;
}

/** What a colour says. The text says the same: colour is never alone. */
export type Tone = "good" | "bad" | "doubtful" | "quiet";

export function paint(style: Style, tone: Tone): Paint {
  return { good: style.green, bad: style.red, doubtful: style.yellow, quiet: style.dim }[tone];
}

export const asItIs: Paint = (text) => text;

export const plainStyle: Style = {
  bold: asItIs,
  dim: asItIs,
  red: asItIs,
  green: asItIs,
  yellow: asItIs,
  cyan: asItIs,
};

/** chalk is loaded only where there is something to paint. */
export async function createStyle(colors: boolean): Promise<Style> {
  if (!colors) return plainStyle;
  const { Chalk } = await import("chalk");
  return new Chalk({ level: 1 });
}

/** `auto`: where the stream and the environment want them. */
export type ColorChoice = "auto" | "never";

/**
 * By itself to a terminal only, and not to one that `TERM` calls dumb. What a person types goes before the environment:
 * there `FORCE_COLOR` and `CLICOLOR_FORCE` ask for colours, `NO_COLOR` (any value but an empty one) for none.
 */
export function wantsColors(
  stream: { readonly isTTY?: boolean | undefined },
  env: Readonly<Record<string, string | undefined>>,
  choice: ColorChoice,
): boolean {
  if (choice === "never") return false;
  const forced = [env["FORCE_COLOR"], env["CLICOLOR_FORCE"]].find(Boolean);
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  return stream.isTTY === true && !env["NO_COLOR"] && env["TERM"] !== "dumb";
}
