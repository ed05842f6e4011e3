/** What people type for a command in Portuguese, or without its group; commands themselves have one name each. */
import { plainWords } from "../../shared/plain-words.js";

/** Without accents, in the singular. Said as a suggestion; nothing runs by another name. */
const commandsByWord: Readonly<Record<string, string>> = {
  pedido: "orders",
  dispatch: "orders dispatch",
  despachar: "orders dispatch",
  despacho: "orders dispatch",
  deliver: "orders deliver",
  entregar: "orders deliver",
  entregue: "orders deliver",
  finalize: "orders finalize",
  finish: "orders finalize",
  finalizar: "orders finalize",
  concluir: "orders finalize",
  cancel: "orders cancel",
  cancelar: "orders cancel",
  assign: "driver assign",
  atribuir: "driver assign",
  entregador: "driver assign",
  motoboy: "driver assign",
  venda: "summary",
  sale: "summary",
  faturamento: "summary",
  resumo: "summary",
  relatorio: "report",
  loja: "stores",
  entrar: "login",
  conectar: "login",
  signin: "login",
  sair: "logout",
  signout: "logout",
  revogar: "revoke",
  situacao: "status",
  ajuda: "help",
  historico: "history",
  journal: "history",
  ambiente: "env",
  configuracao: "config",
  setting: "config",
  limite: "quota",
  versao: "version",
  sincronizar: "sync",
  agendar: "schedule print",
  emulador: "emulator start",
};

/** The options that every command has, by words that mean them. Each command knows its own. */
const optionsByWord: Readonly<Record<string, string>> = {
  loja: "--store",
  formato: "--format",
  saida: "--output",
  idioma: "--lang",
  ajuda: "--help",
};

/** The option that a Portuguese one stands for: `--store` of `--loja`. */
export function meantOption(flag: string): string | undefined {
  const word = plainWords(flag.replace(/^--/, ""));
  return Object.hasOwn(optionsByWord, word) ? optionsByWord[word] : undefined;
}

/**
 * The command that a word most likely stands for, from where it was typed: `dispatch` of `despachar`, typed after
 * `orders`.
 *
 * @param group the names that stand before it
 */
export function meantCommand(group: readonly string[], word: string): string | undefined {
  const plain = plainWords(word);
  const meant = [plain, plain.replace(/s$/, ""), plain.replace(/oes$/, "ao"), plain.replace(/es$/, "")]
    .filter((form) => Object.hasOwn(commandsByWord, form))
    .map((form) => commandsByWord[form])[0];
  if (meant === undefined || group.length === 0) return meant;
  const before = `${group.join(" ")} `;
  return meant.startsWith(before) ? meant.slice(before.length) : undefined;
}
