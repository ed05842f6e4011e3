/** The topics of `comanda help`: what is true of many commands, told once, in English in every language. */
import chain from "./topics/chain.md";
import cron from "./topics/cron.md";
import environment from "./topics/environment.md";
import exitCodes from "./topics/exit-codes.md";
import figures from "./topics/figures.md";
import files from "./topics/files.md";
import filters from "./topics/filters.md";
import journal from "./topics/journal.md";
import json from "./topics/json.md";
import library from "./topics/library.md";
import output from "./topics/output.md";
import periods from "./topics/periods.md";
import salesDb from "./topics/sales-db.md";
import signIn from "./topics/sign-in.md";
import testing from "./topics/testing.md";

const texts = {
  periods,
  filters,
  figures,
  output,
  "sign-in": signIn,
  cron,
  chain,
  journal,
  testing,
  library,
  "exit-codes": exitCodes,
  environment,
  json,
  "sales-db": salesDb,
  files,
};

/** As a terminal shows them: without the marks of Markdown, which are the heading's and those around what is laid out. */
export const helpTopics = Object.entries(texts).map(([name, markdown]) => ({
  name,
  text: markdown.replace(/^# /, "").replaceAll(/^```.*\n/gm, ""),
}));
