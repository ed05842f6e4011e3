/** `comanda help sales-db` describes the views of schema.sql by its own comments. */
import { schemaText } from "../../state/schema.js";
import { wrapWords } from "../../terminal/wrap.js";

interface SalesView {
  readonly name: string;
  readonly description: string;
  readonly columns: readonly { readonly name: string; readonly description: string }[];
}

/**
 * A view is a comment, then `create view … as`, and its columns until `from`: each on lines that end with a comment, or
 * by their names alone, which its `_history` describes.
 */
const viewTexts = [...schemaText.matchAll(/^-- (.+)\ncreate view (\w+) as\nselect\s([^]*?)\nfrom /gm)].map(
  ([, description = "", name = "", columns = ""]) => ({ name, description, columns }),
);

const salesViews: readonly SalesView[] = viewTexts.map(({ columns, ...view }) => {
  const described = describedColumns(columns);
  if (described.length > 0) return { ...view, columns: described };
  const history = viewTexts.find(({ name }) => name === `${view.name}_history`)?.columns ?? "";
  const names = columns.trim().split(/,\s+/);
  return { ...view, columns: describedColumns(history).filter(({ name }) => names.includes(name)) };
});

function describedColumns(text: string): SalesView["columns"] {
  const lines = [...text.matchAll(/^.*?(\w+),? +-- (.+)$/gm)];
  return lines.map(([, name = "", description = ""]) => ({ name, description }));
}

const title = "Sales in SQL";

const words = {
  file: "sales.db (comanda help files says where it lies) is a database of SQLite's, which other programs read. Amounts are in the store's currency: add up the cents.",
  others:
    "The folder and the file are yours alone. Whom you let into the folder may read the file after chmod 644 sales.db; no comanda refuses that, nor takes it back. Who can't write there opens it as file:sales.db?immutable=1.",
  also: "As the view without _history, for every answer; beside its columns:",
} as const;

const width = 80;
const indent = 24;

export function salesHelp(): string {
  const views = salesViews.map(({ name, description: about, columns }) => {
    const base = salesViews.find((view) => name === `${view.name}_history`);
    const ownColumns = columns.filter(
      (column) => !base?.columns.some((inherited) => inherited.name === column.name),
    );
    return [
      `${name}:`,
      wrap(about, 2),
      ...(base ? [wrap(words.also, 2)] : []),
      ...ownColumns.map(
        (column) => `  ${column.name.padEnd(indent - 3)} ${wrap(column.description, indent).trimStart()}`,
      ),
    ].join("\n");
  });
  return `${[title, wrap(words.file, 0), ...views, wrap(words.others, 0)].join("\n\n")}\n`;
}

/** Wraps a text into lines that all begin at the same column. */
function wrap(text: string, indentation: number): string {
  return wrapWords(" ".repeat(indentation) + text, width);
}
