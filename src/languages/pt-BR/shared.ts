/** Suggestions, and why a file can't be written. */
import type { Catalogue } from "../language.js";

export const shared: Catalogue = {
  "no space is left there": "não há espaço ali",
  "there is no such file or folder": "esse arquivo ou pasta não existe",
  "it is a folder": "é uma pasta",
  "nobody reads what is written there": "ninguém lê o que é gravado ali",
  "this user is not allowed to": "este usuário não tem permissão",
  "what lies there can only be read": "ali só se pode ler",
  "no reason given": "sem motivo informado",
  ' Did you mean "{0}"?': ' Você quis dizer "{0}"?',
};
