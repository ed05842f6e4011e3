export type { Cell, Column, View } from "./column.js";
export { formulaSafe, formats, parseCsv, renderRecords, type CsvOptions, type Format } from "./records.js";
export { Output } from "./output.js";
export {
  createStyle,
  paint,
  plainStyle,
  wantsColors,
  type ColorChoice,
  type Style,
  type Tone,
} from "./style.js";
export { printable, printableLines, safeJson, safeJsonText } from "./escape.js";
export { codesOf, renderError, renderErrorJson } from "./error.js";
export { startProgress, type OutputStream, type Progress } from "./progress.js";
