export type { Cell, Column, Tone, View } from "./table.js";
export { formulaSafe, formats, parseCsv, renderRecords, type CsvOptions, type Format } from "./records.js";
export { Output } from "./output.js";
export { colorChoices, plainStyle, createStyle, wantsColors, type ColorChoice, type Style } from "./style.js";
export { printable, printableLines, safeJson, safeJsonText } from "./escape.js";
export { renderError, renderErrorJson } from "./error.js";
export { startProgress, type OutputStream, type Progress } from "./progress.js";
