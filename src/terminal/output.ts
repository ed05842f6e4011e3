/** Where everything that comanda says goes: data to stdout, all else to stderr. */
import type { ComandaError } from "../shared/errors.js";

import { renderError, renderErrorJson } from "./error.js";
import { printable, safeJson, safeJsonText } from "./escape.js";
import { renderRecords, type CsvOptions, type Format } from "./records.js";
import type { Style } from "./style.js";
import type { Column, TableView } from "./table.js";

/** The two streams that a program writes to, as much of them as comanda needs. */
export interface OutputStream {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  /** Width in characters; absent where it isn't a terminal. */
  readonly columns?: number | undefined;
  /** Height in lines; absent where it isn't a terminal. */
  readonly rows?: number | undefined;
}

export interface OutputOptions {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly format: Format;
  /** No notices and no progress. */
  readonly quiet: boolean;
  /** No marks, no bars, and nothing that moves the cursor. */
  readonly plain: boolean;
  /** Of stdout and of stderr: one may be a terminal and the other a file. */
  readonly style: Style;
  readonly errorStyle: Style;
  /** Shows a text that is longer than the terminal; absent where it is to be written as any other. */
  readonly pager?: ((text: string) => Promise<void>) | undefined;
}

/** Every text given to it is made safe for a terminal here; nobody else writes to the streams. */
export class Output {
  readonly #options: OutputOptions;
  readonly #warned = new Set<string>();

  constructor(options: OutputOptions) {
    this.#options = options;
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

  get plain(): boolean {
    return this.#options.plain;
  }

  /** Where a bar that moves may be drawn: stderr, unless nobody wants one. */
  get progressStream(): OutputStream {
    const { stderr, quiet, plain } = this.#options;
    return quiet || plain ? { write: () => undefined } : stderr;
  }

  /** What tables on stdout are drawn for. */
  get view(): TableView {
    return { width: this.columns, style: this.#options.style };
  }

  /** A result in one sentence, on stdout. */
  sentence(text: string): void {
    const { stdout, style, plain } = this.#options;
    const mark = stdout.isTTY && !plain ? `${style.green("✓")} ` : "";
    stdout.write(`${mark}${printable(text)}\n`);
  }

  /** One line of plain text on stdout. */
  line(text: string): void {
    this.#options.stdout.write(`${printable(text)}\n`);
  }

  /** A text of several lines that is comanda's own, on stdout as it is. */
  text(text: string): void {
    this.#options.stdout.write(text);
  }

  /** As {@link text}, by the pager where it is longer than the terminal. */
  async page(text: string): Promise<void> {
    const { stdout, pager } = this.#options;
    const height = stdout.isTTY === true ? stdout.rows : undefined;
    // The last line is the shell's prompt.
    const isLong = height !== undefined && text.split("\n").length > height;
    if (pager && isLong) await pager(text);
    else this.text(text);
  }

  /** One JSON value on a line of its own; indented where a person reads it. */
  value(value: unknown): void {
    const { stdout } = this.#options;
    stdout.write(`${safeJson(value, stdout.isTTY ? 2 : undefined)}\n`);
  }

  /** One JSON value of many: always one line. */
  jsonLine(value: unknown): void {
    this.#options.stdout.write(`${safeJson(value)}\n`);
  }

  /** A JSON text exactly as the service sent it: no number loses a digit. */
  jsonText(json: string): void {
    this.#options.stdout.write(`${safeJsonText(json.trim())}\n`);
  }

  async records<Row>(columns: readonly Column<Row>[], rows: readonly Row[], csv?: CsvOptions): Promise<void> {
    const { format } = this.#options;
    await this.page(await renderRecords(format, columns, rows, { ...csv, view: this.view }));
  }

  /** For the person who waits, on stderr. */
  notice(text: string): void {
    if (!this.#options.quiet) this.#options.stderr.write(`${printable(text)}\n`);
  }

  /** What stands over a result, for whoever looks on. Where stderr is no terminal nobody does, and cron mails it. */
  heading(text: string): void {
    if (this.#options.stderr.isTTY === true) this.notice(text);
  }

  /** What a person has to have even with `--quiet`, alone on a line of stderr, such as an address to open. */
  address(url: string): void {
    this.#options.stderr.write(`${printable(url)}\n`);
  }

  warn(text: string): void {
    const { stderr, errorStyle } = this.#options;
    stderr.write(`${errorStyle.yellow("warning:")} ${printable(text)}\n`);
  }

  /** A warning that a run gives once, however often its cause is met. */
  warnOnce(text: string): void {
    if (this.#warned.has(text)) return;
    this.#warned.add(text);
    this.warn(text);
  }

  error(error: ComandaError): void {
    const { stderr, errorStyle } = this.#options;
    stderr.write(this.json ? renderErrorJson(error) : renderError(error, errorStyle));
  }
}
