export type { Cell, Column } from "./table.js";
export { formulaSafe, formats, renderRecords, type CsvOptions, type Format } from "./records.js";
export { Output, type OutputStream } from "./output.js";
export { plainStyle, createStyle, wantsColors, type Style } from "./style.js";
export { printable, printableLines, safeJson, safeJsonText } from "./escape.js";
export { renderError, renderErrorJson } from "./error.js";
export { startProgress, type Progress } from "./progress.js";
