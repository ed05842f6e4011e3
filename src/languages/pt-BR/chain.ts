/** src/state, where it lies in PostgreSQL. */
import type { Catalogue } from "../../shared/language.js";

export const chain: Catalogue = {
  "the setting state": "a configuração state",
  "where state lies: files of this machine, or a chain's PostgreSQL":
    "onde ficam os dados: arquivos desta máquina ou o PostgreSQL de uma rede",
  "sqlite:, or postgres://user@host/database": "sqlite: ou postgres://usuário@host/banco",
  "{0} names no place that comanda can keep its state in.":
    "{0} não diz um lugar onde o comanda possa guardar os dados.",
  "It takes postgres://user@host/database for a chain, or sqlite: for files of this machine.":
    "Aceita postgres://usuário@host/banco para uma rede ou sqlite: para arquivos desta máquina.",
  "A password is not kept in the settings.": "Uma senha não fica nas configurações.",
  "Leave it out, and set PGPASSWORD, write it into ~/.pgpass, or put the whole address into COMANDA_STATE.":
    "Tire a senha e defina PGPASSWORD, grave-a em ~/.pgpass ou ponha o endereço inteiro em COMANDA_STATE.",
  "{0} {1}.": "{0} {1}.",
  "is not an address of PostgreSQL": "não é um endereço do PostgreSQL",
  "names no database": "não diz o banco de dados",
  "names no host": "não diz o host",
  'has a "host" that is not the folder of a socket': 'tem um "host" que não é a pasta de um socket',
  'has an "sslmode" that PostgreSQL doesn\'t know': 'tem um "sslmode" que o PostgreSQL não conhece',
  "{0} asks for sslmode={1}, by which others could read the sign-ins on their way.":
    "{0} pede sslmode={1}, e com isso outros poderiam ler os acessos no caminho.",
  "Leave sslmode out. An authority of your own is named by NODE_EXTRA_CA_CERTS.":
    "Tire o sslmode. Uma autoridade própria é indicada por NODE_EXTRA_CA_CERTS.",
  "has an option that comanda doesn't take": "tem uma opção que o comanda não aceita",
  'For example: postgres://comanda_run:password@db.example:5432/comanda. In the password, "@", "/", "?", "#" and "%" are written as %40, %2F, %3F, %23 and %25. Of options it takes {0}.':
    'Por exemplo: postgres://comanda_run:senha@db.example:5432/comanda. Na senha, "@", "/", "?", "#" e "%" se escrevem %40, %2F, %3F, %23 e %25. De opções, aceita {0}.',
  "Another process is writing to {0} for too long.": "Outro processo está gravando em {0} há tempo demais.",
  "Check the user and the password in {0}, and what pg_hba.conf lets in.":
    "Confira o usuário e a senha em {0} e o que o pg_hba.conf deixa entrar.",
  "Make the database, or name the one that is there in {0}.": "Crie o banco ou indique em {0} o que existe.",
  "`comanda help chain` names the roles and what each may do.":
    "O `comanda help chain` diz os papéis e o que cada um pode fazer.",
  "The server's certificate is verified unless the address is of this machine. NODE_EXTRA_CA_CERTS names an authority of your own.":
    "O certificado do servidor é verificado, a não ser que o endereço seja desta máquina. NODE_EXTRA_CA_CERTS indica uma autoridade própria.",
  "Check the address in {0}, and whether the server runs and lets you in.":
    "Confira o endereço em {0} e se o servidor está no ar e aceita você.",
  "{0} is PostgreSQL {1}, which is too old.": "{0} é o PostgreSQL {1}, antigo demais.",
  "comanda needs PostgreSQL {0} or newer.": "O comanda precisa do PostgreSQL {0} ou mais novo.",
  "This role may not use the schema {0} in {1}.": "Este papel não pode usar o esquema {0} em {1}.",
  "comanda's tables are not in {0} yet, and this role may not make them.":
    "As tabelas do comanda ainda não estão em {0}, e este papel não pode criá-las.",
  "comanda's tables in {0} are an older comanda's, and this role may not change them.":
    "As tabelas do comanda em {0} são de um comanda mais antigo, e este papel não pode mudá-las.",
  "Once, with COMANDA_STATE naming the role that may: comanda state status":
    "Uma vez, com COMANDA_STATE indicando o papel que pode: comanda state status",
  "The sign-in of {0} is encrypted, and there is no key here.":
    "O acesso de {0} está cifrado, e aqui não há chave.",
  "Set COMANDA_STATE_KEY, or COMANDA_STATE_KEY_FILE, as on the other machines.":
    "Defina COMANDA_STATE_KEY ou COMANDA_STATE_KEY_FILE, como nas outras máquinas.",
  "The sign-in of {0} was changed by another machine meanwhile.":
    "O acesso de {0} foi mudado por outra máquina nesse meio-tempo.",
  "{0} holds no key: {1} bytes in base64.": "{0} não contém uma chave: {1} bytes em base64.",
  "Make one: comanda state key": "Crie uma: comanda state key",
  "There is no key, and nothing secret is stored in PostgreSQL without one.":
    "Não há chave, e sem ela nada secreto é guardado no PostgreSQL.",
  "Make a key once for all machines: comanda state key. Then set COMANDA_STATE_KEY, or COMANDA_STATE_KEY_FILE.":
    "Crie uma chave para todas as máquinas: comanda state key. Depois defina COMANDA_STATE_KEY ou COMANDA_STATE_KEY_FILE.",
  "What is stored as a secret was changed, or is another store's.":
    "O que está guardado como segredo foi mudado ou é de outra loja.",
  "Sign in again: comanda login": "Entre de novo: comanda login",
  "The sign-in was encrypted with another key ({0}).": "O acesso foi cifrado com outra chave ({0}).",
  "Put that key into COMANDA_STATE_KEY, behind the newest one. `comanda state rekey` encrypts all anew with the newest.":
    "Ponha essa chave em COMANDA_STATE_KEY, atrás da mais nova. O `comanda state rekey` cifra tudo de novo com a mais nova.",
};
