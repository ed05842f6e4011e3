/** Where everything that comanda says goes: data to stdout, all else to stderr. */
import { ComandaError } from "../shared/errors.js";
import { parseJson } from "../shared/json.js";
import { t } from "../shared/language.js";
import { withSystemQuotes } from "../shared/shell-word.js";

import { renderError, renderErrorJson } from "./error.js";
import { printable, safeJson, safeJsonText } from "./escape.js";
import type { JqValue } from "./jq-engine.js";
import { StatusLine, type OutputStream } from "./progress.js";
import { renderRecords, type CsvOptions, type Format } from "./records.js";
import type { Style } from "./style.js";
import { selectMembers } from "./selection.js";
import type { Column, Fields, View } from "./column.js";
import type { Workbook } from "./workbook.js";
import { wrapWords } from "./wrap.js";

/** What an expression gave of one value. */
export interface JqOutcome {
  /** Whole lines. */
  readonly text: string;
  /** Why there are no more of them. */
  readonly fault?: ComandaError;
}

/** An expression of the jq language, which may take its time. */
export interface Jq {
  /** Outcomes come in the order in which the values were given. */
  run(value: JqValue): Promise<JqOutcome>;
  end(): Promise<void>;
}

export interface OutputOptions {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly format: Format;
  /** The system, as Node names it: a hint's command line is quoted for its shells. */
  readonly platform: string;
  /** Data and errors alone: no sentences, no notices and no progress. */
  readonly quiet: boolean;
  /** No marks, no bars, and nothing that moves the cursor. */
  readonly plain: boolean;
  /** stdout and stderr each have a style: one may be a terminal and the other a file. */
  readonly style: Style;
  readonly errorStyle: Style;
  /** Shows a text that is longer than the terminal; absent where it is to be written as any other. */
  readonly pager?: ((text: string) => Promise<void>) | undefined;
  /** The members or columns of a result that are wanted; absent for all. */
  readonly fields?: readonly string[] | undefined;
  /** What is made of each JSON value; absent for the value itself. */
  readonly jq?: Jq | undefined;
  /** JSON: a line for each value, and for each element of a list. */
  readonly lines?: boolean | undefined;
  /** CSV: parted by tabs. */
  readonly tabs?: boolean | undefined;
  /** In place of CSV: takes all records, and is written to stdout at the end. Whatever else is said goes to stderr. */
  readonly workbook?: Workbook | undefined;
}

/** Every text given to it is made safe for a terminal here; nobody else writes to the streams. */
export class Output {
  readonly #options: OutputOptions;
  readonly #warned = new Set<string>();
  /** What moves while a person waits: on stderr, unless nobody wants that. */
  readonly status: StatusLine;
  /** With a `--jq` expression, this resolves when all values given so far are written. */
  #written = Promise.resolve();
  #fault: ComandaError | undefined;
  #held: Set<string> | undefined;

  constructor(options: OutputOptions) {
    this.#options = options;
    const { stderr, quiet, plain } = options;
    this.status = new StatusLine(quiet || plain ? { write: () => undefined } : stderr);
  }

  get format(): Format {
    return this.#options.format;
  }

  get json(): boolean {
    return this.#options.format === "json";
  }

  /** Is JSON a line for each thing that a result lists? */
  get jsonLines(): boolean {
    return this.json && this.#options.lines === true;
  }

  /** Columns of the terminal that stdout is; `undefined` where it is none. */
  get columns(): number | undefined {
    const { stdout } = this.#options;
    return stdout.isTTY === true ? (stdout.columns ?? 80) : undefined;
  }

  /** Lines of the terminal that stdout is; `undefined` where it is none. */
  get rows(): number | undefined {
    const { stdout } = this.#options;
    return stdout.isTTY === true ? (stdout.rows ?? 24) : undefined;
  }

  get plain(): boolean {
    return this.#options.plain;
  }

  /** What tables on stdout are drawn for. */
  get view(): View {
    const { style, tabs, workbook } = this.#options;
    return { width: this.columns, style, fields: this.#fields(), tabs, workbook };
  }

  /** What was done, in one sentence on stdout: with `--quiet` the exit code says it. */
  sentence(text: string): void {
    const { stdout, style, plain, quiet } = this.#options;
    if (quiet) return;
    const mark = stdout.isTTY && !plain ? `${style.green("✓")} ` : "";
    this.#out(`${wrapWords(`${mark}${printable(text)}`, this.columns)}\n`);
  }

  /** One line of plain text on stdout. */
  line(text: string): void {
    this.#out(`${printable(text)}\n`);
  }

  /**
   * As {@link line}, for words and not for what is copied: broken between them at a terminal. What follows a label stays
   * in its own column.
   */
  words(text: string): void {
    const plain = printable(text);
    const [label = ""] = /^\S[^:]*: {2,}/.exec(plain) ?? [];
    const blank = " ".repeat(label.length);
    const wrapped = wrapWords(blank + plain.slice(label.length), this.columns);
    this.#out(`${label}${wrapped.slice(label.length)}\n`);
  }

  /** A text of several lines that is comanda's own, on stdout as it is. */
  text(text: string): void {
    this.#out(text);
  }

  /** A file's content, on stdout as it is. */
  bytes(content: Uint8Array): void {
    this.#options.stdout.write(content);
  }

  /** Like {@link text}, but shown by the pager where it is longer than the terminal. */
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
    for (const part of this.#partsOf(value)) this.#out(this.#json(part, this.#indent));
  }

  /** What {@link value} writes, for a command that has a file of its own. */
  async valueText(value: unknown): Promise<string> {
    let text = "";
    for (const part of this.#partsOf(value)) text += await this.#json(part, this.#indent);
    return text;
  }

  /** One JSON value of many: always one line. */
  jsonLine(value: unknown): void {
    this.#out(this.#json(value));
  }

  /** A JSON text exactly as the service sent it: no number loses a digit. */
  jsonText(json: string): void {
    const { jq, fields } = this.#options;
    this.#out(jq || fields ? this.#json(parseJson(json)) : `${safeJsonText(json.trim())}\n`);
  }

  /**
   * Ends when all is written, which an expression of `--jq` may keep waiting.
   *
   * @returns why what was asked for could not be made of a result: what was done stands, and the exit code tells
   */
  async finish(): Promise<ComandaError | undefined> {
    const { jq, workbook } = this.#options;
    const content = await workbook?.bytes();
    if (content) this.bytes(content);
    if (jq) {
      await this.#written;
      await jq.end();
    }
    return this.#fault;
  }

  get #indent(): number | undefined {
    const { stdout, lines } = this.#options;
    return stdout.isTTY && !lines ? 2 : undefined;
  }

  #partsOf(value: unknown): readonly unknown[] {
    return this.#options.lines && Array.isArray(value) ? value : [value];
  }

  #json(value: unknown, indent?: number): string | Promise<string> {
    const { jq } = this.#options;
    const fields = this.#fields();
    const selected = fields ? selectMembers(value, fields) : value;
    return jq ? this.#filtered(jq, selected, indent) : `${safeJson(selected, indent)}\n`;
  }

  async #filtered(jq: Jq, value: unknown, indent: number | undefined): Promise<string> {
    const { text, fault } = await jq.run({ json: JSON.stringify(value), indent });
    this.#fault ??= fault;
    return text;
  }

  #fields(): Fields | undefined {
    const { fields } = this.#options;
    return (
      fields && {
        names: fields,
        nothing: () => {
          this.#fault ??= new ComandaError(
            "invalid_input",
            t`The result has none of the fields that --fields names.`,
            {
              hint: t`What was done by then stands.`,
            },
          );
        },
        missing: (name, names) =>
          this.warnOnce(t`--fields: there is no "${name}". There are: ${names.join(", ")}.`),
      }
    );
  }

  async records<Row>(columns: readonly Column<Row>[], rows: readonly Row[], csv?: CsvOptions): Promise<void> {
    const { format } = this.#options;
    if (format === "json") {
      this.value(rows);
      return;
    }
    await this.page(await renderRecords(format, columns, rows, { ...csv, view: this.view }));
  }

  /**
   * Keeps back what is said on stderr, each text once, while the whole terminal shows something else.
   *
   * @returns says it
   */
  holdBack(): () => void {
    const held = new Set<string>();
    this.#held = held;
    return () => {
      if (this.#held !== held) return;
      this.#held = undefined;
      for (const text of held) this.#err(text);
    };
  }

  /** For the person who waits, on stderr. */
  notice(text: string): void {
    if (!this.#options.quiet) this.#say(printable(text));
  }

  /** What stands over a result, for whoever looks on. Where stderr is no terminal nobody does, and cron mails it. */
  heading(text: string): void {
    if (this.isLookedOn) this.notice(text);
  }

  /** Is stderr a terminal? */
  get isLookedOn(): boolean {
    return this.#options.stderr.isTTY === true;
  }

  /** What a person has to have even with `--quiet`, alone on a line of stderr, such as an address to open. */
  address(url: string): void {
    this.#err(`${printable(url)}\n`);
  }

  warn(text: string): void {
    const { errorStyle } = this.#options;
    this.#say(`${errorStyle.yellow(t`warning:`)} ${printable(text)}`);
  }

  /** A warning that a run gives once, however often its cause is met. */
  warnOnce(text: string): void {
    if (this.#warned.has(text)) return;
    this.#warned.add(text);
    this.warn(text);
  }

  error(error: ComandaError): void {
    const { errorStyle, platform } = this.#options;
    this.#err(
      this.json
        ? renderErrorJson(error)
        : withSystemQuotes(renderError(error, errorStyle, this.#errorColumns), platform),
    );
  }

  /** Columns of the terminal that stderr is; `undefined` where it is none. */
  get #errorColumns(): number | undefined {
    return this.isLookedOn ? (this.#options.stderr.columns ?? 80) : undefined;
  }

  /** A sentence on stderr, broken between words. */
  #say(text: string): void {
    this.#err(`${wrapWords(text, this.#errorColumns)}\n`);
  }

  #out(text: string | Promise<string>): void {
    if (typeof text === "string" && !this.#options.jq) this.#write(text);
    else this.#written = Promise.all([text, this.#written]).then(([ready]) => this.#write(ready));
  }

  #write(text: string): void {
    const { stdout, stderr, workbook } = this.#options;
    if (workbook) {
      stderr.write(text);
      return;
    }
    // Elsewhere it doesn't come to stand beside the status.
    if (stdout.isTTY === true) this.status.hide();
    stdout.write(text);
  }

  #err(text: string): void {
    if (this.#held) {
      this.#held.add(text);
      return;
    }
    this.status.hide();
    this.#options.stderr.write(text);
  }
}
