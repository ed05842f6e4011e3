/** What each command says. */
import type { Catalogue } from "../language.js";

export const commands: Catalogue = {
  "{0} of these orders were sent before the last sign-in here: that isn't counted, since it may have been another store.":
    "{0} destes pedidos foram enviados antes do último login aqui: isso não conta, pois podia ser outra loja.",
  "It was done before, at {0}.": "Já tinha sido feito, em {0}.",
  "These are the newest {0}. To see more: comanda history --limit {1}":
    "Estes são os {0} mais recentes. Para ver mais: comanda history --limit {1}",
  "Sign in at a store (here a small HTTP client plays the owner)":
    "Entre em uma loja (aqui um pequeno cliente HTTP faz o papel do dono)",
  "the order": "o pedido",
  "Store both keys with comanda login --api-key and --partner-key, and choose that store with --store.":
    "Guarde as duas chaves com comanda login --api-key e --partner-key, e escolha essa loja com --store.",
  "The answer is longer than comanda holds, or came compressed; its end is left out.":
    "A resposta é maior do que o comanda consegue guardar, ou veio comprimida; o fim ficou de fora.",
  '"-" reads stdin, but stdin is a terminal.': '"-" lê a entrada padrão, mas ela é um terminal.',
  "Pipe it in: comanda api POST <path> --input - < body.json":
    "Passe por um pipe: comanda api POST <path> --input - < body.json",
  "({0} bytes of {1})": "({0} bytes de {1})",
  "(the bytes of {0})": "(os bytes de {0})",
  "The body comes from one of them.": "O corpo vem de um deles.",
  "A {0} has no body.": "Um {0} não tem corpo.",
  "What it asks for goes into --query key=value.": "O que ele pede vai em --query key=value.",
  '"{0}" is no method of the service.': '"{0}" não é um método do serviço.',
  "There are: {0}.": "Existem: {0}.",
  '--auth can\'t be "{0}".': '--auth não pode ser "{0}".',
  "The header {0} is given twice.": "O cabeçalho {0} veio duas vezes.",
  "Give it once.": "Informe uma vez só.",
  "The field {0} is given twice.": "O campo {0} veio duas vezes.",
  "-F (--json-field) {0} is not valid JSON.": "-F (--json-field) {0} não é JSON válido.",
  "A file holds the whole body: --input <file>": "Um arquivo traz o corpo inteiro: --input <file>",
  "A text needs no JSON: -f {0}=…": "Um texto dispensa JSON: -f {0}=…",
  "For example: {0} name{1}value": "Por exemplo: {0} name{1}value",
  "Sign in at one: comanda login --store <alias> --env <name>":
    "Entre em uma: comanda login --store <apelido> --env <nome>",
  "It knows: {0}. To add it: {1}": "Ela conhece: {0}. Para adicionar: {1}",
  "This machine knows no store yet.": "Esta máquina ainda não conhece nenhuma loja.",
  "Sign in first: {0}": "Entre primeiro: {0}",
  "Sign in at one: comanda {0} --store <alias> --env <name>\nOr have a look around first: comanda demo":
    "Entre em uma: comanda {0} --store <apelido> --env <nome>\nOu dê uma olhada antes: comanda demo",
  "This machine knows several stores; say which one.": "Esta máquina conhece várias lojas; diga qual.",
  "With --store <alias>, or once for all: comanda stores use {0}":
    "Com --store <apelido>, ou de uma vez por todas: comanda stores use {0}",
  "{0} is set, but {1} isn't.": "{0} está definida, mas {1} não.",
  "A credential and its address go together: set both, or neither.":
    "Uma credencial e o endereço dela andam juntos: defina as duas, ou nenhuma.",
  "{0} is set, but no credential is.": "{0} está definida, mas nenhuma credencial está.",
  "Set {0} too, or choose a store with --store.": "Defina também {0}, ou escolha uma loja com --store.",
  "This command works at one store; --store was given more than once.":
    "Este comando trabalha em uma loja; --store veio mais de uma vez.",
  "Run the command once for each store.": "Execute o comando uma vez para cada loja.",
  '{0} can\'t be "{1}".': '{0} não pode ser "{1}".',
  "It takes a whole number from {0} to {1}.": "Aceita um número inteiro de {0} a {1}.",
  "exit code {0}": "código de saída {0}",
  "NODE_TLS_REJECT_UNAUTHORIZED=0 is set, so no certificate is checked: whoever stands in between can read the store's credentials. Unset it; NODE_EXTRA_CA_CERTS adds an authority of your own.":
    "NODE_TLS_REJECT_UNAUTHORIZED=0 está definida, então nenhum certificado é conferido: quem estiver no meio do caminho pode ler as credenciais da loja. Tire essa variável; NODE_EXTRA_CA_CERTS acrescenta uma autoridade sua.",
  "The sign-in {0} works no more, so its API key is used.":
    "O login {0} não funciona mais, por isso a chave de API é usada.",
  "The service can't be reached or is failing. Trying again in {0} s.":
    "O serviço está fora do ar ou falhando. Nova tentativa em {0} s.",
  "The emulator of the service runs at {0} for the length of this tour.":
    "O emulador do serviço fica em {0} durante este passeio.",
  "That was the tour. The emulator is stopped, and nothing was left behind.":
    "O passeio acabou. O emulador parou, e nada ficou para trás.",
  "To go on by yourself: comanda emulator start, then comanda login --store demo --env local":
    "Para continuar por conta própria: comanda emulator start e depois comanda login --store demo --env local",
  '"comanda {0}" ended with {1}, not with {2}.': '"comanda {0}" terminou com {1}, não com {2}.',
  "a signal": "um sinal",
  "Tell comanda where the service is, and how this app is registered there":
    "Diga ao comanda onde fica o serviço e como este app está registrado nele",
  "Where do we stand?": "Como estamos?",
  "A delivery order gets a driver and a fee": "Um pedido de entrega recebe entregador e taxa",
  "It goes out": "Ele sai para entrega",
  "It has arrived": "Ele chegou",
  "It is paid and done": "Está pago e finalizado",
  "Another one is canceled": "Outro é cancelado",
  "The customer changed their mind": "O cliente mudou de ideia",
  "A finished order can't be changed: exit code {0}":
    "Um pedido finalizado não pode ser alterado: código de saída {0}",
  "Several at once, one of them finished already: exit code 10":
    "Vários de uma vez, um deles já finalizado: código de saída 10",
  "The same for a script": "A mesma coisa para um script",
  "A store's API key does without a sign-in": "A chave de API de uma loja dispensa o login",
  "A pre-filled order: its link opens the store's menu with the cart filled":
    "Um pedido pré-preenchido: o link abre o cardápio da loja com o carrinho cheio",
  "driver assign takes one order, not a list on stdin.":
    "driver assign aceita um pedido, não uma lista da entrada padrão.",
  "The store's portal lists the drivers and their ids.":
    "O portal da loja mostra os entregadores e os ids deles.",
  "--fee and --clear-fee contradict each other.": "--fee e --clear-fee se contradizem.",
  "--fee 0 is a delivery at no cost; --clear-fee removes the fee.":
    "--fee 0 é uma entrega sem custo; --clear-fee tira a taxa.",
  "For example: --fee 7.50, --fee 7,50, --fee 0": "Por exemplo: --fee 7.50, --fee 7,50, --fee 0",
  "Nothing was sent (--dry-run).": "Nada foi enviado (--dry-run).",
  "{0} can't be 0: nothing takes no time.": "{0} não pode ser 0: tudo leva algum tempo.",
  "For example: {0} 30s": "Por exemplo: {0} 30s",
  '{0} can\'t be negative: "{1}".': '{0} não pode ser negativo: "{1}".',
  "a day": "um dia",
  "For example: {0} 30s, {1} 5m": "Por exemplo: {0} 30s, {1} 5m",
  '{0} takes a duration of at most {1}, not "{2}".': '{0} aceita uma duração de no máximo {1}, não "{2}".',
  "The command has no name.": "O comando está sem nome.",
  "For example: comanda emulator exec ./close-day.sh": "Por exemplo: comanda emulator exec ./close-day.sh",
  "The temporary folder can't be used: {0}.": "A pasta temporária não pode ser usada: {0}.",
  "Check that the folder of TMPDIR exists and can be written.":
    "Veja se a pasta de TMPDIR existe e se dá para gravar nela.",
  "The command can't be started: {0}.": "O comando não pode ser iniciado: {0}.",
  "Check the command's name and the length of its arguments.":
    "Confira o nome do comando e o tamanho dos argumentos.",
  "The scene busy has its own number of orders.": "O cenário busy tem a própria quantidade de pedidos.",
  "Leave out --orders, or --scene busy.": "Tire --orders ou --scene busy.",
  'For example: [{"id": 1, "name": "Centro", "drivers": [{"id": 7, "name": "Bia"}]}]':
    'Por exemplo: [{"id": 1, "name": "Centro", "drivers": [{"id": 7, "name": "Bia"}]}]',
  "the control surface takes this token: {0}": "a superfície de controle aceita este token: {0}",
  "The emulator can't listen at {0}: it is no address of this machine.":
    "O emulador não consegue escutar em {0}: não é um endereço desta máquina.",
  "For example: --host 0.0.0.0, for all of its addresses":
    "Por exemplo: --host 0.0.0.0, para todos os endereços dela",
  "For example: --fault status=503,path=/dispatch,times=2\nSee: comanda emulator start --help":
    "Por exemplo: --fault status=503,path=/dispatch,times=2\nVeja: comanda emulator start --help",
  Reading: "Leitura",
  default: "padrão",
  "Exit code": "Código de saída",
  Section: "Seção",
  Values: "Valores",
  "What it is about": "Do que se trata",
  "For example: --reading conflict_status=422\nSee: comanda emulator readings":
    "Por exemplo: --reading conflict_status=422\nVeja: comanda emulator readings",
  "{0} of {1} runs": "{0} de {1} execuções",
  "Runs: {0}, failed: {1}.": "Execuções: {0}, falhas: {1}.",
  "the command fails without a reading already: mend that first":
    "o comando já falha sem leitura nenhuma: corrija isso primeiro",
  "To see one fail, give --reading with its name=value in the place of --matrix.":
    "Para ver uma falhar, use --reading com o name=value dela no lugar de --matrix.",
  "the emulator answered {0} {1} with 500: {2}": "o emulador respondeu {0} {1} com 500: {2}",
  "is not found": "não foi encontrado",
  "can't be run": "não pode ser executado",
  "The emulator is running at {0} (Ctrl-C ends it).": "O emulador está rodando em {0} (Ctrl-C encerra).",
  "Sign in from another terminal: {0}": "Entre em outro terminal: {0}",
  "Orders to try:                 {0}/_emulator/orders": "Pedidos para testar:          {0}/_emulator/orders",
  "API keys of its stores:        {0}/_emulator/stores": "Chaves de API das lojas:      {0}/_emulator/stores",
  "Port {0} is in use.": "A porta {0} está em uso.",
  "Another emulator may be running already. Take a free port with --port 0, or another one.":
    "Talvez outro emulador já esteja rodando. Use uma porta livre com --port 0, ou outra.",
  "Port {0} can't be opened: it needs more rights.":
    "A porta {0} não pode ser aberta: exige mais permissões.",
  "Take a port above 1023.": "Use uma porta acima de 1023.",
  "The environment {0} is set. Sign in there: comanda login --store <alias> --env {1}":
    "O ambiente {0} está configurado. Entre nele: comanda login --store <apelido> --env {1}",
  "Signed in with the address before, and still using it: {0}. To move, sign out and in again.":
    "Lojas que entraram com o endereço anterior e continuam nele: {0}. Para mudar, saia e entre de novo.",
  "The environment {0} is forgotten.": "O ambiente {0} foi esquecido.",
  "Bars are for people: leave out one of the two.": "As barras são para pessoas: tire uma das duas opções.",
  'There is no command or topic "{0}".': 'Não existe o comando ou tópico "{0}".',
  "Did you mean {0}?": "Você quis dizer {0}?",
  "Topics: {0}. Commands: comanda --help": "Tópicos: {0}. Comandos: comanda --help",
  "Order {0}: {1} of {2} was done.": "Pedido {0}: {1} de {2} foi feito.",
  "Order {0}: {1} of {2} was not done.": "Pedido {0}: {1} de {2} não foi feito.",
  "1 other change of the order is unknown still: run the command again for it.":
    "1 outra alteração do pedido ainda é desconhecida: rode o comando de novo para ela.",
  "{0} other changes of the order are unknown still: run the command again for them.":
    "{0} outras alterações do pedido ainda são desconhecidas: rode o comando de novo para elas.",
  'An order\'s change is done or not-done, not "{0}".':
    'A alteração de um pedido é done (feita) ou not-done (não feita), e não "{0}".',
  "For example: comanda history settle 4712 done": "Por exemplo: comanda history settle 4712 done",
  Settled: "Apurado",
  "{0} to {1}": "{0} a {1}",
  "Drivers of {0}, {1}: orders that were assigned on this machine.":
    "Entregadores de {0}, {1}: pedidos atribuídos nesta máquina.",
  "The journal has no assignment of that time.": "O diário não tem nenhuma atribuição desse período.",
  "--reason can't be empty.": "--reason não pode ser vazio.",
  "Leave it out to cancel without a reason.": "Tire para cancelar sem motivo.",
  "1 of the orders may have been canceled: nothing tells whether it was. See: comanda history --outcome unknown":
    "1 dos pedidos pode ter sido cancelado: nada diz se foi. Veja: comanda history --outcome unknown",
  "{0} of the orders may have been canceled: nothing tells whether they were. See: comanda history --outcome unknown":
    "{0} dos pedidos podem ter sido cancelados: nada diz se foram. Veja: comanda history --outcome unknown",
  "1 assignment is not counted: nothing tells whether it was done. See: comanda history --outcome unknown":
    "1 atribuição não entra na conta: nada diz se foi feita. Veja: comanda history --outcome unknown",
  "{0} assignments are not counted: nothing tells whether they were done. See: comanda history --outcome unknown":
    "{0} atribuições não entram na conta: nada diz se foram feitas. Veja: comanda history --outcome unknown",
  "The journal has nothing of that.": "O diário não tem nada disso.",
  '{0} can\'t be "{1}".{2}': '{0} não pode ser "{1}".{2}',
  "For example: {0} 2h, {1} 7d, {2} yesterday, {3} 2026-10-05, {4} 2026-10-05T18:00:00-03:00":
    "Por exemplo: {0} 2h, {1} 7d, {2} ontem, {3} 05/10/2026, {4} 2026-10-05T18:00:00-03:00",
  "{0} is a terminal.": "{0} é um terminal.",
  "Give a file, or pipe it in.": "Informe um arquivo ou passe por um pipe.",
  "Was another file meant?": "Era para ser outro arquivo?",
  "Signed in at {0}. Its sales are counted in days of its own time zone, such as America/Sao_Paulo.":
    "Você entrou em {0}. As vendas são contadas em dias do fuso horário da própria loja, como America/Sao_Paulo.",
  "Which time zone is that? A city will do. (Enter: {0})":
    "Qual é esse fuso horário? Basta uma cidade. (Enter: {0})",
  'There is no time zone "{0}". Is it {1}? (Enter: yes)':
    'Não existe o fuso horário "{0}". É {1}? (Enter: sim)',
  'There is no time zone "{0}". Which city is it? (Enter: {1})':
    'Não existe o fuso horário "{0}". Qual é a cidade? (Enter: {1})',
  "The days of {0} are counted in {1}.": "Os dias de {0} são contados em {1}.",
  "The days of {0} are counted in this machine's time zone, {1}. To keep it, or another: {2}":
    "Os dias de {0} são contados no fuso horário desta máquina, {1}. Para guardar esse ou outro: {2}",
  "Are its amounts in {0}, written as in {1}? (Enter: yes)":
    "Os valores dela são em {0}, escritos como em {1}? (Enter: sim)",
  "Its amounts are shown in {0}.": "Os valores dela aparecem em {0}.",
  ", allowed: {0}": ", permitido: {0}",
  "The {0} of {1} ({2}) is stored.": "A {0} de {1} ({2}) está guardada.",
  "Signed in at {0} ({1}){2}.": "Você entrou em {0} ({1}){2}.",
  "Commands work at {0} without --store from now on.":
    "De agora em diante, os comandos trabalham em {0} sem --store.",
  "--api-key and --partner-key are stored one at a time.":
    "--api-key e --partner-key são guardadas uma de cada vez.",
  "Run the command once for each.": "Execute o comando uma vez para cada.",
  "Which store? Give it a short name of your choice with --store.":
    "Qual loja? Dê a ela um apelido à sua escolha com --store.",
  "For example: comanda login --store centro --env production":
    "Por exemplo: comanda login --store centro --env production",
  "Which environment? Name it with --env.": "Qual ambiente? Diga com --env.",
  "There are: {0}. See: comanda env list": "Existem: {0}. Veja: comanda env list",
  "The browser opens for the sign-in at {0}. If it doesn't, open this address:":
    "O navegador abre para o login em {0}. Se não abrir, abra este endereço:",
  "Open this address in a browser to sign in at {0}:":
    "Abra este endereço em um navegador para entrar em {0}:",
  "There is no terminal here, so nobody sees the address of the sign-in.":
    "Não há terminal aqui, então ninguém vê o endereço do login.",
  "Sign in at a terminal. Where a program opens the address that is shown, add --no-browser.\nAn API key is read from stdin: comanda login --api-key --store {0} < key.txt":
    "Entre em um terminal. Se um programa abre o endereço mostrado, inclua --no-browser.\nUma chave de API é lida da entrada padrão: comanda login --api-key --store {0} < key.txt",
  "Or paste the address that the browser ended at (it isn't shown):":
    "Ou cole o endereço em que o navegador terminou (ele não aparece na tela):",
  "{0} key of {1} (it isn't shown):": "Chave {0} de {1} (ela não aparece na tela):",
  "The {0} is read from stdin here; pipe it in.": "A {0} é lida da entrada padrão aqui; passe por um pipe.",
  "For example: comanda login --{0} --store {1} < key.txt":
    "Por exemplo: comanda login --{0} --store {1} < key.txt",
  "--all and --store contradict each other.": "--all e --store se contradizem.",
  "Give one of the two.": "Informe só um dos dois.",
  "No store is signed in.": "Nenhuma loja está conectada.",
  "{0} is signed out.": "Você saiu de {0}.",
  "The tokens are revoked at the service. ": "Os tokens foram revogados no serviço. ",
  "{0}The session of {1} is still stored here.": "{0}A sessão de {1} ainda está guardada aqui.",
  "{0} is signed out here, but its tokens": "A sessão de {0} foi encerrada aqui, mas seus tokens",
  "The tokens of {0}": "Os tokens de {0}",
  "{0} were not revoked and may work until they expire.":
    "{0} não foram revogados e podem valer até expirar.",
  "The store's owner can uninstall the app in the store portal, which revokes its tokens too.":
    "O dono da loja pode desinstalar o app no portal da loja, o que também revoga os tokens.",
  "Order {0} {1}.": "Pedido {0} {1}.",
  "… and {0} more, all done.": "… e mais {0}, todos feitos.",
  "Nothing was canceled.": "Nada foi cancelado.",
  "Cancel {0} at {1}? This can't be undone.": "Cancelar {0} em {1}? Não dá para desfazer.",
  "Canceling {0} needs --yes where nobody can be asked.":
    "Cancelar {0} exige --yes quando não há a quem perguntar.",
  "A canceled order can't be brought back. Add --yes if that is what you want.":
    "Um pedido cancelado não volta. Inclua --yes se é isso que você quer.",
  'Give either order ids or "-" for ids on stdin, not both.':
    'Informe ids de pedidos ou "-" para ids da entrada padrão, não os dois.',
  "For example: comanda orders dispatch 4711 4712, or comanda orders dispatch - < ids.txt":
    "Por exemplo: comanda orders dispatch 4711 4712, ou comanda orders dispatch - < ids.txt",
  "Pipe the ids in, one a line: comanda orders dispatch - < ids.txt":
    "Passe os ids por um pipe, um por linha: comanda orders dispatch - < ids.txt",
  "There is no order id on stdin.": "Não há nenhum id de pedido na entrada padrão.",
  "Give one id a line; blank lines and lines that begin with # are skipped.":
    "Informe um id por linha; linhas em branco e linhas que começam com # são puladas.",
  "is empty": "está vazio",
  "Not tried: {0}": "Não tentado: {0}",
  "1 call": "1 chamada",
  "{0} calls": "{0} chamadas",
  "Nothing was asked (--dry-run).": "Nada foi consultado (--dry-run).",
  "is missing: {0}": "falta: {0}",
  "is missing": "falta",
  "is empty: fill it in or leave it out": "está vazio: preencha ou tire",
  "must be {0}, not {1}{2}": "precisa ser {0}, não {1}{2}",
  "must be {0}, not {1}.{2}": "precisa ser {0}, não {1}.{2}",
  "a list": "uma lista",
  "isn't valid": "não é válido",
  ": put it in quotes": ": coloque entre aspas",
  "a group of fields": "um grupo de campos",
  "Pre-filled order {0} is made.": "O pedido pré-preenchido {0} foi criado.",
  "Order page:     {0}": "Página do pedido:  {0}",
  "Checkout page:  {0}": "Checkout:          {0}",
  "There is no terminal here, so the order page isn't opened.":
    "Não há terminal aqui, por isso a página do pedido não é aberta.",
  "No browser could be started; open the order page yourself.":
    "Nenhum navegador pôde ser iniciado; abra você a página do pedido.",
  "The service's link is no web address, so it is not used.":
    "O link do serviço não é um endereço da web, por isso não é usado.",
  "The pre-filled order itself is made.": "O pedido pré-preenchido em si foi criado.",
  'must be <item_id>[x<quantity>][:observation], for example 3002x2:"no onion"':
    'precisa ser <item_id>[x<quantity>][:observation], por exemplo 3002x2:"sem cebola"',
  "must be key=value, for example city=Recife": "precisa ser key=value, por exemplo city=Recife",
  "{0} is there twice": "{0} aparece duas vezes",
  "the flags": "opções",
  "Which order? Give a file, or say with flags what is in it.":
    "Qual pedido? Informe um arquivo ou diga com opções o que vai nele.",
  "A complete file to start from: comanda prefill --example\nOr with flags: comanda prefill --order-type takeout --item 3002x2":
    "Um arquivo completo para começar: comanda prefill --example\nOu com opções: comanda prefill --order-type takeout --item 3002x2",
  "is nested too deeply": "tem níveis demais",
  "Pipe it in: comanda prefill - < order.yaml": "Passe por um pipe: comanda prefill - < order.yaml",
  "{0} isn't text in UTF-8.": "{0} não é texto em UTF-8.",
  "Save it as UTF-8. A complete file to start from: comanda prefill --example":
    "Salve como UTF-8. Um arquivo completo para começar: comanda prefill --example",
  "{0} holds more than {1}.": "{0} tem mais de {1}.",
  "Look at what is piped in, or redirected.": "Veja o que vem pelo pipe ou pelo redirecionamento.",
  "Check the path.": "Confira o caminho.",
  "The pre-filled order is made; its links are above.":
    "O pedido pré-preenchido foi criado; os links estão acima.",
  "The service's link is too long for a QR code.": "O link do serviço é longo demais para um QR code.",
  "a field": "um campo",
  "--open needs an HTML file to open.": "--open precisa de um arquivo HTML para abrir.",
  "Leave it out.": "Tire essa opção.",
  "0 calls: all of it is kept.": "0 chamadas: está tudo guardado.",
  "{0}: no wait.": "{0}: sem espera.",
  "{0}: about {1}.": "{0}: cerca de {1}.",
  "{0}, as fast as the service takes them: comanda doesn't count (COMANDA_RATE_LIMITS=off).":
    "{0}, tão rápido quanto o serviço aceitar: o comanda não conta (COMANDA_RATE_LIMITS=off).",
  "The report is in {0}.": "O relatório está em {0}.",
  "Without a terminal no browser is opened.": "Sem terminal, nenhum navegador é aberto.",
  "API key only: no sales figures, no drivers": "só chave de API: sem faturamento nem entregadores",
  "signed in": "conectada",
  "signed in; the access token has expired and is renewed by the next command":
    "conectada; o token de acesso expirou e o próximo comando renova",
  "the access token has expired, and nothing is stored to renew it with: sign in again":
    "o token de acesso expirou, e não há nada guardado para renovar: entre de novo",
  "refused by the service: sign in again": "recusada pelo serviço: entre de novo",
  "the service can't be reached": "o serviço está fora do ar",
  "signed out": "desconectada",
  "Time zone:    {0}": "Fuso horário: {0}",
  "not set, so it is this machine's": "não definido, então é o desta máquina",
  "Until then the status of orders is changed with its API key.":
    "Até lá, o status dos pedidos é alterado com a chave de API.",
  "{0} needs a new sign-in.": "{0} precisa de um novo login.",
  "The service gave no answer that tells the state of the sign-in.":
    "O serviço não deu uma resposta que diga a situação do login.",
  "Try again in a moment.": "Tente de novo daqui a pouco.",
  "Partner key:  stored": "Parceiro:     chave guardada",
  "can't be changed": "não podem ser alterados",
  "can be changed": "podem ser alterados",
  "can be changed, with the API key": "podem ser alterados com a chave de API",
  "Token ended:  {0}": "Token venceu: {0}",
  "Token until:  {0}{1}": "Token até:    {0}{1}",
  ", then it renews itself": ", depois se renova sozinho",
  "No store yet. Sign in at one: comanda login --store <alias> --env <name>":
    "Nenhuma loja ainda. Entre em uma: comanda login --store <apelido> --env <nome>",
  "Commands work at {0} ({1}) from now on.": "De agora em diante, os comandos trabalham em {0} ({1}).",
  "Nothing to set was given.": "Faltou dizer o que definir.",
  "Give --tz, --day-starts, --currency or --locale.": "Informe --tz, --day-starts, --currency ou --locale.",
  "not set": "não definido",
  "{0} is called {1} from now on.": "De agora em diante, {0} se chama {1}.",
  "Nothing was removed.": "Nada foi removido.",
  "{0} is forgotten on this machine.": "{0} foi esquecida nesta máquina.",
  "Forget the store {0} on this machine?": "Esquecer a loja {0} nesta máquina?",
  'The alert "{0}" is about a change, but nothing is compared.':
    'O alerta "{0}" é sobre uma variação, mas nada é comparado.',
  "An alert holds: {0}.": "Um alerta disparou: {0}.",
  "The days of {0} are counted in this machine's time zone, {1}, which may not be the store's. Say which is: comanda stores set {2} --tz <zone>":
    "Os dias de {0} são contados no fuso horário desta máquina, {1}, que talvez não seja o da loja. Diga qual é: comanda stores set {2} --tz <zone>",
  "{0} of {1} stores gave no figures: {2}.": "{0} de {1} lojas não deram números: {2}.",
  "{0}, of which the service takes {1} a minute: about {2}.":
    "{0}, e o serviço aceita {1} por minuto: cerca de {2}.",
  "{0} can't be written: {1}.": "{0} não pode ser gravado: {1}.",
  "{0} Figures are not kept for the next time.": "{0} Os números não ficam guardados para a próxima vez.",
  "Choose another place. Figures that were fetched already are kept.":
    "Escolha outro lugar. Os números já buscados ficam guardados.",
  "of the store {0}": "da loja {0}",
  "comanda env list": "comanda env list",
  "There is no {0} {1}.": "Não há {0} {1}.",
  "{0} Waiting for the answers that are still out; a second signal gives them up.":
    "{0} Esperando as respostas que ainda não chegaram; um segundo sinal desiste delas.",
  "{0} not done": "{0} não feitos",
  "--input contradicts --field and --json-field.": "--input contradiz --field e --json-field.",
  '{0} takes name{1}value, not "{2}".': '{0} aceita name{1}value, não "{2}".',
  "COMANDA_ACCESS_TOKEN or COMANDA_API_KEY": "COMANDA_ACCESS_TOKEN ou COMANDA_API_KEY",
  "{0} {1} (attempt {2}): {3} in {4} ms": "{0} {1} (tentativa {2}): {3} em {4} ms",
  "not shown": "não informado",
  "no fee": "sem taxa",
  "Whoever is on the way to it reads credentials and orders: http hides nothing.":
    "Quem está no caminho até ele lê credenciais e pedidos: http não esconde nada.",
  "Keep it to tests, and set https elsewhere: comanda env set --help":
    "Use só em testes, e https no resto: comanda env set --help",
  waiting_confirmation: "aguardando confirmação",
  pending_payment: "pagamento pendente",
  pending_online_payment: "pagamento online pendente",
  scheduled_confirmed: "agendamento confirmado",
  confirmed: "em preparo",
  ready: "pronto",
  released: "saiu para entrega",
  waiting_to_catch: "aguardando retirada",
  canceling: "em cancelamento",
  closed: "finalizado",
  "order {0}": "o pedido {0}",
  "argument {0}": "argumento {0}",
  "line {0}": "linha {0}",
  "Order {0} {1}: {2}": "Pedido {0} {1}: {2}",
  "There is a fault in {0}; nothing was sent.": "Há um erro ({0}); nada foi enviado.",
  "There are {0} faults in {1}; nothing was sent.": "Há {0} erros ({1}); nada foi enviado.",
  "… and {0} more": "… e mais {0}",
  "Store:        {0} ({1})": "Loja:         {0} ({1})",
  "State:        {0}": "Situação:     {0}",
  "Checked:      {0}": "Verificado:   {0}",
  "not checked: {0}": "não verificada: {0}",
  "the sign-in, by a summary of one minute": "o login, por um resumo de um minuto",
  "the API key, by marking an order as delivered that can't exist":
    "a chave de API, marcando como entregue um pedido que não pode existir",
  "{0}: the service accepts it": "{0}: o serviço aceita",
  "{0}: the service doesn't allow it": "{0}: o serviço não permite",
  "{0}: the service refuses it": "{0}: o serviço recusa",
  "{0}: no answer of the API that tells": "{0}: nenhuma resposta da API que diga",
  "The answer is not one of the API's{0}.": "A resposta não é da API{0}.",
  "The key was not checked: {0}": "A chave não foi verificada: {0}",
  "The service refuses this API key of {0} ({1}), so it is not stored.":
    "O serviço recusa esta chave de API de {0} ({1}), por isso ela não foi guardada.",
  "Permissions:  {0}": "Permissões:   {0}",
  "Orders:       {0}": "Pedidos:      {0}",
  "API key:      stored": "Chave de API: guardada",
  yes: "sim",
  no: "não",
  "about {0} left": "faltam cerca de {0}",
  "at {0}": "em {0}",
  "{0} done": "feitos: {0}",
  "{0} refused": "recusados: {0}",
  "{0} failed": "com falha: {0}",
  "{0} unknown": "desconhecidos: {0}",
  "{0} skipped": "pulados: {0}",
  "The run was ended early: {0}": "A execução terminou antes: {0}",
  "The service's rate limit is reached.": "O limite de requisições do serviço foi atingido.",
  "The service asks to slow down.": "O serviço pede para ir mais devagar.",
  "Sales figures: first, how this store writes its money":
    "Números de vendas: primeiro, como esta loja escreve o dinheiro",
  "How was last month?": "Como foi o mês passado?",
  "Against the same month a year ago, without the canceled orders":
    "Contra o mesmo mês do ano passado, sem os pedidos cancelados",
  "Which hours were busy?": "Quais horas foram movimentadas?",
  "For a script: the best channels of the last 30 days, as JSON":
    "Para um script: os melhores canais dos últimos 30 dias, em JSON",
  "Sign out: the service revokes the tokens": "Saia: o serviço revoga os tokens",
  'orders cancel 4711 --reason "The kitchen is closed"': 'orders cancel 4711 --reason "A cozinha fechou"',
  dispatched: "despachado",
  delivered: "entregue",
  finalized: "finalizado",
  canceled: "cancelado",
  dispatch: "despachar",
  assign: "atribuir",
  deliver: "entregar",
  finalize: "finalizar",
  cancel: "cancelar",
  done: "feito",
  refused: "recusado",
  failed: "falhou",
  unknown: "desconhecido",
  "not-done": "não feito",
  skipped: "pulado",
  "Unknown means that the request went out and no answer came back. To deliver, finalize or cancel again is harmless.":
    "Desconhecido quer dizer que a requisição saiu e não voltou resposta. Entregar, finalizar ou cancelar de novo não faz mal.",
  "Refused orders are as they were; the message of each says why.":
    "Pedidos recusados estão como estavam; a mensagem de cada um diz por quê.",
  "Failed orders were certainly not changed: the same command may be run again for them.":
    "Pedidos com falha com certeza não foram alterados: o mesmo comando pode ser executado de novo para eles.",
  text: "texto",
  "a whole number": "um número inteiro",
  "A complete file to start from: comanda prefill --example":
    "Um arquivo completo para começar: comanda prefill --example",
  "a quote isn't closed": "falta fechar aspas",
  "a list or a group of fields isn't closed": "falta fechar uma lista ou um grupo de campos",
  "can't be read here; check quotes, commas and the indentation":
    "não dá para ler aqui; confira aspas, vírgulas e recuos",
  "a field's name must be text": "o nome de um campo precisa ser texto",
  "*{0} is an alias: write out what it stands for": "*{0} é uma referência: escreva por extenso",
  "a number that would not arrive as it is; put it in quotes":
    "um número que não chegaria como está; coloque entre aspas",
  "{0} has a place of its own, outside of extra.": "{0} tem lugar próprio, fora de extra.",
  "{0} isn't shown in the specification.{1} What is meant all the same goes into extra.":
    "{0} não aparece na especificação.{1} O que vai assim mesmo fica em extra.",
  "is indented with a tab; use spaces": "tem recuo com tabulação; use espaços",
  "Put a valid access token into COMANDA_ACCESS_TOKEN, or choose a store that is signed in with --store.":
    "Coloque um token de acesso válido em COMANDA_ACCESS_TOKEN, ou escolha com --store uma loja conectada.",
  "Put the store's API key into COMANDA_API_KEY, or choose a store that has one with --store.":
    "Coloque a chave de API da loja em COMANDA_API_KEY, ou escolha com --store uma loja que tenha uma.",
  "must be an integer of at least 1": "precisa ser um número inteiro a partir de 1",
  "must be digits only": "só pode ter dígitos",
  "is only allowed where order_type is delivery": "só é permitido com order_type delivery",
  "%": "%",
  Action: "Ação",
  Attempts: "Tentativas",
  "Auth URL": "URL de login",
  Average: "Ticket médio",
  "Base URL": "URL base",
  By: "Por",
  Change: "Variação",
  "Checkout page": "Checkout",
  "Client id": "Client id",
  Code: "Código",
  Current: "Atual",
  Default: "Padrão",
  Details: "Detalhes",
  Driver: "Entregador",
  Endpoint: "Endpoint",
  Environment: "Ambiente",
  "Fee not known": "Taxa desconhecida",
  Canceled: "Cancelados",
  "Canceled fees": "Taxas dos cancelados",
  Fee: "Taxa",
  Figure: "Indicador",
  Filters: "Filtros",
  From: "De",
  HTTP: "HTTP",
  Id: "Id",
  Kept: "Guardado",
  Key: "Chave",
  "Known fees": "Taxas conhecidas",
  Line: "Linha",
  Message: "Mensagem",
  Number: "Número",
  Operation: "Operação",
  "Order page": "Página do pedido",
  Order: "Pedido",
  Outcome: "Resultado",
  Previous: "Anterior",
  "Redirect URI": "URI de retorno",
  Revenue: "Faturamento",
  Share: "% do total",
  State: "Situação",
  Status: "Status",
  Store: "Loja",
  "Time zone": "Fuso horário",
  To: "Até",
  When: "Quando",
  With: "Com",
  "not set: see comanda env set --help": "não configurado: veja comanda env set --help",
  "{0} Waiting {1} s, until {2}; --max-wait sets the longest wait.":
    "{0} Esperando {1} s, até {2}; --max-wait define a espera máxima.",
  "{0} {1} to wait, until {2}.": "{0} Faltam {1}, até {2}.",
  "Run the command again with --debug.": "Execute o comando de novo com --debug.",
  "comanda {0}, Node {1}, {2}.": "comanda {0}, Node {1}, {2}.",
  "comanda needs Node 20.18.1 or newer.": "O comanda precisa do Node 20.18.1 ou mais novo.",
  "file system": "sistema de arquivos",
  "Use a folder on this machine's own disk.": "Use uma pasta no disco desta máquina.",
  "database {0}.db": "banco de dados {0}.db",
  "database {0} (PostgreSQL)": "banco de dados {0} (PostgreSQL)",
  "None yet: it is made when something is kept.": "Nenhum ainda: é criado quando algo é guardado.",
  "{0} is sound.": "{0} está íntegro.",
  "{0} isn't there yet; the first write makes it.": "{0} ainda não existe; a primeira gravação cria.",
  "{0} can't be written to.": "Não dá para gravar em {0}.",
  "Give this user the right, or choose another folder: comanda help environment":
    "Dê a permissão a este usuário, ou escolha outra pasta: comanda help environment",
  "{0}: yours alone, and can be written to.": "{0}: é só sua, e dá para gravar.",
  "{0} can be written to.": "Dá para gravar em {0}.",
  "{0} MiB are free there.": "Há {0} MiB livres ali.",
  "Make room: on a full disk nothing is sent.": "Libere espaço: com o disco cheio nada é enviado.",
  "{0} can be read.": "{0} pode ser lido.",
  "Sign in: comanda login --store <alias> --env <name>":
    "Entre: comanda login --store <apelido> --env <nome>",
  "Every write of the last 7 days has an outcome.": "Todo envio dos últimos 7 dias tem resultado.",
  "1 write of the last 7 days has no known outcome.":
    "1 envio dos últimos 7 dias não tem resultado conhecido.",
  "{0} writes of the last 7 days have no known outcome.":
    "{0} envios dos últimos 7 dias não têm resultado conhecido.",
  "See which: comanda history --since 7d --outcome unknown":
    "Veja quais: comanda history --since 7d --outcome unknown",
  "Set by {0}.": "Definido por {0}.",
  "{0} is trusted too.": "{0} também é de confiança.",
  "{0} isn't there.": "{0} não existe.",
  "Correct NODE_EXTRA_CA_CERTS, or unset it.": "Corrija NODE_EXTRA_CA_CERTS, ou tire a variável.",
  "NODE_TLS_REJECT_UNAUTHORIZED=0: no certificate is checked.":
    "NODE_TLS_REJECT_UNAUTHORIZED=0: nenhum certificado é conferido.",
  "Unset it.": "Tire essa variável.",
  "{0} answers.": "{0} responde.",
  "Check HTTPS_PROXY.": "Confira HTTPS_PROXY.",
  "Check the network, and the address: comanda env list": "Confira a rede e o endereço: comanda env list",
  "Behind a proxy that opens TLS, NODE_EXTRA_CA_CERTS names the file with its certificate.":
    "Atrás de um proxy que abre o TLS, NODE_EXTRA_CA_CERTS indica o arquivo com o certificado dele.",
  "Check the network, a firewall, and the address: comanda env list":
    "Confira a rede, um firewall e o endereço: comanda env list",
  "This machine's clock and the service's are {0} s apart.":
    "O relógio desta máquina e o do serviço têm {0} s de diferença.",
  "Let the system set its clock by the network (NTP).": "Deixe o sistema acertar o relógio pela rede (NTP).",
  "Free, as a sign-in needs it.": "Livre, como o login precisa.",
  "Another program listens there.": "Outro programa usa essa porta.",
  "End it before the next sign-in.": "Encerre-o antes do próximo login.",
  "A sign-in opens the browser of this machine.": "O login abre o navegador desta máquina.",
  "None here: a sign-in prints the address, to be opened on another machine.":
    "Não há nenhum aqui: o login mostra o endereço, para abrir em outra máquina.",
  "{0}; the machine's time zone is {1}.": "{0}; o fuso horário da máquina é {1}.",
  "Not set, so its days are counted in {0}.": "Não definido; os dias dela são contados em {0}.",
  "Set it: comanda stores set {0} --tz {1}": "Defina: comanda stores set {0} --tz {1}",
  "None yet: {0} is made when one is set.": "Nenhuma ainda: {0} é criado quando uma é definida.",
  "settings folder": "pasta das configurações",
  "{0}: disk": "{0}: disco",
  "store {0}": "loja {0}",
  "service {0}": "serviço {0}",
  "clock ({0})": "relógio ({0})",
  "redirect port {0}": "porta do login {0}",
  "time zone of {0}": "fuso horário de {0}",
  node: "Node",
  settings: "configurações",
  stores: "lojas",
  journal: "diário",
  proxy: "proxy",
  certificates: "certificados",
  browser: "navegador",
  language: "idioma",
  ok: "certo",
  warning: "aviso",
  failure: "erro",
  locale: "idioma e formato",
  currency: "moeda",
  "1 thing has to be mended.": "Há 1 coisa para consertar.",
  "{0} things have to be mended.": "Há {0} coisas para consertar.",
  "What to do stands beside each.": "O que fazer está ao lado de cada uma.",
  Check: "Verificação",
  Found: "Encontrado",
  "What to do": "O que fazer",
  Value: "Valor",
  "Written: {0}. {1}": "Gravado: {0}. {1}",
  'There is no completion for "{0}".': 'Não existe autocompletar para "{0}".',
  "There are: {0}. To write one where the shell looks: comanda completion install":
    "Existem: {0}. Para gravar onde o shell procura: comanda completion install",
  "Which shell is meant can't be told from SHELL.": "Não dá para saber pelo SHELL de qual shell se trata.",
  "Name it: comanda completion install bash": "Diga qual: comanda completion install bash",
  "{0} can't be written.": "Não dá para gravar {0}.",
  "Write it yourself: comanda completion {0} > FILE": "Grave você: comanda completion {0} > FILE",
  "This user has no home folder.": "Este usuário não tem pasta pessoal.",
  "New terminals have it, where the package bash-completion is installed. Else put into ~/.bashrc: source <(comanda completion bash)":
    "Novos terminais já têm, se o pacote bash-completion estiver instalado. Senão, coloque em ~/.bashrc: source <(comanda completion bash)",
  "Put into ~/.zshrc, if it isn't there: fpath=({0} $fpath); autoload -Uz compinit; compinit":
    "Coloque em ~/.zshrc, se ainda não estiver lá: fpath=({0} $fpath); autoload -Uz compinit; compinit",
  "New terminals have it.": "Novos terminais já têm.",
  'Put into the file that $PROFILE names: . "{0}"': 'Coloque no arquivo que $PROFILE indica: . "{0}"',
  'Which driver is "{0}"?': 'Qual entregador é "{0}"?',
  'More than one driver is called "{0}": {1}.': 'Mais de um entregador se chama "{0}": {1}.',
  "Give the id.": "Informe o id.",
  'No driver of {0} is called "{1}".{2}': 'Nenhum entregador de {0} se chama "{1}".{2}',
  "No driver's name is known at {0}, so \"{1}\" can't be found.":
    'Nenhum nome de entregador é conhecido em {0}, então não dá para achar "{1}".',
  "Give the order's id: comanda driver assign <order-id> <driver>":
    "Informe o id do pedido: comanda driver assign <order-id> <driver>",
  'A driver is an id, a whole number of at least 1, or a name; not "{0}".':
    'Um entregador é um id, um número inteiro a partir de 1, ou um nome; não "{0}".',
  "Which store?": "Qual loja?",
  "Which environment?": "Qual ambiente?",
  "A short name of your choice for the store:": "Um nome curto para a loja, à sua escolha:",
  "Split by what?": "Dividir por quê?",
  "Which driver for order {0}?": "Qual entregador para o pedido {0}?",
  "Which driver for order {0}? The id, or the name:": "Qual entregador para o pedido {0}? O id, ou o nome:",
  "another one": "outro",
  '--fee takes {0}, not "{1}".': '--fee aceita {0}, não "{1}".',
  "an amount without a thousands separator, with at most two decimals":
    "um valor sem separador de milhar, com no máximo duas casas decimais",
  "driver assign": "atribuir entregador",
  Why: "Por quê",
  "Its status doesn't allow it: it may be finished, or not at that step yet.":
    "O status dele não permite: talvez já esteja finalizado, ou ainda não chegou a essa etapa.",
  "The service knows no such order. Is the id right, and of this store?":
    "O serviço não conhece este pedido. O id está certo, e é desta loja?",
  "The service refused the credential.": "O serviço recusou a credencial.",
  "The service doesn't allow it to this store's sign-in.": "O serviço não permite isso ao login desta loja.",
  "The service refused the request: {0}": "O serviço recusou a requisição: {0}",
  "The service refused the request.": "O serviço recusou a requisição.",
  "The emulator doesn't run: nothing listens at {0}.": "O emulador não está rodando: nada responde em {0}.",
  "Start it in a terminal of its own: {0}": "Inicie-o em um terminal só dele: {0}",
  dispatchOrder: "despachar",
  deliverOrder: "entregar",
  finalizeOrder: "finalizar",
  cancelOrder: "cancelar",
  assignDriver: "atribuir entregador",
  createPrefilledOrder: "pedido pré-preenchido",
  reason: "motivo",
  driver_fee: "taxa",
  "Choose another temporary folder with TMPDIR, which nobody else can write to.":
    "Escolha com TMPDIR outra pasta temporária, na qual ninguém mais possa gravar.",
  "sign in at a store, or store its API key": "entra em uma loja, ou guarda a chave de API dela",
  "revoke a store's tokens at the service, then forget them and its keys":
    "revoga os tokens de uma loja no serviço e depois esquece os tokens e as chaves",
  "is the store signed in? A gate for scripts by its exit code":
    "a loja está conectada? Um teste para scripts, pelo código de saída",
  "change the status of orders": "altera o status dos pedidos",
  "send orders on their way, or have them wait for pickup":
    "despacha pedidos para entrega, ou deixa esperando a retirada",
  "mark delivery orders as delivered": "marca pedidos de entrega como entregues",
  "finalize orders": "finaliza pedidos",
  "cancel orders": "cancela pedidos",
  "assign the drivers of delivery orders": "atribui os entregadores dos pedidos de entrega",
  "assign or replace the driver of a delivery order": "atribui ou troca o entregador de um pedido de entrega",
  "make a pre-filled order, which opens in the store's digital menu":
    "cria um pedido pré-preenchido, que abre no cardápio digital da loja",
  "orders, revenue and average order value of a period": "pedidos, faturamento e ticket médio de um período",
  "the figures of a period, split by one dimension": "os números de um período, divididos por uma dimensão",
  "a period at a glance, as one HTML file with pictures":
    "um resumo do período em um arquivo HTML, com gráficos",
  "what this machine sent: who did what to which order, and what came of it":
    "o que esta máquina enviou: quem fez o quê em qual pedido, e no que deu",
  "say what you have looked up of an order whose change is unknown":
    "diz o que você apurou de um pedido cuja alteração é desconhecida",
  "the orders that each driver was given here, and the fees for them":
    "os pedidos que cada entregador recebeu aqui, e as taxas deles",
  "any call to the service, signed with the store's credentials":
    "qualquer chamada ao serviço, assinada com as credenciais da loja",
  "the stores that this machine knows": "as lojas que esta máquina conhece",
  "list the stores that this machine knows": "lista as lojas que esta máquina conhece",
  "choose the store that commands work at without --store":
    "escolhe a loja em que os comandos trabalham sem --store",
  "say in which time zone a store's days are counted, and how its figures are shown":
    "diz em que fuso horário os dias de uma loja são contados e como os números dela são mostrados",
  "give a store another alias": "dá outro apelido a uma loja",
  "forget a store without telling the service": "esquece uma loja sem avisar o serviço",
  "the environments of the service that this machine knows":
    "os ambientes do serviço que esta máquina conhece",
  "set the addresses of an environment and how this app is registered there":
    "define os endereços de um ambiente e como este app está registrado nele",
  "list the environments and their addresses": "lista os ambientes e os endereços deles",
  "forget an environment's addresses": "esquece os endereços de um ambiente",
  "print the API's description as an OpenAPI 3.1 document":
    "mostra a descrição da API como um documento OpenAPI 3.1",
  "the whole service on this machine, to try things on": "o serviço inteiro nesta máquina, para experimentar",
  "start the service's emulator on this machine": "inicia o emulador do serviço nesta máquina",
  "run a command against an emulator of its own, with a store signed in":
    "executa um comando contra um emulador próprio, com uma loja conectada",
  "list what the specification leaves open, as switches of the emulator":
    "lista o que a especificação deixa em aberto, como chaves do emulador",
  "a guided tour on the emulator; it leaves nothing behind":
    "um passeio guiado no emulador; não deixa nada para trás",
  "Usage:": "Uso:",
  "Options:": "Opções:",
  "Global Options:": "Opções gerais:",
  "Commands:": "Comandos:",
  "Examples:": "Exemplos:",
  "[options]": "[opções]",
  "[command]": "[comando]",
  "default:": "padrão:",
  "choices:": "valores:",
  "print this help": "mostra esta ajuda",
  "Change orders, assign drivers and read sales figures from the terminal, a script or cron.":
    "Altere pedidos, atribua entregadores e veja o faturamento pelo terminal, por um script ou pelo cron.",
  "sign in at a store": "entrar em uma loja",
  "send an order on its way": "despachar um pedido",
  "comanda <command> --help": "comanda <comando> --help",
  "what is wrong here, and what to do about it": "o que está errado aqui, e o que fazer",
  "completion by Tab, for bash, zsh, fish and PowerShell":
    "autocompletar com Tab, para bash, zsh, fish e PowerShell",
  Orders: "Pedidos",
  Figures: "Vendas",
  Stores: "Lojas",
  Machine: "Máquina",
  Builders: "Integração",
  "every command, with what it is for": "todos os comandos, e para que servem",
  "what it does, its options and examples": "o que faz, suas opções e exemplos",
  "The options of every command: comanda help options":
    "As opções de todos os comandos: comanda help options",
  "help on a command or a topic; all commands, or the options of all":
    "ajuda de um comando ou tema; todos os comandos, ou as opções de todos",
  "On an evening:": "Numa noite:",
  "More:": "Mais:",
  "it has arrived": "ele foi entregue",
  "it is closed": "ele está finalizado",
  "it is canceled, with a reason": "ele é cancelado, com um motivo",
  "give an order its driver": "dar um entregador a um pedido",
  "how was the day?": "como foi o dia?",
  "periods, filters, figures, json, cron, exit-codes": "periods, filters, figures, json, cron, exit-codes",
  "For scripts and long lists (comanda help {0}):": "Para scripts e listas longas (comanda help {0}):",
  "the drivers who had orders in the last 30 days": "os entregadores que tiveram pedidos nos últimos 30 dias",
  "ask the last days again, keep them as rows for SQL, and tell what has changed":
    "pedir de novo os últimos dias, guardá-los como linhas para SQL, e dizer o que mudou",
  "To send what is left: the same command with --resume.":
    "Para enviar o que falta: o mesmo comando com --resume.",
  "{0} of {1} orders were not done.": "{0} de {1} pedidos não foram feitos.",
  'A line such as "{0}" is a comment, so it is skipped. An id in a list has no # before it.':
    'Uma linha como "{0}" é um comentário e é ignorada. Em uma lista, um id não tem # antes.',
  "The list ends in the middle of a line, so it may have been cut off. See whether its last id is whole.":
    "A lista termina no meio de uma linha e pode ter sido cortada. Veja se o último id está inteiro.",
  "An order id ({0}) is empty; nothing was sent.": "Um id de pedido ({0}) está vazio; nada foi enviado.",
  'An order id ({0}) is digits alone, not "{1}"; nothing was sent.':
    'Um id de pedido ({0}) tem só algarismos, não "{1}"; nada foi enviado.',
  "Give several as separate arguments, or one a line on stdin.":
    "Informe vários como argumentos separados, ou um por linha na entrada padrão.",
  "It was sent before, and nothing tells whether it was done.": "Foi enviado antes, e nada diz se foi feito.",
  "a second order begins here; a file holds one": "um segundo pedido começa aqui; um arquivo tem um só",
  "This terminal can't show a QR code.": "Este terminal não consegue mostrar um QR code.",
  "The QR code needs {0} columns, and the terminal has {1}.":
    "O QR code precisa de {0} colunas, e o terminal tem {1}.",
  "Was another file meant? It holds one order.": "Era para ser outro arquivo? Ele tem um pedido.",
  crontab: "crontab",
  "A line needs the full path of comanda, and no variable.":
    "Uma linha precisa do caminho completo do comanda, e de nenhuma variável.",
  "Set here, and not known to cron: {0}.": "Definidas aqui, e desconhecidas do cron: {0}.",
  "Set them in the crontab: comanda help cron": "Defina-as no crontab: comanda help cron",
};
