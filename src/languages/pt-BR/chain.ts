/** src/state, where it lies in PostgreSQL. */
import type { Catalogue } from "../language.js";

export const chain: Catalogue = {
  "{0} names no place that comanda can keep its state in.":
    "{0} não é um lugar onde o comanda possa guardar os dados.",
  "{0} asks for sslmode={1}, by which others could read the sign-ins on their way.":
    "{0} pede sslmode={1}, e com isso outros poderiam ler os acessos no caminho.",
  "Leave sslmode out. An authority of your own is named by NODE_EXTRA_CA_CERTS.":
    "Tire o sslmode. Uma autoridade própria é indicada por NODE_EXTRA_CA_CERTS.",
  'For example: postgres://comanda_run:password@db.example:5432/comanda. In the password, "@", "/", "?", "#" and "%" are written as %40, %2F, %3F, %23 and %25. Of options it takes {0}.':
    'Por exemplo: postgres://comanda_run:senha@db.example:5432/comanda. Na senha, "@", "/", "?", "#" e "%" se escrevem %40, %2F, %3F, %23 e %25. De opções, aceita {0}.',
  "Another process is writing to {0} for too long.": "Outro processo está gravando em {0} há tempo demais.",
  "Check the user and the password in {0}, and what pg_hba.conf lets in.":
    "Confira o usuário e a senha em {0} e o que o pg_hba.conf deixa entrar.",
  "Let fewer machines run at a time, or raise the server's max_connections.":
    "Use menos máquinas ao mesmo tempo, ou aumente o max_connections do servidor.",
  "Make the database, or name the one that is there in {0}.": "Crie o banco ou indique em {0} o que existe.",
  "`comanda help chain` names the roles and what each may do.":
    "O `comanda help chain` mostra os papéis e o que cada um pode fazer.",
  "The server's certificate is verified unless the address is of this machine. NODE_EXTRA_CA_CERTS names an authority of your own.":
    "O certificado do servidor é verificado, a não ser que o endereço seja desta máquina. NODE_EXTRA_CA_CERTS indica uma autoridade própria.",
  "Check the address in {0}, and whether the server runs and lets you in.":
    "Confira o endereço em {0} e se o servidor está no ar e aceita você.",
  "{0} is PostgreSQL {1}, which is too old.": "{0} é o PostgreSQL {1}, antigo demais.",
  "comanda needs PostgreSQL {0} or newer.": "O comanda precisa do PostgreSQL {0} ou mais novo.",
  "This role may not use the schema {0} in {1}.": "Este papel não pode usar o esquema {0} em {1}.",
  "comanda's tables are not in {0} yet, and this role may not make them.":
    "As tabelas do comanda ainda não estão em {0}, e este papel não pode criá-las.",
  "The sign-in of {0}": "O acesso de {0}",
  "What the settings say": "O que as configurações dizem",
  "{0} is encrypted, and there is no key here.": "{0} está cifrado, e não há chave aqui.",
  "{0} is not encrypted, though there is a key: somebody else may have written it.":
    "{0} não está cifrado, embora haja uma chave: outra pessoa pode ter escrito isso.",
  "Remove it (comanda stores remove; of settings the row of chain_settings), and set it anew.":
    "Remova (comanda stores remove; nas configurações a linha de chain_settings) e defina de novo.",
  "Set COMANDA_STATE_KEY, or COMANDA_STATE_KEY_FILE, as on the other machines.":
    "Defina COMANDA_STATE_KEY ou COMANDA_STATE_KEY_FILE, como nas outras máquinas.",
  "The sign-in of {0} was changed by another machine meanwhile.":
    "O acesso de {0} foi mudado por outra máquina nesse meio-tempo.",
  "{0} holds no key: {1} bytes in base64.": "{0} não contém uma chave: {1} bytes em base64.",
  "There is no key, and nothing secret is stored in PostgreSQL without one.":
    "Não há chave, e sem ela nada secreto é guardado no PostgreSQL.",
  "What is stored as a secret was changed, or is another store's.":
    "O que está guardado como segredo foi mudado ou é de outra loja.",
  "Sign in again: comanda login": "Entre de novo: comanda login",
  "What is stored was encrypted with another key ({0}).":
    "O que está guardado foi cifrado com outra chave ({0}).",
  "{0} is not an address of PostgreSQL that comanda takes.":
    "{0} não é um endereço do PostgreSQL que o comanda aceite.",
  "Once, with COMANDA_STATE naming the role that may: comanda doctor":
    "Uma vez, com COMANDA_STATE dizendo o papel que pode: comanda doctor",
  "Make one: openssl rand -base64 32": "Crie uma: openssl rand -base64 32",
  "Make a key once for all machines: openssl rand -base64 32. Then set COMANDA_STATE_KEY, or COMANDA_STATE_KEY_FILE.":
    "Crie uma chave, uma vez para todas as máquinas: openssl rand -base64 32. Depois defina COMANDA_STATE_KEY ou COMANDA_STATE_KEY_FILE.",
  "Put that key into COMANDA_STATE_KEY, behind the newest one.":
    "Ponha essa chave em COMANDA_STATE_KEY, atrás da mais nova.",
  "It takes postgres://user@host/database for a chain.":
    "Aceita postgres://usuário@host/banco para uma rede.",
};
