/** src/state, where it lies in PostgreSQL. */
import type { Catalogue } from "../../shared/language.js";

export const chain: Catalogue = {
  "the setting state": "a configuração state",
  "sqlite:, or postgres://user@host/database": "sqlite: ou postgres://usuário@host/banco",
  "{0} names no place that comanda can keep its state in.":
    "{0} não é um lugar onde o comanda possa guardar os dados.",
  "It takes postgres://user@host/database for a chain, or sqlite: for files of this machine.":
    "Aceita postgres://usuário@host/banco para uma rede ou sqlite: para arquivos desta máquina.",
  "A password is not kept in the settings.": "Uma senha não fica nas configurações.",
  "Leave it out, and set PGPASSWORD, write it into ~/.pgpass, or put the whole address into COMANDA_STATE.":
    "Tire a senha e defina PGPASSWORD, grave-a em ~/.pgpass ou ponha o endereço inteiro em COMANDA_STATE.",
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
  "Once, with COMANDA_STATE naming the role that may: comanda state status":
    "Faça uma vez, com o COMANDA_STATE do papel que pode: comanda state status",
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
  "Make one: comanda state key": "Crie uma: comanda state key",
  "There is no key, and nothing secret is stored in PostgreSQL without one.":
    "Não há chave, e sem ela nada secreto é guardado no PostgreSQL.",
  "Make a key once for all machines: comanda state key. Then set COMANDA_STATE_KEY, or COMANDA_STATE_KEY_FILE.":
    "Crie uma chave para todas as máquinas: comanda state key. Depois defina COMANDA_STATE_KEY ou COMANDA_STATE_KEY_FILE.",
  "What is stored as a secret was changed, or is another store's.":
    "O que está guardado como segredo foi mudado ou é de outra loja.",
  "Sign in again: comanda login": "Entre de novo: comanda login",
  "What is stored was encrypted with another key ({0}).":
    "O que está guardado foi cifrado com outra chave ({0}).",
  "Put that key into COMANDA_STATE_KEY, behind the newest one. `comanda state rekey` encrypts all anew with the newest.":
    "Ponha essa chave em COMANDA_STATE_KEY, atrás da mais nova. O `comanda state rekey` cifra tudo de novo com a mais nova.",
  "where state lies, and how much of it": "onde ficam os dados e quanto há deles",
  "Files of this machine: {0}": "Arquivos desta máquina: {0}",
  "A newer comanda has written it (schema {0}): this one leaves it alone.":
    "Foi gravado por um comanda mais novo (esquema {0}); este não mexe nele.",
  "{0} holds other sales figures already.": "{0} já tem outros números de vendas.",
  "They stay as they are. Sign-ins, settings and what was sent are copied; figures are asked again by: comanda sync":
    "Eles ficam como estão. Acessos, configurações e o que foi enviado são copiados; os números são pedidos de novo por: comanda sync",
  "There are no databases yet.": "Ainda não há bancos de dados.",
  "Schema {0}, stores: {1}, rows: {2}.": "Esquema {0}, lojas: {1}, linhas: {2}.",
  "copy all state to a chain's PostgreSQL, or from there to files here":
    "copiar todos os dados para o PostgreSQL de uma rede, ou de lá para arquivos aqui",
  "State lies in {0} already.": "Os dados já estão em {0}.",
  "COMANDA_STATE, or the setting state, names where it is copied from; --to where it goes.":
    "COMANDA_STATE ou a configuração state dizem de onde copiar; --to, para onde.",
  "Copied to {0} and read back: stores: {1}, rows: {2}.":
    "Copiado para {0} e lido de volta: lojas: {1}, linhas: {2}.",
  "From now on work in one of both places alone: a sign-in is used up by the one that renews it.":
    "A partir de agora, trabalhe em um só dos dois lugares: renovado em um, o acesso deixa de valer no outro.",
  "encrypt all sign-ins with the newest key": "cifrar todos os acessos com a chave mais nova",
  "State lies in files of this machine, where nothing is encrypted with a key.":
    "Os dados ficam em arquivos desta máquina, onde nada é cifrado com uma chave.",
  "See where it lies: comanda state status": "Veja onde ficam: comanda state status",
  "Encrypted with the newest key: {0}. The old keys are not needed any more.":
    "Cifrados com a chave mais nova: {0}. As chaves antigas não são mais necessárias.",
  "make a key for COMANDA_STATE_KEY": "criar uma chave para COMANDA_STATE_KEY",
  "where comanda keeps what it knows, and a chain's database":
    "onde o comanda guarda o que sabe e o banco de uma rede",
  "What was read back from {0} is not what was written: {1}.":
    "O que foi lido de volta de {0} não é o que foi gravado: {1}.",
  "Nothing was taken away where it came from. Run the command again.":
    "Nada foi tirado de onde veio. Execute o comando de novo.",
  "{0} is not an address of PostgreSQL that comanda takes.":
    "{0} não é um endereço do PostgreSQL que o comanda aceite.",
};
