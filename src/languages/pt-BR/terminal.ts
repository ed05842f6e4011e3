/** What stands around every text. */
import type { Catalogue } from "../../shared/language.js";

export const terminal: Catalogue = {
  "Left out for want of room: {0}. --format csv has all.":
    "Fora por falta de espaço: {0}. --format csv mostra tudo.",
  "  The service said: {0}": "  O serviço disse: {0}",
  "error:": "erro:",
  "nothing more": "nada mais",
  ", code {0}": ", código {0}",
  "warning:": "aviso:",
  "(y/N)": "(s/N)",
  "↑↓ moves, typing filters, Enter chooses": "↑↓ move, digitar filtra, Enter escolhe",
  "None of them is called so.": "Nenhum tem esse nome.",
  '--fields: there is no "{0}". There are: {1}.': '--fields: não existe "{0}". Existem: {1}.',
  '"{0}" is none of them.': '"{0}" não é nenhuma das opções.',
  "The result has none of the fields that --fields names.":
    "O resultado não tem nenhum dos campos de --fields.",
  "What was done by then stands.": "O que já foi feito continua valendo.",
  "A sheet has at most {0} rows.": "Uma planilha tem no máximo {0} linhas.",
  "Ask for less, or give --format csv.": "Peça menos, ou use --format csv.",
};
