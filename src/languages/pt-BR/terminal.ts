/** What stands around every text. */
import type { Catalogue } from "../language.js";

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
  '"{0}" is none of them.': '"{0}" não é nenhuma das opções.',
};
