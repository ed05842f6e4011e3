/** Writes all of comanda's texts: data to stdout, everything else to stderr. */
import type { ComandaError } from "../client/errors.js";
import { t } from "../languages/language.js";

import { printable, safeJson, safeJsonText } from "./escape.js";
import { StatusLine, type OutputStream } from "./progress.js";
import type { Column, View } from "./column.js";
import { renderRecords, type CsvOptions, type Format } from "./records.js";
import type { Style } from "./style.js";
import { wrapWords } from "./wrap.js";

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
  /** Shows on stderr what goes on while a person waits. */
  readonly status: StatusLine;

  constructor(options: OutputOptions) {
    this.#options = options;
    this.status = new StatusLine(options.quiet ? { write: () => undefined } : options.stderr);
  }

  get format(): Format {
    return this.#options.format;
  }

  get json(): boolean {
    return this.#options.format === "json";
  }

  /** Columns of the terminal that stdout is; `undefined` where it is none. */
  get columns(): number | undefined {
    const { stdout } = this.#options;
    return stdout.isTTY === true ? (stdout.columns ?? 80) : undefined;
  }

  get view(): View {
    return { width: this.columns, style: this.#options.style };
  }

  /** Tells on stdout what was done; with `--quiet` the exit code tells it. */
  sentence(text: string): void {
    if (!this.#options.quiet) this.words(text);
  }

  line(text: string): void {
    this.#out(`${printable(text)}\n`);
  }

  /** Writes a line that a terminal may break between words, so it must not hold text to copy. */
  words(text: string): void {
    this.#out(`${wrapWords(printable(text), this.columns)}\n`);
  }

  /** Writes a text of several lines as it is: it must be comanda's own. */
  text(text: string): void {
    this.#out(text);
  }

  /** Writes one JSON value on a line of its own, or indented where a person reads it. */
  value(value: unknown): void {
    this.#out(`${safeJson(value, this.#options.stdout.isTTY ? 2 : undefined)}\n`);
  }

  /** Writes one JSON value of many, always on one line. */
  jsonLine(value: unknown): void {
    this.#out(`${safeJson(value)}\n`);
  }

  /** Writes a JSON text exactly as the service sent it, so that no number loses a digit. */
  jsonText(json: string): void {
    this.#out(`${safeJsonText(json.trim())}\n`);
  }

  async records<Row>(columns: readonly Column<Row>[], rows: readonly Row[], csv?: CsvOptions): Promise<void> {
    if (this.json) this.value(rows);
    else this.text(await renderRecords(this.format, columns, rows, { ...csv, view: this.view }));
  }

  /** Writes a sentence on stderr for the person who waits. */
  notice(text: string): void {
    if (!this.#options.quiet) this.#say(printable(text));
  }

  /** Writes an address to open, alone on a line of stderr: a person needs it even with `--quiet`. */
  address(url: string): void {
    this.#err(`${printable(url)}\n`);
  }

  /** Warns once in a run, however often the cause occurs. */
  warn(text: string): void {
    if (this.#warnings.has(text)) return;
    this.#warnings.add(text);
    this.#say(`${this.#options.errorStyle.yellow(t`warning:`)} ${printable(text)}`);
  }

  error(error: ComandaError): void {
    const { errorStyle } = this.#options;
    this.#err(this.json ? renderErrorJson(error) : renderError(error, errorStyle, this.#errorColumns));
  }

  get #errorColumns(): number | undefined {
    const { stderr } = this.#options;
    return stderr.isTTY === true ? (stderr.columns ?? 80) : undefined;
  }

  #say(text: string): void {
    this.#err(`${wrapWords(text, this.#errorColumns)}\n`);
  }

  #out(text: string): void {
    const { stdout } = this.#options;
    // Only a terminal shows stdout beside the status line.
    if (stdout.isTTY === true) this.status.hide();
    stdout.write(text);
  }

  #err(text: string): void {
    this.status.hide();
    this.#options.stderr.write(text);
  }
}

/**
 * Tells people what happened, the service's answer, and what to do next.
 *
 * @param width columns of the terminal; absent without one
 */
export function renderError(error: ComandaError, style: Style, width?: number): string {
  const serviceText = serviceWords(error);
  const lines = [
    `${style.red(style.bold(t`error:`))} ${printable(error.message)}`,
    ...(serviceText === undefined ? [] : [style.dim(t`  The service said: ${printable(serviceText)}`)]),
    ...(error.hint === undefined ? [] : error.hint.split("\n").map((line) => `  ${printable(line)}`)),
  ];
  return `${lines.map((line) => wrapWords(line, width)).join("\n")}\n`;
}

/** @returns `undefined` where the answer adds nothing to the error's message */
function serviceWords(error: ComandaError): string | undefined {
  const { httpStatus, serviceCode, serviceMessage, details, message } = error;
  if (httpStatus === null) return undefined;
  const words = [serviceMessage, details].filter(Boolean).join(": ");
  if (serviceCode === null && words === "" && message.includes(`HTTP ${httpStatus}`)) return undefined;
  return `${words || t`nothing more`} (HTTP ${httpStatus}${serviceCode === null ? "" : t`, code ${serviceCode}`})`;
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
