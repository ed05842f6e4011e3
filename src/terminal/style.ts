/** Colours, for a terminal alone. */

type Paint = (text: string) => string;

export interface Style {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly cyan: Paint;
}

const asItIs: Paint = (text) => text;

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

/**
 * Colours go to a terminal only; `--no-color`, `NO_COLOR` (any value but an empty one) and `TERM=dumb` switch
 * them off.
 */
export function wantsColors(
  stream: { readonly isTTY?: boolean | undefined },
  env: Readonly<Record<string, string | undefined>>,
  flag: boolean,
): boolean {
  return flag && stream.isTTY === true && !env["NO_COLOR"] && env["TERM"] !== "dumb";
}
