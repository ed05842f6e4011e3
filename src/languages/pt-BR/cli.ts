/** The command line itself. */
import type { Catalogue } from "../language.js";

export const cli: Catalogue = {
  "More: comanda help {0}, comanda help options": "Mais: comanda help {0}, comanda help options",
  'There is no command "{0}".': 'Não existe o comando "{0}".',
  "{0}{1} --help lists the commands.": "{0}{1} --help lista os comandos.",
  "Did you mean {0}? ": "Você quis dizer {0}? ",
  "{0} is an option of: {1}": "{0} é uma opção de: {1}",
  "Did you mean one of {0}?": "Você quis dizer um destes: {0}?",
  "The output can't be written ({0}).": "Não é possível gravar a saída ({0}).",
  "Check where it goes: the disk may be full. What was sent to the service by then has been done.":
    "Veja para onde ela vai: o disco pode estar cheio. O que já foi enviado ao serviço foi feito.",
  "No store is signed in yet. Begin with: comanda demo":
    "Nenhuma loja conectada ainda. Comece com: comanda demo",
  "Stores on this machine: {0}. Are they ready? comanda status":
    "Lojas desta máquina: {0}. Estão prontas? comanda status",
  "{0} (API key only)": "{0} (só chave de API)",
  'COMANDA_LANG can\'t be "{0}", so it is not heard. It takes {1}.':
    'COMANDA_LANG não pode ser "{0}", por isso não vale. Aceita {1}.',
  "The reader of the output has gone.": "Quem lia a saída já saiu.",
  "comanda has a fault: {0}.": "O comanda tem um defeito: {0}.",
  "Run the same command with --debug to see where, and report it.":
    "Execute o mesmo comando com --debug para ver onde, e avise os desenvolvedores.",
  "A subcommand is missing.": "Falta um subcomando.",
  "The help above lists them.": "A ajuda acima mostra quais existem.",
  "Add --help to see what the command takes.": "Use --help para ver o que o comando aceita.",
  "There is no option {0}{1}.": "Não existe a opção {0}{1}.",
  " that takes a value": " com valor",
  "The argument <{0}> is missing.": "Falta o argumento <{0}>.",
  "The value of {0} is missing.": "Falta o valor de {0}.",
  "Write {0} {1}.": "Escreva {0} {1}.",
  "The option {0} is missing.": "Falta a opção {0}.",
  '{0} can\'t be "{1}".{2}': '{0} não pode ser "{1}".{2}',
  "It takes {0}.": "Aceita {0}.",
  "something was thrown that is no error": "foi lançado algo que não é um erro",
  "--all-stores and --store contradict each other.": "--all-stores e --store se contradizem.",
  '"{0}" doesn\'t take {1}.': '"{0}" não aceita {1}.',
  "See: {0} --help": "Veja: {0} --help",
  "Waiting for what must not be cut short, such as the answer to a renewal of the sign-in.":
    "Esperando o que não pode ser cortado, como a resposta a uma renovação do acesso.",
  "Interrupted.": "Interrompido.",
  "Terminated.": "Encerrado.",
  '"{0}" takes no arguments, and 1 was given.': '"{0}" não aceita argumentos, e veio 1.',
  '"{0}" takes no arguments, and {1} were given.': '"{0}" não aceita argumentos, e vieram {1}.',
  '"{0}" takes 1 argument, and {1} were given.': '"{0}" aceita 1 argumento, e vieram {1}.',
  '"{0}" takes {1} arguments, and {2} were given.': '"{0}" aceita {1} argumentos, e vieram {2}.',
  "--json and --format {0} contradict each other.": "--json e --format {0} se contradizem.",
  Name: "Nome",
};
