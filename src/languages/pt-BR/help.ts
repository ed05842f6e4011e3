/** What help alone says: paragraphs, options and topics. What else a command says stands with its area. */
import type { Catalogue } from "../language.js";

export const help: Catalogue = {
  "print the version": "mostra a versão",
  "the store to work at": "a loja em que trabalhar",
  "every store that this machine knows; reports take --store several times too":
    "todas as lojas que esta máquina conhece; relatórios também aceitam --store várias vezes",
  "JSON on stdout, errors as JSON on stderr": "JSON na saída padrão, erros em JSON na saída de erros",
  "how results are printed": "como os resultados são escritos",
  "data and errors alone: no sentences, notices or progress":
    "só dados e erros: sem frases, avisos ou progresso",
  "show each request, and where a fault arose": "mostra cada requisição e onde surgiu um defeito",
  "no colours; FORCE_COLOR=1 has them without a terminal too":
    "sem cores; FORCE_COLOR=1 as dá também fora de um terminal",
  "never ask anything": "nunca pergunta nada",
  "longest time for one request (default: 30s)": "tempo máximo de uma requisição (padrão: 30s)",
  "longest wait for a place within the rate limit (default: 5m)":
    "espera máxima por uma vaga no limite de requisições (padrão: 5m)",
  "show what would be sent, send nothing": "mostra o que seria enviado, sem enviar",
  "The store's owner allows the app in the browser. Without a terminal --no-browser has to be given: whoever started the command opens the address that it shows.":
    "O dono da loja autoriza o app no navegador. Sem terminal é preciso --no-browser: quem iniciou o comando abre o endereço que ele mostra.",
  "Sales are counted in days of the store's time zone. At a terminal login asks which that is and proposes this machine's; --tz says it, and --no-input asks nothing.":
    "As vendas são contadas em dias do fuso horário da loja. Em um terminal, login pergunta qual é e sugere o desta máquina; --tz diz qual é, e --no-input não pergunta nada.",
  "With --api-key the store's key is read from a prompt, or from stdin where that isn't a terminal; with --partner-key the partner key, which goes along with it where the service asks for both. The service is asked once whether it takes the API key, and one that it refuses isn't stored. Where nothing of the API answers the key is stored, and told as not checked.":
    "Com --api-key a chave da loja é lida de uma pergunta, ou da entrada padrão quando ela não é um terminal; com --partner-key a chave de parceiro, que vai junto quando o serviço pede as duas. O serviço é perguntado uma vez se aceita a chave de API, e a que ele recusa não é guardada. Quando nada da API responde, a chave é guardada, com o aviso de que não foi verificada.",
  "the environment to sign in at": "o ambiente em que entrar",
  "IANA name of the store's time zone, for example America/Sao_Paulo":
    "nome IANA do fuso horário da loja, por exemplo America/Sao_Paulo",
  "only show the address to open": "só mostra o endereço a abrir",
  "store the API key that the store portal shows": "guarda a chave de API que o portal da loja mostra",
  "store the partner key: for comanda api --auth partner":
    "guarda a chave de parceiro: para comanda api --auth partner",
  "longest wait for the owner (default: 5m)": "espera máxima pelo dono da loja (padrão: 5m)",
  "every store that is signed in": "todas as lojas com sessão",
  "Answers from what is stored, without a call. Exit code 0: the store is signed in, if need be with a token that commands renew themselves, or has a key alone, which is enough for orders and shows no sales figures. Exit code 3: it needs a new sign-in, also where its API key still changes the status of orders; that is \"can_change_orders\" in --json. --check asks the service, which renews a token that has expired. A sign-in is tried by a summary of one minute, one of 5 a minute. There is no call that only asks for an API key: with it an order is marked as delivered that can't exist. Only an answer of the API's own proves or disproves it.":
    'Responde com o que está guardado, sem chamada. Código de saída 0: a loja está conectada, se preciso com um token que os próprios comandos renovam, ou tem só uma chave, que basta para os pedidos e não mostra faturamento. Código de saída 3: precisa de um novo login, mesmo que a chave de API ainda altere o status dos pedidos; isso é "can_change_orders" em --json. --check pergunta ao serviço, o que renova um token expirado. Um login é testado por um resumo de um minuto, um dos 5 por minuto. Para uma chave de API não há chamada que só pergunte: com ela se marca como entregue um pedido que não pode existir. Só uma resposta da própria API prova ou desmente.',
  "ask the service": "pergunta ao serviço",
  "Delivery orders go out for delivery; takeout and onsite orders wait for pickup.":
    "Pedidos de entrega saem para entrega; os de retirada e os do local esperam a retirada.",
  "Only delivery orders that are out for delivery can be delivered.":
    "Só pedidos que saíram para entrega podem ser entregues.",
  "A finalized order can't be changed any more.": "Um pedido finalizado não pode mais ser alterado.",
  "A canceled order can't be changed any more. At a terminal a cancel asks first; --yes skips the question, and canceling several takes it where nobody can be asked.":
    "Um pedido cancelado não pode mais ser alterado. Num terminal há uma pergunta antes; --yes a dispensa, e para cancelar vários onde ninguém pode responder ele é preciso.",
  "why; kept with the order (section 4.2)": "o motivo; guardado com o pedido (seção 4.2)",
  "cancel without asking": "cancela sem perguntar",
  "what the driver gets; in the store's currency, at least 0, with at most two decimals (section 4.1)":
    "o que o entregador recebe; na moeda da loja, a partir de 0, com no máximo duas casas decimais (seção 4.1)",
  "remove the fee": "tira a taxa",
  "It needs the store's API key: comanda login --api-key --store <alias> --env <name>":
    "Precisa da chave de API da loja: comanda login --api-key --store <apelido> --env <nome>",
  "delivery or takeout (section 4.9)": "entrega, delivery, ou retirada, takeout (seção 4.9)",
  "the customer's name (section 4.9)": "o nome do cliente (seção 4.9)",
  "the customer's phone; with its area code, digits only (section 4.9)":
    "o telefone do cliente; com DDD, só dígitos (seção 4.9)",
  "an item of the cart; its id in the store's catalog, a whole quantity and a note to the kitchen (section 4.9; repeatable)":
    "um item do carrinho; o id no catálogo da loja, uma quantidade inteira e uma nota para a cozinha (seção 4.9; pode repetir)",
  "a field of the delivery address; only for delivery, street= leaves street out (sections 2.2 and 4.9; repeatable)":
    "um campo do endereço de entrega; só com delivery, street= tira a rua (seções 2.2 e 4.9; pode repetir)",
  "open the order page in the browser": "abre a página do pedido no navegador",
  "draw the order page's address as a QR code": "desenha o endereço da página do pedido como QR code",
  "print a complete file to start from": "mostra um arquivo completo para começar",
  "first day, or date-time with offset": "primeiro dia, ou data com hora e fuso",
  "last day, or date-time with offset (default: now)": "último dia, ou data com hora e fuso (padrão: agora)",
  "time zone in which days are counted, for example America/Sao_Paulo":
    "fuso horário em que os dias são contados, por exemplo America/Sao_Paulo",
  "the date that counts; scheduled_date doesn't go with hours (section 4.6; default: created_at)":
    "a data que conta; scheduled_date não serve para horas (seção 4.6; padrão: created_at)",
  "only these orders; comanda help filters names the fields (section 4.8; repeatable)":
    "só estes pedidos; comanda help filters diz os campos (seção 4.8; pode repetir)",
  "without canceled orders: the same as --filter 'status!=canceled'":
    "sem pedidos cancelados: o mesmo que --filter 'status!=canceled'",
  "how numbers are written, for example pt-BR": "como os números são escritos, por exemplo pt-BR",
  "ask nothing: show what is kept on this machine, however old":
    "não consulta nada: mostra o que está guardado, por mais antigo que seja",
  "exit code 11 when it holds, else quiet: 'revenue<1500', 'orders<-30%' (repeatable)":
    "código de saída 11 quando dispara, senão silêncio: 'revenue<1500', 'orders<-30%' (pode repetir)",
  "revenue, orders, average, label or key, with :asc or :desc after it if wanted":
    "revenue, orders, average, label ou key; se quiser, com :asc ou :desc no fim",
  "only the first so many groups; by revenue where --sort isn't given":
    "só os primeiros grupos, nesta quantidade; por faturamento quando não há --sort",
  "draw the revenue as bars": "desenha o faturamento como barras",
  "where to write it; - is stdout (default: report-<days>.html)":
    "onde gravar; - é a saída padrão (padrão: report-<days>.html)",
  "open it in the browser": "abre no navegador",
  "so many of them (default: 50)": "quantos deles (padrão: 50)",
  "Look at the order first, such as in the portal. Its newest change that is unknown is settled, however often it was sent; to say it again corrects it. Nothing is sent. --outcome unknown lists it no more, `history drivers` counts it as you say, and a run that is gone on with sends what is not done, and not what is done.":
    "Olhe o pedido antes, por exemplo no portal. Fica resolvida a alteração desconhecida mais nova dele, não importa quantas vezes foi enviada; dizer de novo corrige. Nada é enviado. --outcome unknown não a lista mais, `history drivers` conta como você disser, e uma execução que continua envia o que não foi feito, e não o que foi.",
  "kept with it, such as where you looked": "fica junto, por exemplo onde você olhou",
  "a day, a date-time with offset, or how long ago: 2h, 7d":
    "um dia, uma data com hora e fuso, ou há quanto tempo: 2h, 7d",
  "of this order alone": "só deste pedido",
  "of this outcome alone": "só com este resultado",
  "The last assignment of an order counts, at the time when it was made, with the last fee that was given here. No call of the service tells this: orders that were assigned elsewhere, such as in the portal are not in it, and where the order kept the fee that it had, the fee is not known here. An order that was canceled from here is counted with its fee, and named beside it: whether its driver is paid is the store's to say. One that was canceled elsewhere can't be told from the others.":
    "Vale a última atribuição de um pedido, na hora em que foi feita, com a última taxa dada aqui. Nenhuma chamada do serviço informa isso: pedidos atribuídos em outro lugar, como no portal, não entram, e quando o pedido ficou com a taxa que tinha, a taxa não é conhecida aqui. Um pedido cancelado daqui é contado com a taxa dele e indicado ao lado: se o entregador é pago, a loja decide. Um que foi cancelado em outro lugar não se distingue dos demais.",
  "as of `comanda summary` (default: yesterday)": "como em `comanda summary` (padrão: yesterday, ontem)",
  "first day, or a date-time with offset": "primeiro dia, ou uma data com hora e fuso",
  "last day, or a date-time with offset": "último dia, ou uma data com hora e fuso",
  "whose days are counted; default: the store's, or the machine's":
    "de quem são os dias contados; padrão: da loja, ou da máquina",
  "The path is joined to the store's base URL and never leads elsewhere. The answer is printed as it came; any status but a 2xx ends with the exit code that it has for every command, its body on stdout all the same. GET, HEAD, PUT and DELETE are repeated where that does no harm; POST and PATCH never.":
    "O caminho é somado à URL base da loja e nunca leva a outro lugar. A resposta é mostrada como veio; qualquer status que não seja 2xx termina com o código de saída que tem em todo comando, e o corpo vai para a saída padrão mesmo assim. GET, HEAD, PUT e DELETE são repetidos quando isso não faz mal; POST e PATCH nunca.",
  'The JSON body is one object, the key as it is typed: an object or a list in it is a value of -F, such as -F \'customer={"name":"Ana"}\', and any other body comes from --input.':
    'O corpo JSON é um objeto, com a chave como foi digitada: um objeto ou lista dentro dele é um valor de -F, como -F \'customer={"name":"Ana"}\', e qualquer outro corpo vem de --input.',
  "a text of the JSON body (repeatable)": "um texto do corpo JSON (pode repetir)",
  "a number, true, null, list … of the JSON body (repeatable)":
    "um número, true, null, lista … do corpo JSON (pode repetir)",
  "a parameter of the query (repeatable)": "um parâmetro da query (pode repetir)",
  "the body, sent as it is; - is stdin": "o corpo, enviado como está; - é a entrada padrão",
  "a header (repeatable)": "um cabeçalho (pode repetir)",
  "bearer, key, or partner (API key and partner key)":
    "bearer, key ou partner (chave de API e chave de parceiro)",
  "print the status line and the headers first": "mostra antes a linha de status e os cabeçalhos",
  "What isn't given stays as it is. A flag of the single command goes before it.":
    "O que não for informado fica como está. A opção do comando vale mais.",
  "IANA name of the time zone, for example America/Sao_Paulo":
    "nome IANA do fuso horário, por exemplo America/Sao_Paulo",
  "when a day starts: sales after midnight belong to the night before; 00:00 takes it back":
    "quando um dia começa: vendas depois da meia-noite são da noite anterior; 00:00 desfaz",
  "ISO 4217 code, for example BRL": "código ISO 4217, por exemplo BRL",
  "The last 50, newest first; --limit shows more. Of a write that is unknown nothing tells whether it was done: its process was killed, or no answer came. `history settle` says what you have looked up of it; then --outcome unknown lists it no more. What was done elsewhere, such as in the portal, is not in it.":
    "Os últimos 50, os mais novos primeiro; --limit mostra mais. De um envio desconhecido nada diz se foi feito: o processo foi encerrado, ou não veio resposta. `history settle` diz o que você apurou dele; então --outcome unknown não o lista mais. O que foi feito em outro lugar, como no portal, não está aqui.",
  "A body is streamed, and each piece of it begins --timeout anew. An answer has at most 10 MiB.":
    "O corpo passa em fluxo, e cada pedaço dele recomeça --timeout. Uma resposta tem no máximo 10 MiB.",
  "With --matrix the command runs again and again, each time against another service that keeps to the specification: first the emulator as it is, then with each reading's other values. A table names the readings that break the command, and the exit code is 0 only where every run's is. Where the command fails on the emulator as it is, nothing else is run. What it prints is left out.":
    "Com --matrix o comando roda várias vezes, cada vez contra outro serviço que segue a especificação: primeiro o emulador como ele é, depois com os outros valores de cada leitura. Uma tabela diz quais leituras quebram o comando, e o código de saída só é 0 se o de todas as execuções for. Se o comando já falha no emulador como ele é, nada mais é executado. O que ele escreve fica de fora.",
  "With --host 0.0.0.0 other machines and containers reach it. Whoever drives it under /_emulator/ then sends as Authorization: Bearer the token that it tells on stderr.":
    "Com --host 0.0.0.0, outras máquinas e contêineres o alcançam. Quem o comanda em /_emulator/ envia então como Authorization: Bearer o token que ele informa em stderr.",
  "The store stays known, with its time zone, currency and start of the day, and with the sales figures that are kept; `comanda stores remove` forgets all of it.":
    "A loja continua conhecida, com fuso horário, moeda e início do dia, e com os números de vendas guardados; `comanda stores remove` esquece tudo.",
  "Its tokens and keys, its settings and its sales figures that are kept here go with it. Its tokens stay valid at the service until they expire; `comanda logout` revokes them first. It also takes away a session file that can't be read any more.":
    "Os tokens e chaves, a configuração e os números de vendas guardados aqui vão junto. Os tokens continuam válidos no serviço até expirar; `comanda logout` os revoga antes. Também tira um arquivo de sessão que não pode mais ser lido.",
  "The two addresses belong together: always take both from the same environment of the service. `sandbox` and `production` are the service's own; any other name is yours.":
    "Os dois endereços andam juntos: pegue sempre os dois do mesmo ambiente do serviço. `sandbox` e `production` são do próprio serviço; qualquer outro nome é seu.",
  "the API host; may carry a path": "o host da API; pode ter um caminho",
  "the portal page that asks the store's owner": "a página do portal que pergunta ao dono da loja",
  "the public id of the app": "o id público do app",
  "as registered for the app (default: http://127.0.0.1:8765/callback)":
    "como registrado para o app (padrão: http://127.0.0.1:8765/callback)",
  "Stores that are signed in there keep their own copy of the addresses and go on working.":
    "Lojas conectadas ali têm a própria cópia dos endereços e continuam funcionando.",
  "It is made from what comanda itself calls with.":
    "É feita com aquilo que o próprio comanda usa para chamar.",
  "It runs until it is interrupted. The environment `local` points to it on its usual port. Everything it holds is made up, the same for the same seed, and gone when it ends.":
    "Ele roda até ser interrompido. O ambiente `local` aponta para ele na porta de sempre. Tudo o que ele tem é inventado, igual para a mesma semente, e some no fim.",
  "where it listens, in the place of 127.0.0.1; its control surface then asks for a token":
    "onde ele escuta, no lugar de 127.0.0.1; a superfície de controle pede então um token",
  "A fault is one of status=503, reset, hang, delay=MILLISECONDS, truncate, garbage, not_http, html, empty, redirect=URL, oversize=BYTES and rate_limit=SECONDS. Behind a comma stand which calls have it (method=, path=, operation=), how often (times=), after how many (after=), whether before or after the call is processed (when=), and what the answer holds (body=, content_type=). A value in quotes may have commas.":
    "Uma falha é uma destas: status=503, reset, hang, delay=MILLISECONDS, truncate, garbage, not_http, html, empty, redirect=URL, oversize=BYTES e rate_limit=SECONDS. Depois de uma vírgula vem quais chamadas a têm (method=, path=, operation=), quantas vezes (times=), depois de quantas (after=), se antes ou depois de a chamada ser processada (when=), e o que a resposta tem (body=, content_type=). Um valor entre aspas pode ter vírgulas.",
  "where it listens; 0 takes a free port": "onde ele escuta; 0 usa uma porta livre",
  "mixed has orders of every kind, busy those of a restaurant, 120 a day":
    "mixed tem pedidos de todo tipo, busy os de um restaurante, 120 por dia",
  "how many orders mixed begins with, 2000 without it": "com quantos pedidos mixed começa; 2000 sem a opção",
  "the same seed makes the same orders": "a mesma semente dá os mesmos pedidos",
  "let calls fail, for example status=503,path=/dispatch,times=2 (repeatable)":
    "faz chamadas falharem, por exemplo status=503,path=/dispatch,times=2 (pode repetir)",
  "stores of your own, as JSON: [{id, name, time_zone, drivers, catalog}]":
    "lojas suas, em JSON: [{id, name, time_zone, drivers, catalog}]",
  "without the service's rate limits": "sem os limites de requisições do serviço",
  "The command runs with COMANDA_CONFIG_DIR, COMANDA_STORE and COMANDA_EMULATOR_URL set, and with this very comanda on its path. The exit code is the command's own; nothing is left behind. This is how a script is tested.":
    "O comando roda com COMANDA_CONFIG_DIR, COMANDA_STORE e COMANDA_EMULATOR_URL definidas, e com este mesmo comanda no caminho. O código de saída é o do próprio comando; nada fica para trás. É assim que se testa um script.",
  "Options of the emulator's stand before the command; -- between the two does no harm. The store has tokens, an API key and a partner key. With --no-limits comanda keeps to no rate limit either.":
    "As opções do emulador vêm antes do comando; -- entre os dois não faz mal. A loja tem tokens, uma chave de API e uma chave de parceiro. Com --no-limits o comanda também não respeita limites.",
  "run the command under every reading of the specification":
    "executa o comando com cada leitura da especificação",
  "what the specification leaves open, or random; see emulator readings (repeatable)":
    "o que a especificação deixa em aberto, ou random; veja emulator readings (pode repetir)",
  "A service may differ from the emulator in each of them and still keep to the specification. The first value is the emulator's own. `emulator start` and `emulator exec` take others with --reading; `emulator exec --matrix` tries a command under all of them.":
    "Um serviço pode ser diferente do emulador em cada uma delas e ainda seguir a especificação. O primeiro valor é o do próprio emulador. `emulator start` e `emulator exec` aceitam outros com --reading; `emulator exec --matrix` testa um comando com todos eles.",
  "Starts the emulator, signs in at a store and takes orders through their life, showing each command line with its output. Your own stores and settings are not touched.":
    "Inicia o emulador, entra em uma loja e leva pedidos do começo ao fim, mostrando cada linha de comando com a saída dela. Suas lojas e configurações não são tocadas.",
  "Period:": "Período:",
  "Orders:": "Pedidos:",
  "Alerts:": "Alertas:",
  "The driver is an id, or a name or the beginning of one, as sales figures by driver have told it. Without --fee and --clear-fee the order keeps the fee it has. A fee of 0 is a delivery at no cost.":
    "O entregador é um id, ou um nome ou o começo dele, como os números de vendas por entregador informaram. Sem --fee e --clear-fee o pedido mantém a taxa que tem. Taxa 0 é uma entrega sem custo.",
  "let both addresses be another machine's by http: for an emulator in a container; whoever is on the way reads all":
    "deixa os dois endereços serem de outra máquina por http: para um emulador em um contêiner; quem está no caminho lê tudo",
  "Their ids and names are those of the sales figures by driver: the service has no other list of them.":
    "Seus ids e nomes são os dos números de vendas por entregador: o serviço não tem outra lista deles.",
  "Without a period it is yesterday. Canceled orders are among the orders and in the revenue: --net leaves them out. The service counts orders and their totals: it can't tell items, margins, taxes or returning customers.":
    "Sem um período, é ontem. Pedidos cancelados estão entre os pedidos e na receita: --net os deixa de fora. O serviço conta pedidos e seus totais: não sabe de itens, margens, impostos nem clientes que voltam.",
  "--alert 'revenue<1500' compares orders, revenue or average with an amount by <, <=, > or >=; 'orders<-30%' a change in percent against --compare. When one holds, the figure and the reason are printed and the exit code is 11; else nothing is, so that cron mails alarms alone.":
    "--alert 'revenue<1500' compara pedidos, receita ou ticket médio com um valor por <, <=, > ou >=; 'orders<-30%' compara uma mudança em por cento com --compare. Quando um vale, o número e o motivo são escritos e o código de saída é 11; senão nada é escrito, para que o cron só mande alarmes.",
  "--append adds one line a store and period to a CSV file; what stands there stays as it is.":
    "--append acrescenta uma linha por loja e período a um arquivo CSV; o que já está lá fica como está.",
  "A figure is kept for ten minutes, that of a period that still runs for one: it says when it was asked. --dry-run says which calls go out and how long they take. Periods, comparisons and filters: comanda help periods, comanda help filters.":
    "Um número fica guardado por dez minutos, o de um período que ainda corre por um: ele diz quando foi pedido. --dry-run diz quais chamadas saem e quanto demoram. Períodos, comparações e filtros: comanda help periods, comanda help filters.",
  "the period (default: yesterday); comanda help periods":
    "o período (padrão: yesterday); comanda help periods",
  "set another period beside it; comanda help periods says which that is":
    "pôr outro período ao lado; comanda help periods diz qual é",
  "ask the service even for what it was asked within the last ten minutes":
    "consultar o serviço mesmo pelo que lhe foi pedido nos últimos dez minutos",
  "add the figures to a CSV file": "acrescentar os números a um arquivo CSV",
  "Dimensions: hour, day, day_of_week, week, month (in time's order); order_type, order_timing, sales_channel, customer_origin, payment_method_id, driver_id, status. Time goes by the store's zone.":
    "Dimensões: hour, day, day_of_week, week, month (na ordem do tempo); order_type, order_timing, sales_channel, customer_origin, payment_method_id, driver_id, status. O tempo vai pelo fuso da loja.",
  "Days without orders are there with 0. Days, weeks and months are compared by their place, the first with the first; all others by their key. Weekdays and hours are compared per day, since a month has four Tuesdays or five: Days says how many.":
    "Dias sem pedidos aparecem com 0. Dias, semanas e meses são comparados pelo lugar, o primeiro com o primeiro; todos os outros pela chave. Dias da semana e horas são comparados por dia, pois um mês tem quatro ou cinco terças: a coluna Dias diz quantos.",
  "Where the store's days start late (comanda stores set --day-starts), each day is asked for by itself, 5 a minute; weeks, months and weekdays are refused, since the service counts them from midnight.":
    "Onde os dias da loja começam tarde (comanda stores set --day-starts), cada dia é pedido sozinho, 5 por minuto; semanas, meses e dias da semana são recusados, pois o serviço os conta a partir da meia-noite.",
  "Periods, comparisons and filters: comanda help periods, comanda help filters.":
    "Períodos, comparações e filtros: comanda help periods, comanda help filters.",
  "what to split by (section 4.7; required)": "por que dividir (seção 4.7; obrigatório)",
  "Headline figures beside those of the period before; revenue and orders by day, hour, weekday, status, channel, order type, payment method, driver and origin, each as a picture and a table. The file needs nothing else: it can be mailed, printed, and read without a network. It is in the language of the store's locale.":
    "Os números principais ao lado dos do período anterior; receita e pedidos por dia, hora, dia da semana, status, canal, tipo de pedido, forma de pagamento, entregador e origem, cada um como imagem e tabela. O arquivo não precisa de mais nada: pode ser enviado, impresso e lido sem rede. Está no idioma da loja.",
  "The service takes 5 of its calls a minute, so a report lasts a minute or two; --dry-run says how long. An interrupted one goes on where it stopped. A comparison that would begin more than 3 years back is left out.":
    "O serviço aceita 5 destas chamadas por minuto, então um relatório leva um ou dois minutos; --dry-run diz quanto. Um interrompido continua de onde parou. Uma comparação que começaria há mais de 3 anos fica de fora.",
  "the period (default: last-month); comanda help periods":
    "o período (padrão: last-month); comanda help periods",
  "Made for cron: it asks the service for its last days, one call for each store, and keeps each as a row of sales.db with the time when it was asked. Where a day is another one than it was, both rows stand beside each other, and sync says so; else it says nothing.":
    "Feito para o cron: pede ao serviço os últimos dias, uma chamada por loja, e guarda cada um como uma linha de sales.db com a hora em que foi pedido. Onde um dia já não é o que era, as duas linhas ficam lado a lado, e sync o diz; senão não diz nada.",
  "Programs that read SQLite, or PostgreSQL where state lies there, find the days in the views sales_by_day and restatements: comanda help sales-db.":
    "Programas que leem SQLite, ou PostgreSQL onde o estado está lá, encontram os dias nas visões sales_by_day e restatements: comanda help sales-db.",
  "how many days back (default: 40; at most 1095)": "quantos dias para trás (padrão: 40; no máximo 1095)",
  "go on with this list where an earlier command was cut short: what is done is left out, what is unknown is told":
    "continua esta lista onde um comando anterior foi interrompido: o que está feito fica de fora, o que não se sabe é dito",
  'The file is YAML or JSON; "-" is stdin. Flags go before what it says: customer and address field by field, the items as a whole.':
    'O arquivo é YAML ou JSON; "-" é a entrada padrão. As opções valem mais que ele: cliente e endereço campo a campo, os itens por inteiro.',
  "`completion bash` (or another shell) prints its script; `completion install` writes it where the shell looks for it, and says where. Completed are commands, options, closed values, filter fields, periods, and the stores, environments and drivers that this machine knows.":
    "`completion bash` (ou outro shell) mostra o script; `completion install` grava onde o shell procura, e diz onde. São completados comandos, opções, valores fechados, campos de filtro, períodos, e as lojas, os ambientes e os entregadores que esta máquina conhece.",
  "It looks at Node, folders and their rights, the disk, both databases, sessions, the journal, the clock, the way to the service, the port of a sign-in, the time zones, and what a line of a crontab needs. It asks each service once, without a credential. It ends with 1 where something has to be done before comanda works.":
    "Olha o Node, as pastas e as permissões delas, o disco, os dois bancos, as sessões, o diário, o relógio, o caminho até o serviço, a porta de uma entrada, os fusos horários e o que uma linha do crontab precisa. Pergunta uma vez a cada serviço, sem credencial. Termina com 1 quando algo precisa ser feito antes de o comanda funcionar.",
};
