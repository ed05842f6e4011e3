/** What lies on the disk. */
import type { Catalogue } from "../language.js";

export const state: Catalogue = {
  "{0} lies on a network file system, where one machine may not see what another locks. Give each machine a folder of its own with COMANDA_CONFIG_DIR; what machines are to share goes into PostgreSQL (COMANDA_STATE).":
    "{0} está num sistema de arquivos de rede, onde uma máquina pode não ver o que outra trava. Dê a cada máquina uma pasta própria com COMANDA_CONFIG_DIR; o que as máquinas devem compartilhar vai para o PostgreSQL (COMANDA_STATE).",
  "comanda is not allowed to {0} {1}.": "O comanda não tem permissão para {0} {1}.",
  "There is no space left to write {0}.": "Não há espaço para gravar {0}.",
  "Make space on the disk, then run the command again.":
    "Libere espaço no disco e execute o comando de novo.",
  "{0} lies on a file system that can only be read.": "{0} fica em um sistema de arquivos só de leitura.",
  "Choose a folder that can be written with COMANDA_CONFIG_DIR.":
    "Escolha com COMANDA_CONFIG_DIR uma pasta em que se possa gravar.",
  "comanda can't {0} {1}{2}.": "O comanda não consegue {0} {1}{2}.",
  "Check the folder it lies in, {0}.": "Confira a pasta em que está, {0}.",
  "Other users could write to {0}. It is yours alone now (mode 700).":
    "Outros usuários podiam gravar em {0}. Agora só você pode (modo 700).",
  "comanda has no folder to keep things in: this user has no home folder, or the current folder is gone.":
    "O comanda não tem uma pasta para guardar as coisas: este usuário não tem pasta pessoal, ou a pasta atual não existe mais.",
  "Choose a folder with COMANDA_CONFIG_DIR.": "Escolha uma pasta com COMANDA_CONFIG_DIR.",
  "{0} is a link. comanda's folder and all in it have to be real.":
    "{0} é um link. A pasta do comanda e tudo dentro dela precisam ser reais.",
  "Put the folder itself there, {0}.": "Coloque ali a própria pasta, {0}.",
  "{0} is not a folder.": "{0} não é uma pasta.",
  "Move it away, {0}.": "Tire do lugar, {0}.",
  "{0} belongs to another user (uid {1}).": "{0} é de outro usuário (uid {1}).",
  "Run comanda as that user, {0}, or make it yours: chown {1} {2}":
    "Execute o comanda como esse usuário, {0}, ou torne a pasta sua: chown {1} {2}",
  "Other users can write to {0}.": "Outros usuários podem gravar em {0}.",
  "Type: chmod 700 {0}\nOr choose another folder with COMANDA_CONFIG_DIR.":
    "Digite: chmod 700 {0}\nOu escolha outra pasta com COMANDA_CONFIG_DIR.",
  "All users can write to {0}, which comanda's folder lies in.":
    "Todos os usuários podem gravar em {0}, onde fica a pasta do comanda.",
  "Type: chmod o-w {0}\nOr choose another folder with COMANDA_CONFIG_DIR.":
    "Digite: chmod o-w {0}\nOu escolha outra pasta com COMANDA_CONFIG_DIR.",
  "The file {0} is damaged: it isn't JSON.": "O arquivo {0} está danificado: não é JSON.",
  "The file {0} was written by a newer version of comanda.":
    "O arquivo {0} foi gravado por uma versão mais nova do comanda.",
  "Update comanda, then run the command again.": "Atualize o comanda e execute o comando de novo.",
  "The file {0} is damaged: {1}.": "O arquivo {0} está danificado: {1}.",
  '"{0}" is missing or not what it should be': '"{0}" falta ou não é o que devia ser',
  "it holds something else": "contém outra coisa",
  "{0} is not a regular file.": "{0} não é um arquivo comum.",
  "Move it away, then run the command again.": "Tire do lugar e execute o comando de novo.",
  "Run comanda as that user, or remove the file and start anew.":
    "Execute o comanda como esse usuário, ou apague o arquivo e comece de novo.",
  "Type: chmod 600 {0}": "Digite: chmod 600 {0}",
  "What is sent is in no journal.": "O que for enviado não fica em nenhum diário.",
  "What became of the order is told here, and unknown to `comanda history`.":
    "O que aconteceu com o pedido aparece só aqui; `comanda history` não vai saber.",
  "Order {0} is unknown at several stores: {1}.":
    "O resultado do pedido {0} é desconhecido em várias lojas: {1}.",
  "Say which one is meant: --store {0}": "Diga qual é: --store {0}",
  "Nothing that was sent of order {0} is unknown here.":
    "De tudo o que foi enviado do pedido {0}, nada tem resultado desconhecido aqui.",
  "`comanda history --order {0}` shows what was sent, and what came of it.":
    "`comanda history --order {0}` mostra o que foi enviado, e no que deu.",
  "Another process is sending this list of orders now.":
    "Outro processo está enviando esta lista de pedidos agora.",
  "this one waited for {0} s": "este esperou {0} s",
  "Wait until process {0} has ended, or end it (`kill {1}`), then run the command again.":
    "Espere o processo {0} terminar, ou encerre-o (`kill {1}`), e execute o comando de novo.",
  "{0} Rate limits are counted for this run alone.": "{0} Os limites são contados só nesta execução.",
  'This machine knows no store "{0}".{1}': 'Esta máquina não conhece a loja "{0}".{1}',
  "Delete it and sign in again: comanda login --store {0}":
    "Apague e entre de novo: comanda login --store {0}",
  "The file {0} holds the session of another store.": "O arquivo {0} tem a sessão de outra loja.",
  "Give it back the name it had, or delete it and sign in again.":
    "Devolva o nome que tinha, ou apague e entre de novo.",
  "A session was about to be written that could not be read again.":
    "Ia ser gravada uma sessão que não poderia ser lida depois.",
  'No store "{0}" is known on this machine.': 'A loja "{0}" não é conhecida nesta máquina.',
  "See which are: comanda stores list": "Veja quais são: comanda stores list",
  'There is a store "{0}" already.': 'Já existe uma loja "{0}".',
  "Choose another name, or remove that store first: comanda stores remove {0}":
    "Escolha outro nome, ou remova antes essa loja: comanda stores remove {0}",
  'For example: "downtown", "loja-2", "praça.central".': 'Por exemplo: "centro", "loja-2", "praça.central".',
  "A store's alias can't be empty.": "O apelido de uma loja não pode ser vazio.",
  "A store's alias has at most {0} characters.": "O apelido de uma loja tem no máximo {0} caracteres.",
  '{0} can\'t be a store\'s alias: letters, digits, ".", "_" and "-" can, and first a letter or digit.':
    '{0} não pode ser o apelido de uma loja: use letras, dígitos, ".", "_" e "-", e comece com letra ou dígito.',
  "{0} can't be the name of an environment.": "{0} não pode ser o nome de um ambiente.",
  'Use lower-case letters, digits and "-", at most 32, for example: sandbox, production, my-test.':
    'Use letras minúsculas, dígitos e "-", no máximo 32, por exemplo: sandbox, production, meu-teste.',
  "can't have a query or fragment": "não pode ter query nem fragmento",
  "can't have a fragment": "não pode ter fragmento",
  "can hold visible ASCII characters alone": "só pode ter caracteres ASCII visíveis",
  "needs a port from 1 to 65535, for example {0}": "precisa de uma porta de 1 a 65535, por exemplo {0}",
  "can't have a user name or password in it": "não pode ter usuário nem senha",
  "must use https: http is for loopback hosts alone, such as 127.0.0.1 and localhost; for a test's emulator elsewhere add --allow-insecure":
    "precisa usar https: http é só para hosts de loopback, como 127.0.0.1 e localhost; para um emulador de testes em outra máquina, acrescente --allow-insecure",
  "The environment {0} is the service's own, and never insecure.":
    "O ambiente {0} é do próprio serviço, e nunca sem proteção.",
  "Give an environment for tests another name, such as emulator.":
    "Dê outro nome a um ambiente de testes, como emulador.",
  "The value of {0} {1}.": "O valor de {0} {1}.",
  "See how an environment is set: comanda env set --help":
    "Veja como se configura um ambiente: comanda env set --help",
  'The environment "{0}" is not set, so nothing was removed.':
    'O ambiente "{0}" não está configurado, por isso nada foi removido.',
  "See what is set: comanda env list": "Veja o que está configurado: comanda env list",
  'The environment "{0}" is not set on this machine yet.':
    'O ambiente "{0}" ainda não está configurado nesta máquina.',
  "Set it: comanda env set {0} --base-url <url> --auth-url <url> --client-id <id>":
    "Configure: comanda env set {0} --base-url <url> --auth-url <url> --client-id <id>",
  "There is no environment {0}.": "Não existe o ambiente {0}.",
  'Did you mean "{0}"? ': 'Você quis dizer "{0}"? ',
  "{0} could not be written whole; it is as it was.":
    "Não foi possível gravar {0} por inteiro; ficou como estava.",
  "Check whether the disk is full, then run the command again.":
    "Veja se o disco está cheio e execute o comando de novo.",
  "Repair it in an editor, or delete it and set anew what `comanda env list` then lacks.":
    "Conserte em um editor, ou apague e configure de novo o que faltar em `comanda env list`.",
  "or choose another folder with COMANDA_CONFIG_DIR": "ou escolha outra pasta com COMANDA_CONFIG_DIR",
  read: "ler",
  write: "gravar",
  rename: "renomear",
  remove: "remover",
  make: "criar",
  lock: "travar",
  "{0} holds something that comanda did not write.": "{0} contém algo que o comanda não gravou.",
  "`comanda doctor` looks at it.": "O `comanda doctor` examina.",
  "{0} was written by a newer comanda.": "{0} foi gravado por um comanda mais novo.",
  "{0} was written by a comanda from before the first release.":
    "{0} foi gravado por um comanda de antes da primeira versão.",
  "Move it away (in PostgreSQL: drop its schemas), and sign in again: comanda login.":
    "Tire-o daí (no PostgreSQL: apague os esquemas dele) e faça login de novo: comanda login.",
  "Use that version, or a newer one.": "Use essa versão ou uma mais nova.",
  "comanda can't keep its state: this Node has no SQLite.":
    "O comanda não consegue guardar os dados: este Node não tem SQLite.",
  "Use Node 22.13 or newer, or install comanda again with its optional dependencies: npm install --include=optional":
    "Use o Node 22.13 ou mais novo, ou instale o comanda de novo com as dependências opcionais: npm install --include=optional",
  "Another process is writing to {0}; this one waited for {1} s.":
    "Outro processo está gravando em {0}; este esperou {1} s.",
  "Run the command again when the other one has ended.":
    "Execute o comando de novo quando o outro tiver terminado.",
  "{0} is damaged.": "{0} está danificado.",
  "Move it away, and comanda begins a new one; sign-ins are not in it. `sqlite3 {0} .recover` shows what can still be read.":
    "Tire-o do lugar e o comanda começa um novo; os acessos não ficam nele. `sqlite3 {0} .recover` mostra o que ainda dá para ler.",
  "PostgreSQL's driver is not installed.": "O driver do PostgreSQL não está instalado.",
  "Install it beside comanda: npm install --global comanda pg":
    "Instale-o ao lado do comanda: npm install --global comanda pg",
  "{0} holds a number that is too large.": "{0} contém um número grande demais.",
  "{0} can't be used: {1}": "Não dá para usar {0}: {1}",
  'The lease "{0}" was lost: this process stood still, or the connection was cut.':
    'A reserva "{0}" foi perdida: este processo ficou parado, ou a conexão caiu.',
  'Another process has the lease "{0}"; {1}.': 'Outro processo está com a reserva "{0}"; {1}.',
  'Process {0} on {1} has had the lease "{2}" since {3}; {4}.':
    'O processo {0} em {1} está com a reserva "{2}" desde {3}; {4}.',
  "There was another sign-in at {0} meanwhile.": "Entretanto houve outro login em {0}.",
  "Nothing more was sent, since nothing tells whether it is the same store's. Run the command again.":
    "Nada mais foi enviado, pois nada diz se é da mesma loja. Rode o comando de novo.",
  "Check who owns it and its folder, {0}.": "Veja de quem é o arquivo e a pasta dele, {0}.",
  "Other users can change {0}.": "Outros usuários podem alterar {0}.",
  "Other users can read or change {0}.": "Outros usuários podem ler ou alterar {0}.",
  "holds visible ASCII characters alone, no spaces, and at least one":
    "tem só caracteres ASCII visíveis, sem espaços, e pelo menos um",
  "must be an absolute http or https URL, without spaces, control characters and backslashes":
    "precisa ser uma URL http ou https absoluta, sem espaços, caracteres de controle nem barras invertidas",
};
