/** Writes all of comanda's texts: data to stdout, everything else to stderr. */
import type { ComandaError } from "../client/errors.js";
import { t } from "../languages/language.js";

import { printable, safeJson, safeJsonText, type Style, wrapWords } from "./text.js";
import { type Column, type CsvOptions, type Format, renderRecords, type View } from "./records.js";

/** The part of stdout and stderr that comanda needs. */
export interface OutputStream {
  write(text: string | Uint8Array): unknown;
  readonly isTTY?: boolean | undefined;
  /** Width in characters; absent where it isn't a terminal. */
  readonly columns?: number | undefined;
}

const eraseLine = "\r\u001b[2K";

/** Every other text hides the status line first, so that it starts on a clean line. */
export class StatusLine {
  readonly #texts: { bar?: string | undefined; wait?: string | undefined } = {};
  #drawn = "";

  /** @param stream nothing is drawn where it isn't a terminal */
  constructor(private readonly stream: OutputStream) {}

  get isShown(): boolean {
    return this.stream.isTTY === true;
  }

  /** A wait replaces the bar. `text` must be comanda's own; without it, the part is removed. */
  show(part: "bar" | "wait", text: string | undefined): void {
    this.#texts[part] = text;
    const room = Math.max((this.stream.columns ?? 80) - 1, 1);
    const visibleText = (this.#texts.wait ?? this.#texts.bar ?? "").slice(0, room);
    if (visibleText === "") this.hide();
    else if (this.isShown && visibleText !== this.#drawn) {
      this.stream.write(`${eraseLine}${visibleText}`);
      this.#drawn = visibleText;
    }
  }

  /** Hides the line until a part is shown again. */
  hide(): void {
    if (this.#drawn === "") return;
    this.stream.write(eraseLine);
    this.#drawn = "";
  }
}

const redrawMs = 100;
const barWidth = 30;

export interface Progress {
  /** `note` must be comanda's own text. */
  update(done: number, note?: string): void;
  /** Removes the bar, so that the next text starts on a clean line. */
  end(): void;
}

/** Draws at most ten times a second. */
export function startProgress(
  line: StatusLine,
  { total, label, now }: { total: number; label: string; now: () => number },
): Progress {
  let drawnAt = Number.NEGATIVE_INFINITY;
  return {
    update: (done, note = "") => {
      if (now() - drawnAt < redrawMs && done < total) return;
      drawnAt = now();
      const filled = total === 0 ? barWidth : Math.floor((Math.min(done, total) / total) * barWidth);
      const bar = "█".repeat(filled).padEnd(barWidth, "░");
      line.show("bar", [label, bar, `${done}/${total}`, note].filter(Boolean).join(" "));
    },
    end: () => line.show("bar", undefined),
  };
}

export interface OutputOptions {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly format: Format;
  readonly quiet: boolean;
  /** stdout and stderr have a style each: one may be a terminal and the other a file. */
  readonly style: Style;
  readonly errorStyle: Style;
}

/** Makes every text safe for a terminal, so nothing else may write to the streams. */
export class Output {
  readonly #options: OutputOptions;
  readonly #warnings = new Set<string>();
  readonly format: Format;
  readonly json: boolean;
  /** Columns of the terminal that stdout is; `undefined` where it is none. */
  readonly columns: number | undefined;
  readonly view: View;
  /** Shows on stderr what goes on while a person waits. */
  readonly status: StatusLine;

  constructor(options: OutputOptions) {
    const { stdout, stderr, format, quiet, style } = options;
    this.#options = options;
    this.format = format;
    this.json = format === "json";
    this.columns = columnsOf(stdout);
    this.view = { width: this.columns, style };
    this.status = new StatusLine(quiet ? { write: () => undefined } : stderr);
  }

  /** Tells on stdout what was done; with `--quiet` the exit code tells it. */
  sentence(text: string): void {
    if (!this.#options.quiet) this.words(text);
  }

  line(text: string): void {
    this.text(`${printable(text)}\n`);
  }

  /** Writes a line that a terminal may break between words, so it must not hold text to copy. */
  words(text: string): void {
    this.text(`${wrapWords(printable(text), this.columns)}\n`);
  }

  /** Writes one JSON value on a line of its own. */
  value(value: unknown): void {
    this.text(`${safeJson(value)}\n`);
  }

  /** Writes a JSON text exactly as the service sent it, so that no number loses a digit. */
  jsonText(json: string): void {
    this.text(`${safeJsonText(json.trim())}\n`);
  }

  async records<Row>(columns: readonly Column<Row>[], rows: readonly Row[], csv?: CsvOptions): Promise<void> {
    this.text(await renderRecords(this.format, columns, rows, { ...csv, view: this.view }));
  }

  /** Writes a text of several lines as it is: it must be comanda's own. */
  text(text: string): void {
    // Only a terminal shows stdout beside the status line.
    if (this.columns !== undefined) this.status.hide();
    this.#options.stdout.write(text);
  }

  /** Writes a sentence on stderr for the person who waits. */
  notice(text: string): void {
    if (!this.#options.quiet) this.#tell(printable(text));
  }

  /** Writes an address to open, alone on a line of stderr: a person needs it even with `--quiet`. */
  address(url: string): void {
    this.#tell(printable(url));
  }

  /** Warns once in a run, however often the cause occurs. */
  warn(text: string): void {
    if (this.#warnings.has(text)) return;
    this.#warnings.add(text);
    this.#tell(`${this.#options.errorStyle.yellow(t`warning:`)} ${printable(text)}`);
  }

  error(error: ComandaError): void {
    if (this.json) this.#options.stderr.write(renderErrorJson(error));
    else this.#tell(...renderError(error, this.#options.errorStyle).trimEnd().split("\n"));
  }

  #tell(...lines: readonly string[]): void {
    const { stderr } = this.#options;
    this.status.hide();
    for (const line of lines) stderr.write(`${wrapWords(line, columnsOf(stderr))}\n`);
  }
}

function columnsOf({ isTTY, columns = 80 }: OutputStream): number | undefined {
  return isTTY === true ? columns : undefined;
}

/** Tells people what happened, the service's answer where it adds something, and what to do next. */
export function renderError(error: ComandaError, style: Style): string {
  const { message, hint, httpStatus, serviceCode, serviceMessage, details } = error;
  let text = `${style.red(style.bold(t`error:`))} ${printable(message)}\n`;
  const words = [serviceMessage, details].filter(Boolean).join(": ");
  if (
    httpStatus !== null &&
    (serviceCode !== null || words !== "" || !message.includes(`HTTP ${httpStatus}`))
  ) {
    const code = serviceCode === null ? "" : t`, code ${serviceCode}`;
    const said = `${words || t`nothing more`} (HTTP ${httpStatus}${code})`;
    text += `${style.dim(t`  The service said: ${printable(said)}`)}\n`;
  }
  for (const line of hint?.split("\n") ?? []) text += `  ${printable(line)}\n`;
  return text;
}

/** Programs get comanda's own stable name, and the service's number where it gave one. */
export function codesOf({ code, serviceCode }: ComandaError) {
  return { code, service_code: serviceCode };
}

/** Programs read the error on one line. */
export function renderErrorJson(error: ComandaError): string {
  return `${safeJson({
    error: {
      exit_code: error.exitCode,
      ...codesOf(error),
      http_status: error.httpStatus,
      message: error.message,
      details: error.details ?? error.serviceMessage,
      hint: error.hint ?? null,
      evidence: error.evidence,
    },
  })}\n`;
}
