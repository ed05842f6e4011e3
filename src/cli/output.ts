/** Writes all of comanda's texts, safe for a terminal: data to stdout, everything else to stderr. Nothing else may write there. */
import type { ComandaError } from "../base/errors.js";
import type { HttpRequest } from "../client/transport.js";
import { t } from "../languages/language.js";

import { type Column, type Format, renderRecords, type View } from "./records.js";
import { createStyle, printable, safeJson, safeJsonText, wrapWords } from "./text.js";

/** The part of stdout and stderr that comanda needs. */
export interface OutputStream {
  write(text: string | Uint8Array): unknown;
  readonly isTTY?: boolean | undefined;
  /** Width in characters; absent where it isn't a terminal. */
  readonly columns?: number | undefined;
}

export type Output = Awaited<ReturnType<typeof createOutput>>;

/** Draws for people what JSON has. */
export type Draw = (people: Output) => Promise<void>;

interface Streams {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Takes what draws the same results for people: `comanda mcp` returns both. */
  readonly alsoDraw?: ((draw: Draw) => unknown) | undefined;
}

export async function createOutput(
  streams: Streams,
  { format, quiet, color }: { readonly format: Format; readonly quiet?: boolean; readonly color: boolean },
) {
  const { stdout, stderr, env } = streams;
  const { columns } = stdout;
  const json = format === "json";
  // One of the two may be a terminal and the other a file.
  const view: View = { width: columns, style: await createStyle(stdout, env, color) };
  const errorStyle = await createStyle(stderr, env, color);
  const status = createStatusLine(stderr, !quiet && stderr.isTTY === true);
  const warnings = new Set<string>();

  /** Writes a text of several lines as it is: it must be comanda's own. */
  function text(lines: string): void {
    // Only a terminal shows stdout beside the status line.
    if (columns !== undefined) status.hide();
    stdout.write(lines);
  }

  /** Writes a line that a terminal may break between words, so it must not hold text to copy. */
  function words(sentence: string): void {
    text(`${wrapWords(printable(sentence), columns)}\n`);
  }

  function tell(line: string): void {
    status.hide();
    stderr.write(`${wrapWords(line, stderr.columns)}\n`);
  }

  return {
    format,
    json,
    alsoDraw: streams.alsoDraw,
    /** Columns of the terminal that stdout is; `undefined` where it is none. */
    columns,
    view,
    /** Shows on stderr what goes on while a person waits. */
    status,
    text,
    words,
    /** Tells on stdout what was done; with `--quiet` the exit code tells it. */
    sentence(sentence: string): void {
      if (!quiet) words(sentence);
    },
    line: (line: string) => text(`${printable(line)}\n`),
    /** Writes one JSON value on a line of its own. */
    value: (value: unknown) => text(`${safeJson(value)}\n`),
    /** Writes a JSON text exactly as the service sent it, so that no number loses a digit. */
    jsonText: (sent: string) => text(`${safeJsonText(sent.trim())}\n`),
    async records<Row>(shown: readonly Column<Row>[], rows: readonly Row[]): Promise<void> {
      text(await renderRecords(format, shown, rows, { view }));
      if (json) streams.alsoDraw?.((people) => people.records(shown, rows));
    },
    /** Shows for `--dry-run` the requests as they would be sent, with secrets masked. */
    requests(requests: readonly HttpRequest[]): void {
      for (const { method, url, headers, body: sent } of requests) {
        const body = typeof sent === "string" ? sent : undefined;
        const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
        const lines = [`${method} ${url}`, ...fields, ...(body === undefined ? [] : [body])];
        if (json) text(`${safeJson({ method, url, headers, body: body ?? null })}\n`);
        else text(`${lines.map((line) => printable(line)).join("\n")}\n\n`);
      }
      if (!quiet) tell(t`Nothing was sent (--dry-run).`);
    },
    /** Writes a sentence on stderr for the person who waits. */
    notice(sentence: string): void {
      if (!quiet) tell(printable(sentence));
    },
    /** Writes an address to open, alone on a line of stderr: a person needs it even with `--quiet`. */
    address: (url: string) => tell(printable(url)),
    /** Warns once in a run, however often the cause occurs. */
    warn(sentence: string): void {
      if (!warnings.has(sentence)) tell(`${errorStyle.yellow(t`warning:`)} ${printable(sentence)}`);
      warnings.add(sentence);
    },
    /** Tells people what happened, the service's answer where it adds something, and what to do next; programs read one line. */
    error(error: ComandaError): void {
      const { message, hint, httpStatus, serviceCode, serviceMessage, details } = error;
      if (json) {
        stderr.write(`${safeJson({ error: errorJson(error) })}\n`);
        return;
      }
      tell(`${errorStyle.red(errorStyle.bold(t`error:`))} ${printable(message)}`);
      const said = [serviceMessage, details].filter(Boolean).join(": ");
      const isNew = serviceCode !== null || said !== "" || !message.includes(`HTTP ${httpStatus}`);
      if (httpStatus !== null && isNew) {
        const number = serviceCode === null ? "" : t`, code ${serviceCode}`;
        const answer = `${said || t`no message`} (HTTP ${httpStatus}${number})`;
        tell(errorStyle.dim(t`  The service answered: ${printable(answer)}`));
      }
      for (const line of hint?.split("\n") ?? []) tell(`  ${printable(line)}`);
    },
  };
}

/** Programs get comanda's own stable name, and the service's number if it gave one. */
export function errorJson(error: ComandaError) {
  return {
    exit_code: error.exitCode,
    code: error.code,
    service_code: error.serviceCode,
    http_status: error.httpStatus,
    message: error.message,
    details: error.details ?? error.serviceMessage,
    hint: error.hint ?? null,
    evidence: error.evidence,
  };
}

const eraseLine = "\r\u001b[2K";

export type StatusLine = ReturnType<typeof createStatusLine>;

/** Every other text hides the status line first, so that it starts on a clean line. */
function createStatusLine(stream: OutputStream, isShown: boolean) {
  const texts: Partial<Record<"bar" | "note" | "answer" | "wait", string | undefined>> = {};
  let drawn = "";
  /** Hides the line until a part is shown again. */
  function hide(): void {
    if (drawn !== "") stream.write(eraseLine);
    drawn = "";
  }
  return {
    isShown,
    columns: stream.columns ?? 80,
    hide,
    /**
     * Shows the bar, and behind it why calls wait, which answer is awaited, or a note. `text` must be comanda's own; without it,
     * the part is removed.
     */
    show(part: keyof typeof texts, text: string | undefined): void {
      texts[part] = text;
      const room = Math.max((stream.columns ?? 80) - 1, 1);
      const { bar, note, answer, wait } = texts;
      const visible = [bar, wait ?? answer ?? note].filter(Boolean).join(" ").slice(0, room);
      if (visible === "") hide();
      else if (isShown && visible !== drawn) {
        stream.write(`${eraseLine}${visible}`);
        drawn = visible;
      }
    },
  };
}

const redrawMs = 100;
/** A narrower terminal has no room for a bar beside the text behind it. */
const leastColumns = 60;

export type Progress = ReturnType<typeof startProgress>;

/** Draws at most ten times a second. */
export function startProgress(
  line: StatusLine,
  { total, label, now }: { total: number; label: string; now: () => number },
) {
  let drawnAt = Number.NEGATIVE_INFINITY;
  const barWidth = line.columns < leastColumns ? 0 : 30;
  /** @param note must be comanda's own text */
  function update(done: number, note = ""): void {
    if (now() - drawnAt < redrawMs && done < total) return;
    drawnAt = now();
    const filled = total === 0 ? barWidth : Math.floor((Math.min(done, total) / total) * barWidth);
    const bar = "█".repeat(filled).padEnd(barWidth, "░");
    line.show("note", note);
    line.show("bar", [label, bar, `${done}/${total}`].filter(Boolean).join(" "));
  }
  // The first calls may have to wait.
  update(0);
  return {
    update,
    /** Removes the bar, so that the next text starts on a clean line. */
    end() {
      line.show("note", undefined);
      line.show("bar", undefined);
    },
  };
}
