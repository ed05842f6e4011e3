/** A workbook read by its parts, as ECMA-376 has them: nothing of what wrote it is used. */
import { inflateRawSync } from "node:zlib";

/** A cell: its text or number, and the format that it is shown in. */
export interface SheetCell {
  readonly value: string | number | boolean;
  readonly format: string;
}

/** @returns the rows of each sheet by its name; cells without a value are left out */
export function readWorkbook(file: Buffer): ReadonlyMap<string, readonly (readonly SheetCell[])[]> {
  const parts = unzip(file);
  const part = (name: string) => parts.get(name) ?? "";
  const texts = all(part("xl/sharedStrings.xml"), /<si>.*?<t[^>]*>([^]*?)<\/t>.*?<\/si>/gs).map(([, text]) =>
    plain(text),
  );
  const formats = new Map(
    all(part("xl/styles.xml"), /<numFmt numFmtId="(\d+)" formatCode="([^"]*)"/g).map(([, id, code]) => [
      id,
      plain(code),
    ]),
  );
  const [, styles = ""] = /<cellXfs[^>]*>([^]*?)<\/cellXfs>/.exec(part("xl/styles.xml")) ?? [];
  const styleFormats = all(styles, /<xf ([^>]*)>/g).map(
    ([, xf = ""]) => formats.get(attribute(xf, "numFmtId")) ?? "",
  );
  const cellOf = (attributes: string, content: string): SheetCell[] => {
    const [, value] = /<v>([^]*?)<\/v>/.exec(content) ?? [];
    const [, inline] = /<t[^>]*>([^]*?)<\/t>/.exec(content) ?? [];
    if (content.includes("<f>")) throw new RangeError("a formula");
    if (value === undefined && inline === undefined) return [];
    const type = attribute(attributes, "t") || "n";
    const format = styleFormats[Number(attribute(attributes, "s"))] ?? "";
    if (type === "s") return [{ value: texts[Number(value)] ?? "", format }];
    if (type === "b") return [{ value: value === "1", format }];
    return [{ value: type === "n" ? Number(value) : plain(inline ?? value), format }];
  };
  const sheets = all(part("xl/workbook.xml"), /<sheet ([^>]*)>/g);
  return new Map(
    sheets.map(([, sheet = ""]) => [
      plain(attribute(sheet, "name")),
      all(part(`xl/worksheets/sheet${attribute(sheet, "sheetId")}.xml`), /<row[^>]*>([^]*?)<\/row>/g).map(
        ([, row = ""]) =>
          all(row, /<c ([^>]*?)(?:\/>|>([^]*?)<\/c>)/g).flatMap(([, attributes = "", content = ""]) =>
            cellOf(attributes, content),
          ),
      ),
    ]),
  );
}

function attribute(attributes: string, name: string): string {
  return new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? "";
}

function all(text: string, pattern: RegExp): readonly RegExpExecArray[] {
  return [...text.matchAll(pattern)];
}

function plain(text = ""): string {
  const named: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };
  return text.replaceAll(/&(?:#x?([\da-f]+)|(\w+));/gi, (whole, _, name: string) => named[name] ?? whole);
}

/** The members of a ZIP file, by its central directory. */
function unzip(file: Buffer): ReadonlyMap<string, string> {
  const members = new Map<string, string>();
  const end = file.lastIndexOf("PK\u0005\u0006");
  let at = file.readUInt32LE(end + 16);
  if (at + file.readUInt32LE(end + 12) !== end) throw new RangeError("not one file from its beginning on");
  while (file.readUInt32LE(at) === 0x02014b50) {
    const [method, size] = [file.readUInt16LE(at + 10), file.readUInt32LE(at + 20)];
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => file.readUInt16LE(at + offset));
    const local = file.readUInt32LE(at + 42);
    const name = file.toString("utf8", at + 46, at + 46 + (nameLength ?? 0));
    const start = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28);
    const content = file.subarray(start, start + size);
    members.set(name, (method === 0 ? content : inflateRawSync(content)).toString("utf8"));
    at += 46 + (nameLength ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return members;
}
