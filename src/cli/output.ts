/** Writes everything that comanda prints, escaped for a terminal: data to stdout, the rest to stderr. */
import type * as z from "zod";

import type { ComandaError } from "../base/errors.js";
import { contradiction } from "../base/fields.js";
import type { HttpRequest } from "../client/transport.js";
import type * as results from "../core/results.js";
import { t } from "../languages/language.js";

import { type Column, type Format, renderRecords, type View } from "./records.js";
import { createStyle, printable, safeJson, safeJsonText, wrapWords } from "./text.js";

/** The part of stdout and stderr that comanda needs. */
export interface OutputStream {
  write(text: string | Uint8Array): unknown;
  readonly isTTY?: boolean | undefined;
  /** Width in characters; `undefined` if it isn't a terminal. */
  readonly columns?: number | undefined;
}

export type Output = Awaited<ReturnType<typeof createOutput>>;

interface Streams {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export async function createOutput(
  { stdout, stderr, env }: Streams,
  { format, quiet, color }: { readonly format: Format; readonly quiet?: boolean; readonly color: boolean },
) {
  const { columns } = stdout;
  const json = format === "json";
  const view: View = { width: columns, style: await createStyle(stdout, env, color) };
  const errorStyle = await createStyle(stderr, env, color);
  const status = createStatusLine(stderr, !quiet && stderr.isTTY === true);
  const warnings = new Set<string>();

  /** Writes lines without escaping them, so they must be comanda's own. */
  function text(lines: string): void {
    // If stdout is a terminal, it shares the screen with the status line.
    if (columns !== undefined) status.hide();
    stdout.write(lines);
  }

  /** Writes a line that a terminal may break between words, so it must not contain text to copy. */
  function words(sentence: string): void {
    text(`${wrapWords(printable(sentence), columns)}\n`);
  }

  /** Writes a line on stderr, even with `--quiet`. */
  function tell(line: string): void {
    status.hide();
    stderr.write(`${wrapWords(line, stderr.columns)}\n`);
  }

  const value = (document: unknown) => text(`${safeJson(document)}\n`);
  /** Writes on stdout what was done, except with `--quiet`. */
  const sentence = (line: string) => (quiet ? undefined : words(line));
  /** Writes a sentence on stderr, except with `--quiet`. */
  const notice = (line: string) => (quiet ? undefined : tell(printable(line)));

  return {
    format,
    json,
    columns,
    view,
    status,
    text,
    words,
    value,
    sentence,
    notice,
    line: (line: string) => text(`${printable(line)}\n`),
    address: (url: string) => tell(printable(url)),
    /** Writes what was done: in JSON the document, and otherwise the sentence. */
    done: (document: object, line: string) => (json ? value(document) : sentence(line)),
    /** Writes an object in one line, with one more field as the service sent it, so that no number loses a digit. */
    valueWith(document: object, name: string, sent: string): void {
      // A JSON text has line ends only between tokens.
      const field = `${JSON.stringify(name)}:${safeJsonText(sent.trim().replaceAll(/\s*[\r\n]\s*/g, " "))}`;
      text(`${safeJson(document).slice(0, -1)},${field}}\n`);
    },
    async records<Row>(shown: readonly Column<Row>[], rows: readonly Row[]): Promise<void> {
      text(await renderRecords(format, shown, rows, { view }));
    },
    /** Writes requests for `--dry-run`, with their secrets masked. */
    requests(requests: readonly HttpRequest[]): void {
      if (format === "csv" || format === "markdown") throw contradiction("--dry-run", `--format ${format}`);
      for (const { method, url, headers, body } of requests) {
        const shown = typeof body === "string" ? body : null;
        const fields = Object.entries(headers).map(([name, content]) => `${name}: ${content}`);
        const lines = [`${method} ${url}`, ...fields, ...(shown === null ? [] : [shown])];
        if (json) value({ method, url, headers, body: shown });
        else text(`${lines.map((line) => printable(line)).join("\n")}\n\n`);
      }
      notice(t`Nothing was sent (--dry-run).`);
    },
    /** Writes a warning once per run. */
    warn(sentence: string): void {
      if (!warnings.has(sentence)) tell(`${errorStyle.yellow(`${t`warning`}:`)} ${printable(sentence)}`);
      warnings.add(sentence);
    },
    /** Writes an error: as JSON, or for people with the service's answer, if it adds something, and the hint. */
    error(error: ComandaError): void {
      const { message, hint, httpStatus, serviceCode, serviceMessage, details } = error;
      if (json) {
        stderr.write(`${safeJson({ error: errorJson(error) })}\n`);
        return;
      }
      tell(`${errorStyle.red(errorStyle.bold(t`error:`))} ${printable(message)}`);
      const serviceText = [serviceMessage, details].filter(Boolean).join(": ");
      const isNew = serviceCode !== null || serviceText !== "" || !message.includes(`HTTP ${httpStatus}`);
      if (httpStatus !== null && isNew) {
        const status = `HTTP ${httpStatus}${serviceCode === null ? "" : `, ${t`code`} ${serviceCode}`}`;
        const answer = serviceText === "" ? status : `${serviceText} (${status})`;
        tell(errorStyle.dim(t`  Service response: ${printable(answer)}`));
      }
      for (const line of hint?.split("\n") ?? []) tell(`  ${printable(line)}`);
    },
  };
}

export function errorJson(error: ComandaError): z.output<typeof results.errorDocument>["error"] {
  const isStopped = error.code === "interrupted" || error.code === "terminated";
  return {
    exit_code: error.exitCode,
    code: error.code,
    // A signal doesn't show whether the work before it was done.
    outcome: isStopped && error.outcome === "failed" ? null : error.outcome,
    service_code: error.serviceCode,
    http_status: error.httpStatus,
    message: error.message,
    details: error.details ?? error.serviceMessage,
    hint: error.hint ?? null,
    evidence: error.evidence,
  };
}

export const eraseLine = "\r\u001b[2K";

/** The parts of the status line, in comanda's own words. `progress` is what is done so far, such as `dispatch 3/20`. */
type Status = Readonly<Partial<Record<"progress" | "note" | "answer" | "wait", string | undefined>>>;

/** Creates the line that shows on stderr what comanda is waiting for. All other texts hide it first. */
function createStatusLine(stream: OutputStream, isShown: boolean) {
  let texts: Status = {};
  let drawn = "";
  /** Hides the line until a part is shown again. */
  function hide(): void {
    if (drawn !== "") stream.write(eraseLine);
    drawn = "";
  }
  return {
    isShown,
    hide,
    /** Changes parts. A wait for which a narrow terminal has no room replaces the progress; a part without a text is removed. */
    show(parts: Status): void {
      texts = { ...texts, ...parts };
      const room = Math.max((stream.columns ?? 80) - 1, 1);
      const { progress, note, answer, wait } = texts;
      const pause = wait ?? answer;
      const line = [progress, pause ?? note].filter(Boolean).join(" ");
      const visible = (pause !== undefined && line.length > room ? pause : line).slice(0, room);
      if (visible === "") hide();
      else if (isShown && visible !== drawn) {
        stream.write(`${eraseLine}${visible}`);
        drawn = visible;
      }
    },
  };
}
