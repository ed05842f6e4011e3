/** Help: what the commands and their options are for. */
import type { Catalogue } from "../../shared/language.js";

export const help: Catalogue = {
  "print the version": "mostra a versão",
  "the store to work at": "a loja em que trabalhar",
  "every store that this machine knows; reports take --store several times too":
    "todas as lojas que esta máquina conhece; relatórios também aceitam --store várias vezes",
  "JSON on stdout, errors as JSON on stderr": "JSON na saída padrão, erros em JSON na saída de erros",
  "how results are printed": "como os resultados são escritos",
  "these members or columns of the result alone: order_id,outcome":
    "só estes membros ou colunas do resultado: order_id,outcome",
  "JSON, and of it what an expression of the jq language gives":
    "JSON, e dele o que uma expressão da linguagem jq dá",
  "a file in place of stdout: there whole, or not at all":
    "um arquivo no lugar da saída padrão: inteiro, ou nada",
  "data and errors alone: no sentences, notices or progress":
    "só dados e erros: sem frases, avisos ou progresso",
  "show each request, and where a fault arose": "mostra cada requisição e onde surgiu um defeito",
  "colours; auto is at a terminal": "cores; auto é em um terminal",
  "as --color never": "o mesmo que --color never",
  "for a screen reader: no colours, bars or marks, and nothing that moves":
    "para leitor de tela: sem cores, barras ou sinais, e nada que se mexa",
  "never show a long table by the pager": "nunca mostra uma tabela longa pelo paginador",
  "never ask anything": "nunca pergunta nada",
  "longest time for one request (default: 30s)": "tempo máximo de uma requisição (padrão: 30s)",
  "longest wait for a place within the rate limit (default: 5m)":
    "espera máxima por uma vaga no limite de requisições (padrão: 5m)",
  "show what would be sent, send nothing": "mostra o que seria enviado, sem enviar",
  "the language of messages": "o idioma das mensagens",
  "sign in at a store, or store its API key": "entra em uma loja, ou guarda a chave de API dela",
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
  "revoke a store's tokens at the service, then forget them and its keys":
    "revoga os tokens de uma loja no serviço e depois esquece os tokens e as chaves",
  "The store stays known, with its time zone, currency, start of the day and protection, and with the sales figures that are kept; `comanda stores remove` forgets all of it. At a store that is protected the alias is asked for.":
    "A loja continua conhecida, com fuso horário, moeda, início do dia e proteção, e com os números de vendas guardados; `comanda stores remove` esquece tudo. Em uma loja protegida, o apelido é pedido.",
  "every store that is signed in": "todas as lojas com sessão",
  "revoke a store's tokens at the service, and change nothing on this machine":
    "revoga os tokens de uma loja no serviço, sem mudar nada nesta máquina",
  "It waits for no lock and writes nothing, so it also works where the disk is full or a process hangs. A process that renews the tokens in the same moment may keep new ones: run it again, or `comanda logout`, which waits for it. At a store that is protected the alias is asked for.":
    "Não espera nenhuma trava e não grava nada; por isso também funciona com o disco cheio ou com um processo parado. Um processo que renova os tokens no mesmo instante pode ficar com novos: execute de novo, ou use `comanda logout`, que espera por ele. Em uma loja protegida o apelido é pedido.",
  "is the store signed in? A gate for scripts by its exit code":
    "a loja está conectada? Um teste para scripts, pelo código de saída",
  "Answers from what is stored, without a call. Exit code 0: the store is signed in, if need be with a token that commands renew themselves, or has a key alone, which is enough for orders and shows no sales figures. Exit code 3: it needs a new sign-in, also where its API key still changes the status of orders; that is \"can_change_orders\" in --json. --check asks the service, which renews a token that has expired. A sign-in is tried by a summary of one minute, one of 5 a minute. There is no call that only asks for an API key: with it an order is marked as delivered that can't exist. Only an answer of the API's own proves or disproves it.":
    'Responde com o que está guardado, sem chamada. Código de saída 0: a loja está conectada, se preciso com um token que os próprios comandos renovam, ou tem só uma chave, que basta para os pedidos e não mostra faturamento. Código de saída 3: precisa de um novo login, mesmo que a chave de API ainda altere o status dos pedidos; isso é "can_change_orders" em --json. --check pergunta ao serviço, o que renova um token expirado. Um login é testado por um resumo de um minuto, um dos 5 por minuto. Para uma chave de API não há chamada que só pergunte: com ela se marca como entregue um pedido que não pode existir. Só uma resposta da própria API prova ou desmente.',
  "ask the service": "pergunta ao serviço",
  "change the status of orders": "altera o status dos pedidos",
  "send orders on their way, or have them wait for pickup":
    "despacha pedidos para entrega, ou deixa esperando a retirada",
  "Delivery orders go out for delivery; takeout and onsite orders wait for pickup.":
    "Pedidos de entrega saem para entrega; os de retirada e os do local esperam a retirada.",
  "sign with this alone; else the access token, or the key where none works":
    "assina só com isto; sem esta opção, o token de acesso, ou a chave quando nenhum token vale",
  "orders under way at once": "pedidos em andamento ao mesmo tempo",
  "refuse a list of more or fewer orders before anything is sent":
    "recusa uma lista de mais ou menos pedidos antes de enviar qualquer coisa",
  "go on with an earlier run of several orders: the last one that has this list, or the one named":
    "continua uma execução anterior de vários pedidos: a última com esta lista, ou a que você disser",
  "send one and write nothing of it into the journal, as where none can be written: `history` doesn't show it, and if its answer is lost, nothing here tells that it was sent":
    "envia um pedido sem gravar nada no diário, para quando não dá para gravar: `history` não mostra, e se a resposta se perder, nada aqui diz que foi enviado",
  "mark delivery orders as delivered": "marca pedidos de entrega como entregues",
  "Only delivery orders that are out for delivery can be delivered.":
    "Só pedidos que saíram para entrega podem ser entregues.",
  "with --resume: send orders again of which nothing is known; one that is done is refused with 4002":
    "com --resume: envia de novo os pedidos de que nada se sabe; um já feito é recusado com 4002",
  "finalize orders": "finaliza pedidos",
  "A finalized order can't be changed any more.": "Um pedido finalizado não pode mais ser alterado.",
  "cancel orders": "cancela pedidos",
  "A canceled order can't be changed any more. At a terminal a cancel asks first; --yes skips the question, and canceling several takes it where nobody can be asked.":
    "Um pedido cancelado não pode mais ser alterado. Num terminal há uma pergunta antes; --yes a dispensa, e para cancelar vários onde ninguém pode responder ele é preciso.",
  "why, kept with the order": "o motivo, guardado com o pedido",
  "cancel without asking": "cancela sem perguntar",
  "the store that is meant; --resume asks for it after another sign-in":
    "a loja em questão; --resume pede isso depois de outro login",
  "the store that is meant; a store that is protected asks for it":
    "a loja em questão; uma loja protegida pede isso",
  "assign the drivers of delivery orders": "atribui os entregadores dos pedidos de entrega",
  "assign or replace the driver of a delivery order": "atribui ou troca o entregador de um pedido de entrega",
  "what the driver gets, with at most two decimals":
    "o que o entregador recebe, com no máximo duas casas decimais",
  "remove the fee": "tira a taxa",
  "make a pre-filled order, which opens in the store's digital menu":
    "cria um pedido pré-preenchido, que abre no cardápio digital da loja",
  'The file is YAML or JSON; "-" is stdin. Flags go before what it says: customer and address field by field, the items as a whole. A file of JSON Lines (.jsonl, .ndjson, or --lines) makes many, one a line.':
    'O arquivo é YAML ou JSON; "-" é a entrada padrão. As opções valem mais que ele: cliente e endereço campo a campo, os itens por inteiro. Um arquivo JSON Lines (.jsonl, .ndjson ou --lines) cria vários, um por linha.',
  "It needs the store's API key: comanda login --api-key --store <alias> --env <name>":
    "Precisa da chave de API da loja: comanda login --api-key --store <alias> --env <name>",
  "delivery or takeout": "entrega (delivery) ou retirada (takeout)",
  "the customer's name": "o nome do cliente",
  "the customer's phone": "o telefone do cliente",
  "an item of the cart (repeatable)": "um item do carrinho (pode repetir)",
  "a field of the delivery address; street= leaves street out (repeatable)":
    "um campo do endereço de entrega; street= tira a rua (pode repetir)",
  "the file holds one order a line": "o arquivo tem um pedido por linha",
  "open the order page in the browser": "abre a página do pedido no navegador",
  "draw the order page's address as a QR code": "desenha o endereço da página do pedido como QR code",
  "write it as a QR code to a .svg or .png file (repeatable)":
    "grava como QR code em um arquivo .svg ou .png (pode repetir)",
  "print a complete file to start from": "mostra um arquivo completo para começar",
  "print the JSON Schema of such a file": "mostra o JSON Schema desse arquivo",
  "orders, revenue and average order value of a period": "pedidos, faturamento e ticket médio de um período",
  "Without a period it is yesterday. The window that was asked for is shown on stderr.":
    "Sem período, é ontem. A janela consultada aparece na saída de erros.",
  "Canceled orders are among the orders and in the revenue: --net leaves them out. A table says how many they are, where the service can be asked without a wait (one call of the other kind); --canceled asks in any case, also for JSON.":
    "Os pedidos cancelados contam nos pedidos e no faturamento: --net deixa de fora. Uma tabela diz quantos são, quando dá para perguntar ao serviço sem espera (uma chamada do outro tipo); --canceled pergunta sempre, também para JSON.",
  "--append adds to a CSV file what it lacks, one row for each store and day, and can be repeated: a day that is there is not added again, and the days between a store's last row and the period are filled, up to 400. A day without orders is a row of zeros. A row that is there is never changed. The columns day_starts and time_zone say how its days are counted: those of a store are all counted alike, and others are refused. The file is replaced whole, or stays as it was.":
    "--append acrescenta a um arquivo CSV o que falta nele, uma linha por loja e dia, e pode ser repetido: um dia que já está lá não entra de novo, e os dias entre a última linha de uma loja e o período são preenchidos, até 400. Um dia sem pedidos é uma linha de zeros. Uma linha que está lá nunca muda. As colunas day_starts e time_zone dizem como os dias dela são contados: os de uma loja são todos contados do mesmo jeito, e outros são recusados. O arquivo é trocado inteiro, ou fica como estava.",
  "The service counts orders and their totals. It can't tell items, margins, taxes or returning customers.":
    "O serviço conta pedidos e os totais deles. Não sabe de itens, margens, impostos nem de clientes que voltam.",
  "Alerts: --alert 'revenue<1500' compares orders, revenue or average with an amount by <, <=, > or >=; 'orders<-30%' a change in percent against --compare, or against --baseline weekday-median:8, the median of the same weekday over 8 weeks (one call more; of groups that aren't days, one for each week). When one holds, the figure and the reason are printed and the exit code is 11; else nothing is, so that cron mails alarms alone. With grouped, a group counts as 0 where it has no orders any more: it had some in the period that is compared, is usual on that weekday, or had some in the 4 weeks before (one call more). A store without any order was closed, and too little history is said; neither is an alarm. Where a filter leaves no order, one call more tells whether the store was closed.":
    "Alertas: --alert 'revenue<1500' compara pedidos, faturamento ou ticket médio com um valor por <, <=, > ou >=; 'orders<-30%' uma variação em porcentagem contra --compare, ou contra --baseline weekday-median:8, a mediana do mesmo dia da semana em 8 semanas (uma chamada a mais; de grupos que não são dias, uma por semana). Quando um dispara, o número e o motivo são mostrados e o código de saída é 11; senão nada aparece, para que o cron só mande alarmes. Com grouped, um grupo conta como 0 onde já não tem pedidos: teve algum no período comparado, é comum nesse dia da semana, ou teve algum nas 4 semanas antes (uma chamada a mais). Uma loja sem nenhum pedido estava fechada, e histórico curto demais é avisado; nenhum dos dois é alarme. Onde um filtro não deixa nenhum pedido, uma chamada a mais diz se a loja estava fechada.",
  "Periods: today, yesterday, this-week, last-week, this-month, last-month, this-year, last-year, last-N-days (ends yesterday; --include-today ends it now), a month (2026-10), a day (2026-10-05). Weeks begin on Monday. --from and --to take two dates, both days included, or two date-times with offset; a name stands for its first and its last day (--from last-month --to yesterday). Days are those of the store's zone: --tz, else what the settings say, else this machine's.":
    "Períodos: today (hoje), yesterday (ontem), this-week (esta-semana), last-week (semana-passada), this-month (este-mês), last-month (mês-passado), this-year (este-ano), last-year (ano-passado), last-N-days (últimos-N-dias; termina ontem, --include-today termina agora), um mês (2026-10), um dia (2026-10-05 ou 05/10/2026). A semana começa na segunda. --from e --to aceitam duas datas, os dois dias incluídos, ou duas datas com hora e fuso; um nome vale pelo primeiro e pelo último dia (--from mês-passado --to ontem). Os dias são os do fuso da loja: --tz, senão o das configurações, senão o desta máquina.",
  "Filters: 'status=closed,delivered', 'status!=canceled', 'total>=50', 'created_at_time<15:00', 'customer_origin=null', or the API's own spelling, 'status_in=closed'. An amount may have a decimal comma: 'total>=50,5'. Several filters hold together.":
    "Filtros: 'status=closed,delivered', 'status!=canceled', 'total>=50', 'created_at_time<15:00', 'customer_origin=null', ou como a API escreve, 'status_in=closed'. Um valor pode ter vírgula decimal: 'total>=50,5'. Vários filtros valem juntos.",
  "Comparisons: previous (a whole month with the whole month before, a year with the year, a week with the week, N days with the N days before), week (seven days earlier), year (months and years a year earlier; anything else 364 days earlier, so that the weekdays are the same), date (the same dates a year earlier). A period that isn't over meets the same part of the other one. Where the two have not as many days, the heading says so.":
    "Comparações: previous (um mês inteiro com o mês inteiro anterior, um ano com o ano, uma semana com a semana, N dias com os N dias anteriores), week (sete dias antes), year (meses e anos um ano antes; o resto 364 dias antes, para os dias da semana serem os mesmos), date (as mesmas datas um ano antes). Um período que ainda não acabou é comparado com a mesma parte do outro. Se os dois não têm o mesmo número de dias, o título diz.",
  'A period of more than 6 months is fetched in parts, within 5 calls a minute. Every answer is kept on this machine with the time it was asked, and says so. Orders settle late, so it is asked again after a day, until two answers agree that were asked at least 35 days after the period; figures of a period that ended less than 6 hours ago are always asked. --max-age sets the day to something else, --fresh asks in any case. A change that this machine makes to an order makes all that was kept of the store doubtful: it is asked again. --offline asks nothing and --as-of shows what was known then; both end with exit code 5 where something is lacking, and say what. "comanda cache clear" forgets what is kept.':
    'Um período de mais de 6 meses é consultado em partes, com 5 chamadas por minuto. Cada resposta fica guardada nesta máquina com a hora da consulta, e diz isso. Um pedido ainda pode mudar dias depois, por isso ela é consultada de novo depois de um dia, até que duas respostas pedidas pelo menos 35 dias depois do período concordem; números de um período que terminou há menos de 6 horas são sempre consultados. --max-age troca o dia por outro prazo, --fresh consulta sempre. Uma alteração que esta máquina faz em um pedido põe em dúvida tudo o que estava guardado da loja: é consultado de novo. --offline não consulta nada e --as-of mostra o que se sabia então; os dois terminam com o código de saída 5 quando falta algo, e dizem o quê. "comanda cache clear" esquece o que está guardado.',
  "the period (default: yesterday)": "o período (padrão: yesterday, ontem)",
  "first day, or date-time with offset": "primeiro dia, ou data com hora e fuso",
  "last day, or date-time with offset (default: now)": "último dia, ou data com hora e fuso (padrão: agora)",
  "let last-N-days end now instead of yesterday": "faz last-N-days terminar agora em vez de ontem",
  "time zone in which days are counted, for example America/Sao_Paulo":
    "fuso horário em que os dias são contados, por exemplo America/Sao_Paulo",
  "when a day starts: sales after midnight belong to the night before (default: 00:00)":
    "quando um dia começa: vendas depois da meia-noite são da noite anterior (padrão: 00:00)",
  "the date that counts (default: created_at)": "a data que conta (padrão: created_at)",
  "only these orders (repeatable)": "só estes pedidos (pode repetir)",
  "without canceled orders: the same as --filter 'status!=canceled'":
    "sem pedidos cancelados: o mesmo que --filter 'status!=canceled'",
  "set another period beside it: previous, week, year, date, or none":
    "coloca outro período ao lado: previous, week, year, date, ou none",
  "currency of the amounts shown, for example BRL": "moeda dos valores mostrados, por exemplo BRL",
  "how numbers are written, for example pt-BR": "como os números são escritos, por exemplo pt-BR",
  "ask again what is kept and older, unless it is final (default: 1d)":
    "consulta de novo o que está guardado há mais tempo, se não for definitivo (padrão: 1d)",
  "ask the service even for what is kept on this machine":
    "consulta o serviço mesmo para o que está guardado nesta máquina",
  "ask nothing: show what is kept on this machine, however old":
    "não consulta nada: mostra o que está guardado, por mais antigo que seja",
  "ask nothing: show what was known by the end of that day":
    "não consulta nada: mostra o que se sabia no fim daquele dia",
  "add one CSV row for each store and day to a file, unless it is there":
    "acrescenta a um arquivo uma linha CSV por loja e dia, se ainda não está lá",
  "ask how many of the orders are canceled, if it takes a wait":
    "pergunta quantos pedidos foram cancelados, mesmo que haja espera",
  "exit code 11 when it holds, else quiet: 'revenue<1500', 'orders<-30%' (repeatable)":
    "código de saída 11 quando dispara, senão silêncio: 'revenue<1500', 'orders<-30%' (pode repetir)",
  "what a change in percent is against, instead of --compare: weekday-median:8":
    "contra o que é a variação em porcentagem, no lugar de --compare: weekday-median:8",
  "with --format csv: byte order mark, separator and decimal mark of the locale":
    "com --format csv: marca de ordem de bytes, separador e decimal do idioma",
  "with --format csv: currency, period, age and totals too, each line marked as what it is":
    "com --format csv: também moeda, período, idade e totais, cada linha marcada com o que é",
  "with --format csv: without the line of column names":
    "com --format csv: sem a linha com os nomes das colunas",
  "the figures of a period, split by one dimension": "os números de um período, divididos por uma dimensão",
  "Dimensions: hour, day, day_of_week, week, month (in time's order); order_type, order_timing, sales_channel, customer_origin, payment_method_id, driver_id, status.":
    "Dimensões: hour, day, day_of_week, week, month (na ordem do tempo); order_type, order_timing, sales_channel, customer_origin, payment_method_id, driver_id, status.",
  "Weekdays and hours are compared per day, since a month has four Tuesdays or five: Days says how many, and in brackets how many before where that is another number.":
    "Dias da semana e horas são comparados por dia, pois um mês tem quatro ou cinco terças: Dias diz quantos são e, entre parênteses, quantos eram antes, se for outro número.",
  "A week or month that the edge of the period cuts is marked with its days. In a comparison whole ones meet whole ones, from the first on, and what an edge cuts meets what the same edge of the other period cuts; where the two are not as long, no percentage is given.":
    "Uma semana ou um mês que a borda do período corta é marcado com os seus dias. Numa comparação, os inteiros ficam ao lado dos inteiros, a partir do primeiro, e o que uma borda corta ao lado do que a mesma borda do outro período corta; quando os dois não têm o mesmo tamanho, não há porcentagem.",
  "Days, weeks, months, hours and weekdays without orders are there with 0 orders; --no-fill leaves them out.":
    "Dias, semanas, meses, horas e dias da semana sem pedidos aparecem com 0 pedidos; --no-fill deixa de fora.",
  "On a terminal, figures in time are drawn as bars beneath their table; --chart draws them for any dimension, --no-chart for none. Without a period it is yesterday.":
    "Em um terminal, números no tempo são desenhados como barras abaixo da tabela; --chart desenha para qualquer dimensão, --no-chart para nenhuma. Sem período, é ontem.",
  "what to split by (required)": "a dimensão da divisão (obrigatória)",
  "revenue, orders, average, label or key, with :asc or :desc after it if wanted":
    "revenue, orders, average, label ou key; se quiser, com :asc ou :desc no fim",
  "only the first so many groups; by revenue where --sort isn't given":
    "só os primeiros grupos, nesta quantidade; por faturamento quando não há --sort",
  "with --top: what the others sum up to, as one line": "com --top: a soma dos outros, em uma linha",
  "without the days, hours and weekdays that have no orders":
    "sem os dias, horas e dias da semana que não têm pedidos",
  "draw the revenue as bars": "desenha o faturamento como barras",
  "a table alone": "só a tabela",
  "the figures of a period, split by two dimensions at once":
    "os números de um período, divididos por duas dimensões ao mesmo tempo",
  "Which evenings need two cooks? Which channel grows? A table of any two dimensions, exact to the cent, out of a service that splits by one: --rows day_of_week --cols hour, --rows month --cols sales_channel, --rows week --cols driver_id.":
    "Que noites precisam de dois cozinheiros? Que canal cresce? Uma tabela de duas dimensões quaisquer, exata nos centavos, de um serviço que divide por uma: --rows day_of_week --cols hour, --rows month --cols sales_channel, --rows week --cols driver_id.",
  "Dimensions: hour, day, day_of_week, week, month, order_type, order_timing, sales_channel, customer_origin, payment_method_id, driver_id, status.":
    "Dimensões: hour, day, day_of_week, week, month, order_type, order_timing, sales_channel, customer_origin, payment_method_id, driver_id, status.",
  "It takes one call for each column (or row, where those are fewer) and up to two for the totals, within 5 calls a minute; two dates take one call, and one for each until the service has told how it writes them. How many, and how long, is said before; --dry-run says it and asks nothing. Answers are kept: a pivot that was stopped goes on where it was. What no filter selects, such as orders without a driver, stands last, in a column of its own: the table adds up to the total in any case.":
    "Usa uma chamada por coluna (ou linha, se forem menos) e até duas para os totais, com 5 chamadas por minuto; duas datas usam uma chamada, e mais uma para cada até o serviço dizer como as escreve. Quantas são, e quanto demora, é dito antes; --dry-run diz e não consulta nada. As respostas ficam guardadas: uma tabela interrompida continua de onde parou. O que nenhum filtro escolhe, como pedidos sem entregador, fica por último, em uma coluna própria: a tabela sempre soma o total.",
  "Payment methods can only be set against days, weeks and months, and what can be filtered: an order may be paid in several ways.":
    "Formas de pagamento só podem ser cruzadas com dias, semanas e meses, e com o que pode ser filtrado: um pedido pode ser pago de várias formas.",
  "what stands in the rows (required)": "o que fica nas linhas (obrigatório)",
  "what stands in the columns (required)": "o que fica nas colunas (obrigatório)",
  "what a table shows; CSV and JSON have all three": "o que a tabela mostra; CSV e JSON têm os três",
  "shade the cells of the table by their size": "pinta as células da tabela conforme o valor",
  "a period at a glance, as one HTML file with pictures":
    "um resumo do período em um arquivo HTML, com gráficos",
  "Headline figures with a comparison; revenue and orders by day, hour, weekday, status, channel, order type, payment method, driver and origin, each as a picture and a table. The file needs nothing else: it can be mailed, printed, and read without a network.":
    "Números principais com uma comparação; faturamento e pedidos por dia, hora, dia da semana, status, canal, tipo de pedido, forma de pagamento, entregador e origem, cada um em gráfico e tabela. O arquivo não precisa de mais nada: pode ir por e-mail, ser impresso e lido sem rede.",
  "A comparison that would begin more than 3 years back is left out, which the page says; --compare none leaves it out in any case.":
    "Uma comparação que começaria há mais de 3 anos fica de fora, e a página diz isso; --compare none deixa sempre de fora.",
  "With --json or --format csv the same figures go to stdout, or where --out says.":
    "Com --json ou --format csv os mesmos números vão para a saída padrão, ou para onde --out disser.",
  "the period (default: last-month)": "o período (padrão: last-month, mês-passado)",
  "where to write it; - is stdout (default: report-<days>.html)":
    "onde gravar; - é a saída padrão (padrão: report-<days>.html)",
  "open it in the browser": "abre no navegador",
  "ask again what may have changed, keep it, and tell what was restated":
    "consulta de novo o que pode ter mudado, guarda e diz o que foi corrigido",
  "Made for cron: it asks what is kept and may still change, keeps every answer, and says nothing where nothing was restated. A day is final once nothing has changed between two answers that were asked at least 35 days after it, hence the 40 days.":
    "Feito para o cron: consulta o que está guardado e ainda pode mudar, guarda cada resposta, e não diz nada quando nada foi corrigido. Um dia é definitivo quando nada mudou entre duas respostas pedidas pelo menos 35 dias depois dele; daí os 40 dias.",
  "By day it asks whole months, one call each; by any other dimension (hour, day_of_week, week, month, order_type, order_timing, sales_channel, customer_origin, payment_method_id, driver_id, status) day by day, one call each. It leaves one call a minute to other commands, goes on where it was stopped, and an answer that it has counted outlives any kill.":
    "Por dia, consulta meses inteiros, uma chamada cada; por qualquer outra dimensão (hour, day_of_week, week, month, order_type, order_timing, sales_channel, customer_origin, payment_method_id, driver_id, status), dia por dia, uma chamada cada. Deixa uma chamada por minuto para outros comandos, continua de onde parou, e uma resposta já contada sobrevive a qualquer interrupção.",
  "how many days back (default: 40; at most 1098)": "quantos dias para trás (padrão: 40; no máximo 1098)",
  "from which day on, in place of --days": "a partir de que dia, no lugar de --days",
  "what to split by, with commas between (default: day)":
    "as dimensões da divisão, separadas por vírgulas (padrão: day)",
  "write what is kept as one table": "grava o que está guardado como uma tabela",
  "ask nothing: with --export": "não consulta nada: com --export",
  "sales figures that are kept on this machine": "números de vendas guardados nesta máquina",
  "forget the sales figures that are kept on this machine":
    "esquece os números de vendas guardados nesta máquina",
  "They are asked for anew when they are needed again. Sessions and settings stay.":
    "Eles são consultados de novo quando forem necessários. Sessões e configurações ficam.",
  "what is left of the service's rate limits, when the next place frees, and who waits":
    "o que resta dos limites de requisições do serviço, quando abre a próxima vaga e quem espera",
  "It reads what this machine has counted and asks nobody: requests of other machines are not in it, nor are any with COMANDA_RATE_LIMITS=off. Without --store it tells of every store that this machine knows. Whoever waits gets a place before one that came later.":
    "Lê o que esta máquina contou e não pergunta a ninguém: requisições de outras máquinas não entram, e com COMANDA_RATE_LIMITS=off nenhuma. Sem --store fala de todas as lojas que esta máquina conhece. Quem espera ganha a vaga antes de quem chegou depois.",
  "what this machine sent: who did what to which order, and what came of it":
    "o que esta máquina enviou: quem fez o quê em qual pedido, e no que deu",
  "The last 50, newest first; --limit and --all show more. Of a write that is unknown nothing tells whether it was done: its process was killed, or no answer came. `history settle` says what you have looked up of it; then --outcome unknown lists it no more. What was done elsewhere, such as in the portal, or sent with --no-journal is not in it.":
    "Os últimos 50, os mais novos primeiro; --limit e --all mostram mais. De um envio desconhecido nada diz se foi feito: o processo foi encerrado, ou não veio resposta. `history settle` diz o que você apurou dele; então --outcome unknown não o lista mais. O que foi feito em outro lugar, como no portal, ou enviado com --no-journal não está aqui.",
  "so many of them (default: 50)": "quantos deles (padrão: 50)",
  "all of them": "todos",
  "what was sent in one run, and how it is gone on with":
    "o que foi enviado em uma execução, e como continuá-la",
  "All of its rows, newest first, as `comanda history` has them.":
    "Todas as linhas dela, as mais novas primeiro, como em `comanda history`.",
  "say what you have looked up of an order whose change is unknown":
    "diz o que você apurou de um pedido cuja alteração é desconhecida",
  "Look at the order first, such as in the portal. Its newest change that is unknown is settled, however often it was sent; to say it again corrects it. Nothing is sent. --outcome unknown lists it no more, `history drivers` counts it as you say, and a run that is gone on with sends what is not done, and not what is done.":
    "Olhe o pedido antes, por exemplo no portal. Fica resolvida a alteração desconhecida mais nova dele, não importa quantas vezes foi enviada; dizer de novo corrige. Nada é enviado. --outcome unknown não a lista mais, `history drivers` conta como você disser, e uma execução que continua envia o que não foi feito, e não o que foi.",
  "kept with it, such as where you looked": "fica junto, por exemplo onde você olhou",
  "a day, a date-time with offset, or how long ago: 2h, 7d":
    "um dia, uma data com hora e fuso, ou há quanto tempo: 2h, 7d",
  "of this order alone": "só deste pedido",
  "of this outcome alone": "só com este resultado",
  "the orders that each driver was given here, and the fees for them":
    "os pedidos que cada entregador recebeu aqui, e as taxas deles",
  "The last assignment of an order counts, at the time when it was made, with the last fee that was given here. No call of the service tells this: orders that were assigned elsewhere, such as in the portal, or with --no-journal are not in it, and where the order kept the fee that it had, the fee is not known here. An order that was canceled from here is counted with its fee, and named beside it: whether its driver is paid is the store's to say. One that was canceled elsewhere can't be told from the others.":
    "Vale a última atribuição de um pedido, na hora em que foi feita, com a última taxa dada aqui. Nenhuma chamada do serviço informa isso: pedidos atribuídos em outro lugar, como no portal, ou com --no-journal não entram, e quando o pedido ficou com a taxa que tinha, a taxa não é conhecida aqui. Um pedido cancelado daqui é contado com a taxa dele e indicado ao lado: se o entregador é pago, a loja decide. Um que foi cancelado em outro lugar não se distingue dos demais.",
  "as of `comanda summary` (default: yesterday)": "como em `comanda summary` (padrão: yesterday, ontem)",
  "first day, or a date-time with offset": "primeiro dia, ou uma data com hora e fuso",
  "last day, or a date-time with offset": "último dia, ou uma data com hora e fuso",
  "whose days are counted; default: the store's, or the machine's":
    "de quem são os dias contados; padrão: da loja, ou da máquina",
  "forget what this machine did before a day": "esquece o que esta máquina fez antes de um dia",
  "A run is forgotten as a whole, once nothing of it was sent since. What a process may still be writing to stays: a run that goes on, or a write of the last hour that has no answer. Nothing is forgotten of itself, but where `config set history_age 365d` says so: then with the next change of an order, and never what a run can be gone on with.":
    "Uma execução é esquecida por inteiro, quando nada dela foi enviado desde então. Fica aquilo em que um processo ainda pode escrever: uma execução que continua, ou um envio da última hora que não tem resposta. Nada é esquecido por si, a não ser que `config set history_age 365d` o diga: então com a próxima alteração de um pedido, e nunca aquilo com que uma execução pode continuar.",
  "today or an earlier day, a date-time with offset, or how long ago":
    "hoje ou um dia anterior, uma data com hora e fuso, ou há quanto tempo",
  "any call to the service, signed with the store's credentials":
    "qualquer chamada ao serviço, assinada com as credenciais da loja",
  "The path is joined to the store's base URL and never leads elsewhere. The answer is printed as it came; any status but a 2xx ends with the exit code that it has for every command, its body on stdout all the same. GET, HEAD, PUT and DELETE are repeated where that does no harm; POST and PATCH never.":
    "O caminho é somado à URL base da loja e nunca leva a outro lugar. A resposta é mostrada como veio; qualquer status que não seja 2xx termina com o código de saída que tem em todo comando, e o corpo vai para a saída padrão mesmo assim. GET, HEAD, PUT e DELETE são repetidos quando isso não faz mal; POST e PATCH nunca.",
  "An answer that comes compressed is printed decoded, and --include leaves out the headers content-encoding and content-length, which tell of what was sent.":
    "Uma resposta que vem comprimida é mostrada decodificada, e --include deixa de fora os cabeçalhos content-encoding e content-length, que falam do que foi enviado.",
  'The JSON body is one object, the key as it is typed: an object or a list in it is a value of -F, such as -F \'customer={"name":"Ana"}\', and any other body comes from --input.':
    'O corpo JSON é um objeto, com a chave como foi digitada: um objeto ou lista dentro dele é um valor de -F, como -F \'customer={"name":"Ana"}\', e qualquer outro corpo vem de --input.',
  "Bodies and answers are streamed. So --timeout is the longest silence here: each piece of them begins it anew. --max-time is the longest time of the whole call, its waits and repetitions included; a write that is out by then ends with exit code 9, anything else with 8.":
    "Corpos e respostas passam em fluxo. Por isso --timeout é aqui o silêncio máximo: cada pedaço recomeça a contagem. --max-time é o tempo máximo da chamada inteira, com esperas e repetições; um envio já feito até lá termina com o código de saída 9, o resto com 8.",
  "a text of the JSON body (repeatable)": "um texto do corpo JSON (pode repetir)",
  "a number, true, null, list … of the JSON body (repeatable)":
    "um número, true, null, lista … do corpo JSON (pode repetir)",
  "a parameter of the query (repeatable)": "um parâmetro da query (pode repetir)",
  "the body, sent as it is; - is stdin": "o corpo, enviado como está; - é a entrada padrão",
  "a header (repeatable)": "um cabeçalho (pode repetir)",
  "bearer, key, or partner (API key and partner key)":
    "bearer, key ou partner (chave de API e chave de parceiro)",
  "longest time for the whole call (default: none)": "tempo máximo da chamada inteira (padrão: sem limite)",
  "print the status line and the headers first": "mostra antes a linha de status e os cabeçalhos",
  "the stores that this machine knows": "as lojas que esta máquina conhece",
  "list the stores that this machine knows": "lista as lojas que esta máquina conhece",
  "choose the store that commands work at without --store":
    "escolhe a loja em que os comandos trabalham sem --store",
  "say in which time zone a store's days are counted, and how its figures are shown":
    "diz em que fuso horário os dias de uma loja são contados e como os números dela são mostrados",
  "What isn't given stays as it is. A flag of the single command goes before it.":
    "O que não for informado fica como está. A opção do comando vale mais.",
  "IANA name of the time zone, for example America/Sao_Paulo":
    "nome IANA do fuso horário, por exemplo America/Sao_Paulo",
  "when a day starts: sales after midnight belong to the night before; 00:00 takes it back":
    "quando um dia começa: vendas depois da meia-noite são da noite anterior; 00:00 desfaz",
  "ISO 4217 code, for example BRL": "código ISO 4217, por exemplo BRL",
  "give a store another alias": "dá outro apelido a uma loja",
  "forget a store without telling the service": "esquece uma loja sem avisar o serviço",
  "Its tokens and keys, its settings and its sales figures that are kept here go with it. Its tokens stay valid at the service until they expire; `comanda logout` revokes them first. It also takes away a session file that can't be read any more.":
    "Os tokens e chaves, a configuração e os números de vendas guardados aqui vão junto. Os tokens continuam válidos no serviço até expirar; `comanda logout` os revoga antes. Também tira um arquivo de sessão que não pode mais ser lido.",
  "without asking": "sem perguntar",
  "have the store's alias typed before an order is canceled there, or it is signed out":
    "exige digitar o apelido da loja antes de cancelar um pedido ali ou encerrar a sessão",
  "Where nobody can be asked, a cancel there, `comanda logout`, `comanda revoke` and `comanda stores remove` take --confirm <alias>; --yes alone is refused.":
    "Onde não há a quem perguntar, um cancelamento ali, `comanda logout`, `comanda revoke` e `comanda stores remove` pedem --confirm <apelido>; só --yes é recusado.",
  "let orders be canceled there, and it be signed out, without its alias being typed":
    "deixa cancelar pedidos ali e encerrar a sessão sem digitar o apelido",
  "the settings: language, time zone, day, currency, for all stores or one":
    "as configurações: idioma, fuso horário, dia, moeda, para todas as lojas ou uma",
  "the settings, their values, and what each takes":
    "as configurações, os valores delas e o que cada uma aceita",
  "With --store, what holds for that store.": "Com --store, o que vale para essa loja.",
  "print the value of a setting": "mostra o valor de uma configuração",
  "With --store, that of the store, where it has one of its own. It prints nothing where none is set.":
    "Com --store, o da loja, se ela tiver um próprio. Não mostra nada quando não há valor.",
  "change a setting": "muda uma configuração",
  "With --store, for this store alone; without it, for all that have none of their own.":
    "Com --store, só para essa loja; sem isso, para todas as que não têm uma própria.",
  "take a setting away, so that the usual holds": "tira uma configuração, para valer o padrão",
  "print where the settings are kept": "mostra onde as configurações ficam guardadas",
  "the environments of the service that this machine knows":
    "os ambientes do serviço que esta máquina conhece",
  "set the addresses of an environment and how this app is registered there":
    "define os endereços de um ambiente e como este app está registrado nele",
  "The two addresses belong together: always take both from the same environment of the service. `sandbox` and `production` are the service's own; any other name is yours.":
    "Os dois endereços andam juntos: pegue sempre os dois do mesmo ambiente do serviço. `sandbox` e `production` são do próprio serviço; qualquer outro nome é seu.",
  "the API host; may carry a path": "o host da API; pode ter um caminho",
  "the portal page that asks the store's owner": "a página do portal que pergunta ao dono da loja",
  "the public id of the app": "o id público do app",
  "as registered for the app (default: http://127.0.0.1:8765/callback)":
    "como registrado para o app (padrão: http://127.0.0.1:8765/callback)",
  "list the environments and their addresses": "lista os ambientes e os endereços deles",
  "forget an environment's addresses": "esquece os endereços de um ambiente",
  "Stores that are signed in there keep their own copy of the addresses and go on working.":
    "Lojas conectadas ali têm a própria cópia dos endereços e continuam funcionando.",
  "lines for a crontab, which you install": "linhas para um crontab, que você instala",
  "a command as a line of a crontab": "um comando como linha de um crontab",
  "It prints the full path of this comanda, the variables that are set here, and the command with --quiet and --no-input; it installs nothing. Secrets are never printed. Options of its own stand before the command; -- between the two does no harm. For systemd, Windows and Kubernetes: comanda help schedulers.":
    "Mostra o caminho completo deste comanda, as variáveis definidas aqui e o comando com --quiet e --no-input; não instala nada. Segredos nunca aparecem. As opções dele vêm antes do comando; -- entre os dois não faz mal. Para systemd, Windows e Kubernetes: comanda help schedulers.",
  "every hour, at this minute": "toda hora, neste minuto",
  "every day: 06:15": "todo dia: 06:15",
  "every week: monday@06:15": "toda semana: segunda@06:15",
  "spread several machines over this time, so that they don't all ask at once":
    "espalha várias máquinas neste tempo, para não consultarem todas de uma vez",
  "print the API's description as an OpenAPI 3.1 document":
    "mostra a descrição da API como um documento OpenAPI 3.1",
  "It is made from what comanda itself calls with. The emulator serves it too, with a page to browse it: /openapi.":
    "É feita com aquilo que o próprio comanda usa para chamar. O emulador também serve, com uma página para navegar: /openapi.",
  "the whole service on this machine, to try things on": "o serviço inteiro nesta máquina, para experimentar",
  "start the service's emulator on this machine": "inicia o emulador do serviço nesta máquina",
  "It runs until it is interrupted. The environment `local` points to it on its usual port. Everything it holds is made up, the same for the same seed, and gone when it ends.":
    "Ele roda até ser interrompido. O ambiente `local` aponta para ele na porta de sempre. Tudo o que ele tem é inventado, igual para a mesma semente, e some no fim.",
  "A fault is one of status=503, reset, hang, delay=MILLISECONDS, truncate, garbage, not_http, html, empty, redirect=URL, oversize=BYTES and rate_limit=SECONDS. Behind a comma stand which calls have it (method=, path=, operation=), how often (times=), after how many (after=), whether before or after the call is processed (when=), and what the answer holds (body=, content_type=).":
    "Uma falha é uma destas: status=503, reset, hang, delay=MILLISECONDS, truncate, garbage, not_http, html, empty, redirect=URL, oversize=BYTES e rate_limit=SECONDS. Depois de uma vírgula vem quais chamadas a têm (method=, path=, operation=), quantas vezes (times=), depois de quantas (after=), se antes ou depois de a chamada ser processada (when=), e o que a resposta tem (body=, content_type=).",
  "where it listens; 0 takes a free port": "onde ele escuta; 0 usa uma porta livre",
  "a further redirect address of the app (repeatable)":
    "mais um endereço de redirecionamento do app (pode repetir)",
  "mixed has orders of every kind, busy those of a restaurant, 120 a day":
    "mixed tem pedidos de todo tipo, busy os de um restaurante, 120 por dia",
  "how many orders mixed begins with, 2000 without it": "com quantos pedidos mixed começa; 2000 sem a opção",
  "the same seed makes the same orders": "a mesma semente dá os mesmos pedidos",
  "let calls fail, for example status=503,path=/dispatch,times=2 (repeatable)":
    "faz chamadas falharem, por exemplo status=503,path=/dispatch,times=2 (pode repetir)",
  "without the service's rate limits": "sem os limites de requisições do serviço",
  "run a command against an emulator of its own, with a store signed in":
    "executa um comando contra um emulador próprio, com uma loja conectada",
  "The command runs with COMANDA_CONFIG_DIR, COMANDA_STORE and COMANDA_EMULATOR_URL set, and with this very comanda on its path. The exit code is the command's own; nothing is left behind. This is how a script is tested.":
    "O comando roda com COMANDA_CONFIG_DIR, COMANDA_STORE e COMANDA_EMULATOR_URL definidas, e com este mesmo comanda no caminho. O código de saída é o do próprio comando; nada fica para trás. É assim que se testa um script.",
  "Options of the emulator's stand before the command; -- between the two does no harm. The store has tokens, an API key and a partner key. With --no-limits comanda keeps to no rate limit either.":
    "As opções do emulador vêm antes do comando; -- entre os dois não faz mal. A loja tem tokens, uma chave de API e uma chave de parceiro. Com --no-limits o comanda também não respeita limites.",
  "a guided tour on the emulator; it leaves nothing behind":
    "um passeio guiado no emulador; não deixa nada para trás",
  "Starts the emulator, signs in at a store and takes orders through their life, showing each command line with its output. Your own stores and settings are not touched.":
    "Inicia o emulador, entra em uma loja e leva pedidos do começo ao fim, mostrando cada linha de comando com a saída dela. Suas lojas e configurações não são tocadas.",
  "sign in yourself, in the browser": "você mesmo entra, no navegador",
  "Usage:": "Uso:",
  "Options:": "Opções:",
  "Global Options:": "Opções gerais:",
  "Period:": "Período:",
  "Orders:": "Pedidos:",
  "Amounts:": "Valores:",
  "Age:": "Atualização:",
  "Alerts:": "Alertas:",
  "CSV:": "CSV:",
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
  "It looks at Node, folders and their rights, the disk, both databases, the locks, sessions, the journal, the clock, the way to the service, the port of a sign-in, and the time zones. It asks each service once, without a credential. It ends with 1 where something has to be done before comanda works; with --as-cron also where no store is signed in.":
    "Olha o Node, as pastas e as permissões delas, o disco, os dois bancos de dados, as travas, as sessões, o diário, o relógio, o caminho até o serviço, a porta do login e os fusos horários. Pergunta uma vez a cada serviço, sem credencial. Termina com 1 quando é preciso fazer algo para o comanda funcionar; com --as-cron, também quando nenhuma loja está conectada.",
  "look with the environment that cron gives a command": "olha com o ambiente que o cron dá a um comando",
  "completion by Tab, for bash, zsh, fish and PowerShell":
    "autocompletar com Tab, para bash, zsh, fish e PowerShell",
  "`completion bash` (or another shell) prints its script; `completion install` writes it where the shell looks for it, and says where. Completed are commands, options, closed values, filter fields, periods, and the stores, environments, drivers and runs that this machine knows.":
    "`completion bash` (ou outro shell) mostra o script; `completion install` grava onde o shell procura, e diz onde. São completados comandos, opções, valores fechados, campos de filtro, períodos, e as lojas, ambientes, entregadores e execuções que esta máquina conhece.",
  "The driver is an id, or a name or the beginning of one, as sales figures by driver have told it. Without --fee and --clear-fee the order keeps the fee it has. A fee of 0 is a delivery at no cost.":
    "O entregador é um id, ou um nome ou o começo dele, como os números de vendas por entregador informaram. Sem --fee e --clear-fee o pedido mantém a taxa que tem. Taxa 0 é uma entrega sem custo.",
  "--dry-run says which calls go out, which answers are kept, and how long it takes, and asks nothing.":
    "--dry-run diz que chamadas saem, que respostas já estão guardadas e quanto tempo leva, e não consulta nada.",
  "The headline is compared in any case, and as many sections as can be asked for in the minutes that the report takes anyway: days and weekdays first, then hours. --compare-sections compares them all; --dry-run says what that costs.":
    "Os números principais são sempre comparados, e tantas seções quantas couberem nos minutos que o relatório já leva: primeiro dias e dias da semana, depois horas. --compare-sections compara todas; --dry-run diz quanto isso custa.",
  "--heatmap adds a table of weekdays by hours, at one call for each hour that has orders (for a period of up to 26 days one for each day).":
    "--heatmap acrescenta uma tabela de dias da semana por hora, com uma chamada para cada hora que tem pedidos (em um período de até 26 dias, uma para cada dia).",
  "A month takes 10 calls where the service allows 5 a minute, so a first report lasts about a minute. Meanwhile the page is there with what the first calls brought, unless it would take a whole report's place, and says when the rest will be. An interrupted one goes on where it stopped, and a second one of the same period on the same day costs no calls. JSON and CSV have the service's own keys of weekdays, for which a first one takes a call more.":
    "Um mês usa 10 chamadas, e o serviço aceita 5 por minuto; por isso o primeiro relatório demora cerca de um minuto. Enquanto isso, a página já está lá com o que as primeiras chamadas trouxeram, a não ser que fosse tomar o lugar de um relatório completo, e diz quando o resto chega. Um relatório interrompido continua de onde parou, e um segundo do mesmo período no mesmo dia não custa chamadas. JSON e CSV trazem as chaves dos dias da semana como o serviço as escreve; para isso o primeiro usa uma chamada a mais.",
  "compare every section, even if that takes longer": "compara todas as seções, mesmo que demore mais",
  "add a table of weekdays by hours": "acrescenta uma tabela de dias da semana por hora",
  "--export writes one table of what is kept: store, day, dimension, key, orders, cents, currency, asked_at. With --offline it does so without asking.":
    "--export grava uma tabela do que está guardado: store, day, dimension, key, orders, cents, currency, asked_at. Com --offline faz isso sem consultar.",
  'Schedulers beside cron\n\ncomanda schedule print writes the line of a crontab. Others get the same by\nhand: the full path of comanda, the command with --quiet and --no-input, and the\nvariables that it needs. Keep secrets out of files that others can read.\n\nsystemd: ~/.config/systemd/user/comanda-sales.service, and comanda-sales.timer\nbeside it; then: systemctl --user enable --now comanda-sales.timer\n\n  [Service]\n  Type=oneshot\n  Environment="COMANDA_STORE=centro"\n  ExecStart=/usr/local/bin/comanda sync --quiet --no-input\n\n  [Timer]\n  OnCalendar=*-*-* 06:15:00\n  RandomizedDelaySec=300\n  Persistent=true\n\n  [Install]\n  WantedBy=timers.target\n\nA % is doubled there, and so is a $ in ExecStart.\n\nWindows: setx sets a variable for the tasks of the user, and\n\n  schtasks /create /tn comanda-sales /sc daily /st 06:15 ^\n    /tr "cmd /c comanda sync --quiet --no-input"\n\nmakes one that runs each day.\n\nKubernetes: no image is published (examples/Containerfile makes one), and a\ncontainer is signed in at no store, so that its credentials are a secret:\nkubectl create secret generic comanda --from-literal=COMANDA_BASE_URL=… \\\n  --from-literal=COMANDA_ACCESS_TOKEN=…\n\n  apiVersion: batch/v1\n  kind: CronJob\n  metadata:\n    name: comanda-sales\n  spec:\n    schedule: "15 6 * * *"\n    timeZone: America/Sao_Paulo\n    concurrencyPolicy: Forbid\n    jobTemplate:\n      spec:\n        backoffLimit: 0    # what was sent may have been done\n        template:\n          spec:\n            restartPolicy: Never\n            containers:\n              - name: comanda\n                image: registry.example/comanda\n                args: [summary, --json, --quiet, --no-input]\n                envFrom:\n                  - secretRef:\n                      name: comanda\n                securityContext:\n                  readOnlyRootFilesystem: true\n                  runAsNonRoot: true\n                  allowPrivilegeEscalation: false\n':
    'Agendadores além do cron\n\ncomanda schedule print escreve a linha de um crontab. Os outros recebem o mesmo\nà mão: o caminho inteiro do comanda, o comando com --quiet e --no-input, e as\nvariáveis de que ele precisa. Não deixe segredos em arquivos que outros leem.\n\nsystemd: ~/.config/systemd/user/comanda-sales.service, e ao lado\ncomanda-sales.timer; depois: systemctl --user enable --now comanda-sales.timer\n\n  [Service]\n  Type=oneshot\n  Environment="COMANDA_STORE=centro"\n  ExecStart=/usr/local/bin/comanda sync --quiet --no-input\n\n  [Timer]\n  OnCalendar=*-*-* 06:15:00\n  RandomizedDelaySec=300\n  Persistent=true\n\n  [Install]\n  WantedBy=timers.target\n\nAli um % é escrito duas vezes, e em ExecStart também um $.\n\nWindows: setx define uma variável para as tarefas do usuário, e\n\n  schtasks /create /tn comanda-sales /sc daily /st 06:15 ^\n    /tr "cmd /c comanda sync --quiet --no-input"\n\ncria uma que roda todo dia.\n\nKubernetes: nenhuma imagem é publicada (examples/Containerfile faz uma), e um\ncontêiner não fez login em loja nenhuma, então as credenciais são um secret:\nkubectl create secret generic comanda --from-literal=COMANDA_BASE_URL=… \\\n  --from-literal=COMANDA_ACCESS_TOKEN=…\n\n  apiVersion: batch/v1\n  kind: CronJob\n  metadata:\n    name: comanda-sales\n  spec:\n    schedule: "15 6 * * *"\n    timeZone: America/Sao_Paulo\n    concurrencyPolicy: Forbid\n    jobTemplate:\n      spec:\n        backoffLimit: 0    # o que foi enviado pode ter sido feito\n        template:\n          spec:\n            restartPolicy: Never\n            containers:\n              - name: comanda\n                image: registry.example/comanda\n                args: [summary, --json, --quiet, --no-input]\n                envFrom:\n                  - secretRef:\n                      name: comanda\n                securityContext:\n                  readOnlyRootFilesystem: true\n                  runAsNonRoot: true\n                  allowPrivilegeEscalation: false\n',
  "Exit codes\n\n    0  done; also where a question was answered with no, and so nothing was done\n    1  a fault of comanda's own; of doctor: something has to be mended\n    2  wrong usage or input (also API code 4000); an output that can't be\n       written, as on a full disk\n    3  not signed in, or the token was refused (401, 4010)\n    4  not allowed (403: missing scope; access_denied)\n    5  not found (404, 4041)\n    6  the order's status can't be changed (4002)\n    7  rate limited, or the wait would pass --max-wait\n    8  service unreachable or failing: network, TLS, timeout, 5xx, an answer\n       that isn't the API's; or a lock that stays busy\n    9  outcome unknown: the request went out, and no answer of the API's tells\n       what became of it\n   10  several orders: some did not succeed; each one's outcome is in the output\n   11  an --alert holds\n  130  interrupted\n  141  the reader of the output has gone (| head) before all was done\n  143  terminated\n":
    "Códigos de saída\n\n    0  feito; também quando a resposta a uma pergunta foi não, e nada foi feito\n    1  um defeito do próprio comanda; de doctor: há algo a corrigir\n    2  uso ou entrada errada (também o código 4000 da API); uma saída que não\n       pode ser gravada, como em disco cheio\n    3  sem login, ou o token foi recusado (401, 4010)\n    4  não permitido (403: falta um escopo; access_denied)\n    5  não encontrado (404, 4041)\n    6  o status do pedido não pode ser alterado (4002)\n    7  limite de requisições, ou a espera passaria de --max-wait\n    8  serviço fora do ar ou falhando: rede, TLS, tempo esgotado, 5xx, uma\n       resposta que não é da API; ou uma trava que continua ocupada\n    9  resultado desconhecido: a requisição saiu, e nenhuma resposta da API diz\n       o que foi feito dela\n   10  vários pedidos: alguns não deram certo; o resultado de cada um está na\n       saída\n   11  um --alert disparou\n  130  interrompido\n  141  quem lia a saída saiu (| head) antes do fim\n  143  encerrado\n",
  "Environment variables\n\n  COMANDA_STORE         the store to work at, where --store isn't given\n  COMANDA_ENV           the environment to sign in at, where --env isn't given;\n                        for every other command a safeguard: a store of another\n                        environment is refused\n  COMANDA_DATA_DIR      where sales figures are kept, in place of the system's\n                        data folder (or of data in COMANDA_CONFIG_DIR)\n  COMANDA_CONFIG_DIR    where settings and sessions are kept, in place of the\n                        system's folder\n  COMANDA_ACTOR         who is at work, for the journal (comanda history), where\n                        the machine's user doesn't tell\n  COMANDA_RATE_LIMITS   \"off\" leaves the rate limits to the service: comanda\n                        neither counts nor waits ahead\n  COMANDA_STATE         a chain's database, postgres://user@host/database, in\n                        place of files here: comanda help chain\n  COMANDA_STATE_KEY     encrypts what is secret in it; COMANDA_STATE_KEY_FILE: a\n                        file with the key\n\n  For machines without state (containers, CI):\n  COMANDA_BASE_URL      the API's address, together with one of the next two;\n                        --store goes before it\n  COMANDA_ACCESS_TOKEN  an access token\n  COMANDA_API_KEY       the store's API key\n  COMANDA_PARTNER_KEY   the partner key, which goes along with it:\n                        comanda api --auth partner\n\n  COMANDA_LANG          en or pt-BR: the language of messages, tables and help;\n                        --lang goes before it, the setting \"language\" and the\n                        locale come after it\n  COMANDA_PAGER, PAGER  what shows a table that is longer than the terminal,\n                        such as less; set to nothing, or not set: none\n  NO_COLOR              no colours; FORCE_COLOR and CLICOLOR_FORCE: colours also\n                        where the output is no terminal\n  HTTPS_PROXY, HTTP_PROXY, NO_PROXY\n                        the proxy to go through, such as proxy.example:8080 or\n                        http://user:password@proxy.example:8080; loopback\n                        addresses (127.0.0.0/8, ::1, localhost) never do\n":
    'Variáveis de ambiente\n\n  COMANDA_STORE         a loja em que trabalhar, quando não há --store\n  COMANDA_ENV           o ambiente em que entrar, quando não há --env; para\n                        todos os outros comandos é uma proteção: uma loja de\n                        outro ambiente é recusada\n  COMANDA_DATA_DIR      onde ficam os números de vendas, no lugar da pasta de\n                        dados do sistema (ou de data em COMANDA_CONFIG_DIR)\n  COMANDA_CONFIG_DIR    onde ficam configurações e sessões, no lugar da pasta do\n                        sistema\n  COMANDA_ACTOR         quem está trabalhando, para o diário (comanda history),\n                        quando o usuário da máquina não diz\n  COMANDA_RATE_LIMITS   "off" deixa os limites com o serviço: o comanda não\n                        conta nem espera antes\n  COMANDA_STATE         o banco de uma rede, postgres://usuário@host/banco, no\n                        lugar de arquivos aqui: comanda help chain\n  COMANDA_STATE_KEY     cifra o que é secreto nele; COMANDA_STATE_KEY_FILE: um\n                        arquivo com a chave\n\n  Para máquinas sem estado (contêineres, CI):\n  COMANDA_BASE_URL      o endereço da API, junto com uma das duas seguintes;\n                        --store vale mais\n  COMANDA_ACCESS_TOKEN  um token de acesso\n  COMANDA_API_KEY       a chave de API da loja\n  COMANDA_PARTNER_KEY   a chave de parceiro, que vai junto:\n                        comanda api --auth partner\n\n  COMANDA_LANG          en ou pt-BR: o idioma das mensagens, tabelas e ajuda;\n                        --lang vale mais, a configuração "language" e o idioma\n                        do sistema valem menos\n  COMANDA_PAGER, PAGER  o que mostra uma tabela mais longa que o terminal, como\n                        less; vazia ou ausente: nada\n  NO_COLOR              sem cores; FORCE_COLOR e CLICOLOR_FORCE: cores também\n                        quando a saída não é um terminal\n  HTTPS_PROXY, HTTP_PROXY, NO_PROXY\n                        o proxy a usar, como proxy.example:8080 ou\n                        http://user:password@proxy.example:8080; endereços de\n                        loopback (127.0.0.0/8, ::1, localhost) nunca usam\n',
  "today's orders by status as they move, and the takings against the same weekday":
    "os pedidos de hoje por status, como mudam, e o faturamento contra o mesmo dia da semana",
  "Counts, not orders: the API shows no list of orders. A look is one call, with what moved since the look before; every 5 minutes a second call asks for the same weekday a week ago until the same time. A day is the store's, from when it starts.":
    "Contagens, não pedidos: a API não mostra a lista de pedidos. Cada consulta é uma chamada, com o que mudou desde a anterior; a cada 5 minutos uma segunda chamada pergunta pelo mesmo dia da semana passada até a mesma hora. O dia é o da loja, desde a hora em que começa.",
  "At a terminal it fills the screen, stores side by side; q or Ctrl-C ends it, and Ctrl-Z sets it aside until `fg`. With --plain, or where TERM is dumb, each look is a block of lines. With --json, and without a terminal, each look is one line of JSON.":
    "No terminal ocupa a tela, com as lojas lado a lado; q ou Ctrl-C encerra, e Ctrl-Z deixa de lado até `fg`. Com --plain, ou se TERM é dumb, cada consulta é um bloco de linhas. Com --json, e sem terminal, cada consulta é uma linha de JSON.",
  "It asks only what the rate limit leaves over: other commands go first, and one call a minute stays free for them. Where there is no room, or the service doesn't answer, the last figures stay, and say how old they are and why. Only the first look has to succeed.":
    "Só consulta o que o limite de requisições deixa sobrar: os outros comandos vão primeiro, e uma chamada por minuto fica livre para eles. Se não há vaga, ou o serviço não responde, os últimos números ficam, e dizem de quando são e por quê. Só a primeira consulta precisa dar certo.",
  "At a terminal, ids without a command ask which change is meant.":
    "Em um terminal, ids sem comando perguntam qual é a mudança.",
  "from one look to the next": "o tempo de uma consulta à próxima",
  "end after so many looks": "encerra depois de tantas consultas",
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
  "the version of comanda, of Node and of the system, for a bug report":
    "a versão do comanda, do Node e do sistema, para relatar um problema",
  "Periods\n\n  --period today, yesterday, this-week, last-week, this-month, last-month,\n           this-year, last-year, last-7-days, 2026-10 (a month), 2026-10-05\n  --from, --to     two dates, both included, or two date-times with offset\n  --day-starts     04:00: sales after midnight belong to the night before\n  --compare        previous (the period before), week, year, date, none\n\nDays are whole days of the store's time zone: --tz, the store's setting\n(comanda stores set <alias> --tz <zone>), else this machine's, with a warning.\nA week begins on Monday. A whole month meets the whole month before, a running\none the same part of it. The window that was asked for is shown.\nMore than 3 years back the service has nothing.\n":
    "Períodos\n\n  --period hoje, ontem, esta-semana, semana-passada, este-mês, mês-passado,\n           este-ano, ano-passado, últimos-7-dias, 2026-10 (um mês), 05/10/2026\n  --from, --to     duas datas, ambas incluídas, ou duas datas-horas com fuso\n  --day-starts     04:00: as vendas depois da meia-noite são da noite anterior\n  --compare        previous (o período anterior), week, year, date, none\n\nOs dias são dias inteiros do fuso da loja: --tz, a configuração da loja\n(comanda stores set <alias> --tz <zone>), ou o desta máquina, com um aviso.\nA semana começa na segunda. Um mês inteiro é comparado com o mês inteiro\nanterior, um em andamento com a mesma parte dele. A janela pedida é mostrada.\nHá mais de 3 anos o serviço não tem nada.\n",
  "Filters\n\n  --filter 'status=closed,delivered'     one of these\n  --filter 'status!=canceled'            none of these; --net is short for it\n  --filter 'total>=50'                   also > < <=\n  --filter 'created_at_time<15:00'       a time of the day\n  --filter 'customer_origin=null'        where there is none\n  --filter 'status_in=closed'            the API's own spelling\n\nSeveral filters all have to hold. Put each in quotes: the shell has a meaning\nfor < > and !. A slip in a field's name, or in a value that is one of a few, is\nrefused with the nearest; other values go to the service as they are. Of a\nsales_channel that the API doesn't list and no kept answer has shown, a warning\nnames the nearest: it would select no order.\n":
    "Filtros\n\n  --filter 'status=closed,delivered'     um destes\n  --filter 'status!=canceled'            nenhum destes; --net é o atalho\n  --filter 'total>=50'                   também > < <=\n  --filter 'created_at_time<15:00'       uma hora do dia\n  --filter 'customer_origin=null'        onde não há nenhum\n  --filter 'status_in=closed'            como a API escreve\n\nVários filtros valem todos juntos. Ponha cada um entre aspas: para o shell,\n< > e ! têm outro sentido. Um erro no nome do campo, ou em um valor de uma lista\nfechada, é recusado com o mais parecido; os outros vão ao serviço como estão.\nDe um sales_channel que a API não lista e nenhuma resposta guardada mostrou, um\naviso dá o mais parecido: ele não selecionaria nenhum pedido.\n",
  "Output\n\n  stdout has data alone; notices, progress and errors go to stderr.\n  --json                    one JSON value; orders: a line each, as they finish\n  --format ndjson|csv|tsv|markdown\n  --fields order_id,outcome these members or columns, in this order\n  --jq '.groups[0].label'   what an expression of the jq language gives\n  --output FILE             a file in place of stdout: whole, or not at all\n  --quiet                   data and errors alone: no sentences\n  --plain                   for a screen reader: nothing that moves, no bars\n  --color always|never      else at a terminal alone; NO_COLOR is heard\n\nJSON, CSV, codes and flags are the same in every language. A table fits the\nterminal; a long one is shown by PAGER (--no-pager). An expression of --jq may\ntake a minute for each value and 256 MiB of memory, and give 64 MiB of text;\nthen the exit code is 2.\n":
    "Saída\n\n  stdout só tem dados; avisos, progresso e erros vão para stderr.\n  --json                    um valor JSON; pedidos: uma linha cada, ao terminar\n  --format ndjson|csv|tsv|markdown\n  --fields order_id,outcome estes membros ou colunas, nesta ordem\n  --jq '.groups[0].label'   o que uma expressão da linguagem jq dá\n  --output ARQUIVO          um arquivo no lugar de stdout: inteiro, ou nada\n  --quiet                   só dados e erros: nenhuma frase\n  --plain                   para leitor de tela: nada se move, sem barras\n  --color always|never      senão, só em um terminal; NO_COLOR é respeitado\n\nJSON, CSV, códigos e opções são iguais em todos os idiomas. Uma tabela cabe no\nterminal; uma longa é mostrada por PAGER (--no-pager). Uma expressão de --jq pode\nlevar um minuto para cada valor e 256 MiB de memória, e dar 64 MiB de texto;\ndepois disso o código de saída é 2.\n",
  "Sign-in\n\n  comanda env set production --base-url … --auth-url … --client-id …\n  comanda login --store centro --env production\n\nThe browser asks the store's owner; comanda keeps the tokens in a file that you\nalone can read, and renews them. Without a browser here, --no-browser prints the\naddress and takes the one that the browser ended at. login --api-key stores the\nstore's API key, for status changes and pre-filled orders.\n\n  comanda status            is the store signed in? exit code 3 where it isn't\n  comanda logout            revokes the tokens, then forgets them and the keys\n  comanda stores remove …   forgets the store: settings and figures too\n  comanda revoke centro     revokes them where the disk can't be written\n":
    "Login\n\n  comanda env set production --base-url … --auth-url … --client-id …\n  comanda login --store centro --env production\n\nO navegador pergunta ao dono da loja; o comanda guarda os tokens em um arquivo\nque só você lê, e renova. Sem navegador aqui, --no-browser mostra o endereço e\naceita aquele em que o navegador parou. login --api-key guarda a chave de API da\nloja, para mudar o status de pedidos e para pedidos pré-preenchidos.\n\n  comanda status            a loja está conectada? código 3 quando não está\n  comanda logout            revoga os tokens, depois os esquece com as chaves\n  comanda stores remove …   esquece a loja: configuração e números também\n  comanda revoke centro     revoga os tokens quando o disco não grava\n",
  "cron\n\n  comanda schedule print --daily 06:15 -- summary --period yesterday --json\n  comanda doctor --as-cron  what a command would find under cron\n\ncron has another PATH and none of your variables: schedule print writes the full\npath and the variables into the line. It mails whatever a command prints:\n--quiet leaves errors and warnings, --output keeps the result in a file.\nAny number of jobs may start at once: tokens are renewed under a lock, and the\nrate limits are counted together. --max-wait says how long a job may wait.\nExit codes tell what happened: comanda help exit-codes\n":
    "cron\n\n  comanda schedule print --daily 06:15 -- summary --period yesterday --json\n  comanda doctor --as-cron  o que um comando encontraria no cron\n\nO cron tem outro PATH e nenhuma das suas variáveis: schedule print escreve o\ncaminho completo e as variáveis na linha. Ele manda por e-mail o que o comando\nmostra: --quiet deixa erros e avisos, --output guarda o resultado em um arquivo.\nPodem começar vários ao mesmo tempo: os tokens são renovados sob uma trava, e os\nlimites são contados juntos. --max-wait diz quanto um comando pode esperar.\nOs códigos de saída dizem o que houve: comanda help exit-codes\n",
  'JSON\n\nAmounts are numbers with two decimals. A field may be added, none goes.\n\n  orders dispatch|deliver|finalize|cancel   a line for each order\n    {"order_id", "action", "outcome", "http_status", "code", "message",\n     "details", "attempts", "evidence"}; with --resume also "resumed": true on\n    what an earlier part of the run settled\n  driver assign   the order as the service sent it, unknown fields kept\n  summary         {"total_order_count", "total_revenue", "average_order_value"}\n  grouped         {"group_by", "groups": [{"key", "label", ...}]}; with\n                  --top --rest also "rest"\n    beside both   "period": {"from", "to", "time_zone", "day_starts"},\n                  "currency" (null where none is set), "canceled" (null where it\n                  isn\'t known), "asked_at", "kept", "restated"; a week or month\n                  that the period cuts has "partial": true and its "days"; a\n                  weekday or hour has "days", how many the period has of it\n                  (null where that can\'t be told)\n    --compare     {"current", "previous", "change"}; a change is {"absolute",\n                  "percent"}, and percent is null where nothing was before;\n                  "comparable": false where the lengths differ; of weekdays and\n                  hours also "per_day", the change of the averages of a day\n  several stores  {"stores": [{"store", ...}], "totals": [{"stores", ...}],\n                  "total"}: a total for each currency; "total" is the only one,\n                  or null. A store that failed has "error" in place of figures\n  pivot           {"rows", "cols", "period", "currency", "asked_at", "kept",\n                  "cells": [{"row", "row_label", "col", "col_label", "other",\n                  "total_order_count", "total_revenue", "average_order_value"}]}\n                  with orders only; "other" marks what no filter selects;\n                  "differences": [{"dimension", "key", "other",\n                  "total_order_count", "total_revenue"}]: what a row or column\n                  has more than its total\n  report          {"summary", "grouped": {"day": {"group_by", "groups"}, ...}},\n                  "grouped_previous" (what is compared), "heatmap" (as pivot),\n                  "differences": [{"section", "total_order_count",\n                  "total_revenue"}]: what a section has more than its headline\n  live            a line a look: {"at", "stores": [{"store", "asked_at",\n                  "limited", "error", "period", "currency",\n                  "total_order_count", "total_revenue",\n                  "average_order_value", "canceled", "statuses": [{"key",\n                  "label", "moved", ...}], "same_weekday"}]}; figures are null\n                  where there were none yet\n  --dry-run       of all of these: {"calls", "seconds", "requests": [{"store",\n                  "endpoint", "group_by", "from", "to", "date_field", "filters",\n                  "kept"}]}; "estimated": true where an answer tells what else\n                  is asked; report also "compare_sections"\n  sync            {"calls", "answers", "restated": [{"store", "dimension",\n                  "key", "from", "to", "before", "after", "since"}]}\n  prefill         {"id", "order_url", "checkout_url"}; of many a line each:\n                  {"line", "outcome", "id", "order_url", "checkout_url",\n                  "http_status", "code", "message", "details", "attempts",\n                  "evidence"}\n  status, login   {"store", "environment", "state", "scopes", "expires_at",\n                  "has_api_key", "has_partner_key", "has_refresh_token",\n                  "can_change_orders"}; state is valid, expired, refused,\n                  unreachable or signed_out; status has "time_zone" too, and\n                  of several stores it is {"stores": [...]}; status --check and\n                  login --api-key have "checked": [{"credential", "call",\n                  "result", "evidence", "message"}]; result is accepted,\n                  not_allowed, refused or not_checked\n  history         a line for each change: {"at", "run", "store", "environment",\n                  "operation", "order_id", "arguments", "outcome",\n                  "http_status", "code", "attempts", "evidence", "actor"}, and\n                  where a person has looked an unknown one up "settled":\n                  {"outcome", "by", "at", "note"}; history show, settle too\n  history drivers [{"driver_id", "name", "orders", "known_fees", "total_fee",\n                  "without_fee", "canceled_orders", "canceled_fee"}]; of several\n                  stores {"stores": [{"store", "drivers"}]}\n  quota           [{"store", "environment", "bucket", "limit",\n                  "window_seconds", "left", "next_free_at", "waiting"}]; left is\n                  null with COMANDA_RATE_LIMITS=off, next_free_at where no place\n                  is taken\n  errors          on stderr: {"error": {"exit_code", "code", "http_status",\n                  "message", "details", "hint", "evidence"}}\n\n"evidence" is whose word it is: "api", the service\'s own; "gateway", an answer\nthat nothing shows to be the service\'s; "nobody", no answer came; null where\nnothing was sent.\n\n"expired" speaks of the access token: with a refresh token the exit code is\nstill 0, since the next command renews it. An error\'s "code" is the API\'s number\nwhere the service gave one, else a stable name of comanda\'s own. "asked_at" is\nwhen the oldest of the answers was asked for, "kept" whether one of them had\nbeen kept on this machine, "restated" figures that have changed since.\n':
    'JSON\n\nValores são números com duas casas decimais. Um campo pode surgir, nenhum some.\n\n  orders dispatch|deliver|finalize|cancel   uma linha por pedido\n    {"order_id", "action", "outcome", "http_status", "code", "message",\n     "details", "attempts", "evidence"}; com --resume também "resumed": true no\n    que uma parte anterior da execução resolveu\n  driver assign   o pedido como o serviço o enviou, com campos desconhecidos\n  summary         {"total_order_count", "total_revenue", "average_order_value"}\n  grouped         {"group_by", "groups": [{"key", "label", ...}]}; com\n                  --top --rest também "rest"\n    nos dois      "period": {"from", "to", "time_zone", "day_starts"},\n                  "currency" (null se não definida), "canceled" (null se não se\n                  sabe), "asked_at", "kept", "restated"; uma semana ou mês que o\n                  período corta tem "partial": true e os "days" dele; um dia da\n                  semana ou uma hora tem "days", quantos há no período (null se\n                  não dá para saber)\n    --compare     {"current", "previous", "change"}; uma mudança é {"absolute",\n                  "percent"}, e percent é null se antes não havia nada;\n                  "comparable": false se as durações são outras; de dias da\n                  semana e horas também "per_day", a mudança da média por dia\n  várias lojas    {"stores": [{"store", ...}], "totals": [{"stores", ...}],\n                  "total"}: um total por moeda; "total" é o único, ou null. Uma\n                  loja que falhou tem "error" no lugar dos números\n  pivot           {"rows", "cols", "period", "currency", "asked_at", "kept",\n                  "cells": [{"row", "row_label", "col", "col_label", "other",\n                  "total_order_count", "total_revenue", "average_order_value"}]}\n                  só com pedidos; "other" marca o que nenhum filtro escolhe;\n                  "differences": [{"dimension", "key", "other",\n                  "total_order_count", "total_revenue"}]: o que uma linha ou\n                  coluna tem a mais que o seu total\n  report          {"summary", "grouped": {"day": {"group_by", "groups"}, ...}},\n                  "grouped_previous" (o que é comparado), "heatmap" (como pivot),\n                  "differences": [{"section", "total_order_count",\n                  "total_revenue"}]: o que uma seção tem além do seu total\n  live            uma linha por olhada: {"at", "stores": [{"store", "asked_at",\n                  "limited", "error", "period", "currency",\n                  "total_order_count", "total_revenue",\n                  "average_order_value", "canceled", "statuses": [{"key",\n                  "label", "moved", ...}], "same_weekday"}]}; null nos\n                  números onde ainda não há nenhum\n  --dry-run       de todos esses: {"calls", "seconds", "requests": [{"store",\n                  "endpoint", "group_by", "from", "to", "date_field", "filters",\n                  "kept"}]}; "estimated": true se uma resposta diz o que mais\n                  perguntar; report também "compare_sections"\n  sync            {"calls", "answers", "restated": [{"store", "dimension",\n                  "key", "from", "to", "before", "after", "since"}]}\n  prefill         {"id", "order_url", "checkout_url"}; de vários, uma por linha:\n                  {"line", "outcome", "id", "order_url", "checkout_url",\n                  "http_status", "code", "message", "details", "attempts",\n                  "evidence"}\n  status, login   {"store", "environment", "state", "scopes", "expires_at",\n                  "has_api_key", "has_partner_key", "has_refresh_token",\n                  "can_change_orders"}; state é valid, expired, refused,\n                  unreachable ou signed_out; status tem também "time_zone", e\n                  de várias lojas é {"stores": [...]}; status --check e\n                  login --api-key têm "checked": [{"credential", "call",\n                  "result", "evidence", "message"}]; result é accepted,\n                  not_allowed, refused ou not_checked\n  history         uma linha por mudança: {"at", "run", "store", "environment",\n                  "operation", "order_id", "arguments", "outcome",\n                  "http_status", "code", "attempts", "evidence", "actor"}, e\n                  quando alguém apurou um desconhecido "settled":\n                  {"outcome", "by", "at", "note"}; history show e settle também\n  history drivers [{"driver_id", "name", "orders", "known_fees", "total_fee",\n                  "without_fee", "canceled_orders", "canceled_fee"}]; de várias\n                  lojas {"stores": [{"store", "drivers"}]}\n  quota           [{"store", "environment", "bucket", "limit",\n                  "window_seconds", "left", "next_free_at", "waiting"}]; left é\n                  null com COMANDA_RATE_LIMITS=off, next_free_at se nenhuma vaga\n                  está ocupada\n  erros           na saída de erros: {"error": {"exit_code", "code",\n                  "http_status", "message", "details", "hint", "evidence"}}\n\n"evidence" diz de quem é a palavra: "api", do próprio serviço; "gateway", uma\nresposta que nada mostra ser do serviço; "nobody", não veio resposta; null se\nnada foi enviado.\n\n"expired" fala do token de acesso: com um token de renovação o código de saída\nainda é 0, pois o próximo comando o renova. O "code" de um erro é o número da\nAPI, se o serviço deu um; senão, um nome estável do comanda. "asked_at" é quando\na mais antiga das respostas foi pedida, "kept" diz se uma delas estava guardada\nnesta máquina, "restated" são números que mudaram desde então.\n',
  "For a chain\n\nMachines that work at the same stores share their state in PostgreSQL 14 or\nnewer: sign-ins, settings of stores, limits, locks and figures. Its driver is\ninstalled beside comanda: npm install --global comanda pg\n\n  COMANDA_STATE       postgres://user:password@host:port/database, on each\n                      machine; or: comanda config set state postgres://…\n                      without a password, which PGPASSWORD or ~/.pgpass has.\n                      \"sqlite:\", or nothing: files of this machine\n  COMANDA_STATE_KEY   encrypts tokens and keys before they are stored: 32 bytes\n                      in base64, the same on all machines. Or\n                      COMANDA_STATE_KEY_FILE, a file that is yours alone\n\n  comanda state key        makes a key\n  comanda state status     where state lies, and how much; makes the tables\n  comanda state copy       takes what is here there (--to postgres://…), or\n                           what is there here (--to here)\n  comanda state rekey      encrypts all with the newest key: COMANDA_STATE_KEY\n                           has it first, and the old one behind it\n\nThe connection is TLS, and the server's certificate is verified, unless the\naddress is of the machine itself. NODE_EXTRA_CA_CERTS names an authority of your\nown. A pooler in between has to keep sessions: locks hang on connections.\n\nThree roles (examples/postgres-roles.sql has their grants):\n  comanda_migrate   owns the tables, and makes and changes them\n  comanda_run       runs comanda: reads and writes rows\n  comanda_read      reads the schema comanda_sales; sign-ins it can't see\n\nA sign-in is renewed by one machine at a time. Where one is cut off while its\nrequest is out, the others wait for up to 30 seconds, since its answer may still\ncome. Only where it is killed between the service's answer and the write is the\nsign-in lost: the next command says so.\n":
    'Para uma rede\n\nMáquinas que trabalham nas mesmas lojas dividem os dados no PostgreSQL 14 ou\nmais novo: acessos, configurações das lojas, limites, travas e números. O driver\né instalado ao lado do comanda: npm install --global comanda pg\n\n  COMANDA_STATE       postgres://usuário:senha@host:porta/banco, em cada\n                      máquina; ou: comanda config set state postgres://…\n                      sem senha, que fica em PGPASSWORD ou ~/.pgpass.\n                      "sqlite:", ou nada: arquivos desta máquina\n  COMANDA_STATE_KEY   cifra tokens e chaves antes de guardar: 32 bytes em\n                      base64, a mesma em todas as máquinas. Ou\n                      COMANDA_STATE_KEY_FILE, um arquivo só seu\n\n  comanda state key        cria uma chave\n  comanda state status     onde ficam os dados e quanto; cria as tabelas\n  comanda state copy       leva o que está aqui para lá (--to postgres://…) ou\n                           o que está lá para cá (--to here)\n  comanda state rekey      cifra tudo com a chave mais nova: COMANDA_STATE_KEY\n                           a traz primeiro, e a antiga atrás\n\nA conexão é TLS e o certificado do servidor é verificado, a não ser que o\nendereço seja da própria máquina. NODE_EXTRA_CA_CERTS indica uma autoridade\nprópria. Um pooler no meio tem que manter sessões: as travas são das conexões.\n\nTrês papéis (examples/postgres-roles.sql tem as permissões):\n  comanda_migrate   é dono das tabelas, cria e muda\n  comanda_run       executa o comanda: lê e grava linhas\n  comanda_read      lê o esquema comanda_sales; os acessos não consegue ver\n\nUm acesso é renovado por uma máquina por vez. Se uma cai com o pedido no ar, as\noutras esperam até 30 segundos, pois a resposta ainda pode chegar. Só quando ela\nmorre entre a resposta do serviço e a gravação o acesso se perde: o próximo\ncomando diz isso.\n',
  "many machines with one state, in PostgreSQL": "muitas máquinas com os mesmos dados, no PostgreSQL",
  "Files\n\n  ~/.config/comanda (Linux), ~/Library/Preferences/comanda (macOS),\n  %APPDATA%\\comanda\\Config (Windows), or COMANDA_CONFIG_DIR:\n    settings.json  zones, currencies, environments: comanda config path\n    sessions/      a file for each store: tokens and keys are here alone\n    comanda.db     what was sent, and how much may be: an SQLite database\n\n  ~/.local/share/comanda (Linux), ~/Library/Application Support/comanda (macOS),\n  %LOCALAPPDATA%\\comanda\\Data (Windows), or COMANDA_DATA_DIR:\n    sales.db       what the service answered about sales, each answer with its\n                   moment, and the names of drivers: comanda help sales-db\n\nsales.db holds no token and no key, nor anything made of one.\n\nAll are yours alone. The folders have to be real and your own, as ssh has it for\nits keys: no links, and nothing that others can write to; a folder above may be\nroot's. Otherwise the exit code is 2, with what to type.\n":
    "Arquivos\n\n  ~/.config/comanda (Linux), ~/Library/Preferences/comanda (macOS),\n  %APPDATA%\\comanda\\Config (Windows), ou COMANDA_CONFIG_DIR:\n    settings.json  fusos, moedas, ambientes: comanda config path\n    sessions/      um arquivo por loja: tokens e chaves ficam só aqui\n    comanda.db     o que foi enviado, e quanto pode ser: um banco SQLite\n\n  ~/.local/share/comanda (Linux), ~/Library/Application Support/comanda (macOS),\n  %LOCALAPPDATA%\\comanda\\Data (Windows), ou COMANDA_DATA_DIR:\n    sales.db       o que o serviço respondeu sobre vendas, cada resposta com o\n                   momento dela, e os nomes dos entregadores: comanda help sales-db\n\nNo sales.db não há token nem chave, nem nada feito a partir deles.\n\nTudo é só seu. As pastas precisam ser reais e suas, como o ssh exige para as\nchaves dele: sem links, e nada em que outros possam gravar; uma pasta acima pode\nser do root. Senão o código de saída é 2, com o que digitar.\n",
  "Sales in SQL": "Vendas em SQL",
  "comanda sql '<statement>' reads sales.db (comanda help files says where it lies), which other programs may read as well: it is a database of SQLite's. Amounts are in the store's currency: add up the cents.":
    "comanda sql '<comando>' lê o sales.db (comanda help files diz onde fica), que outros programas também podem ler: é um banco SQLite. Os valores estão na moeda da loja: some os centavos.",
  "The folder and the file are yours alone. Whom you let into the folder may read the file after chmod 644 sales.db; no comanda refuses that, nor takes it back. Who can't write there opens it as file:sales.db?immutable=1.":
    "A pasta e o arquivo são só seus. Quem você deixar entrar na pasta pode ler o arquivo depois de chmod 644 sales.db; nenhum comanda recusa isso, nem desfaz. Quem não pode gravar ali o abre como file:sales.db?immutable=1.",
  "As the view without _history, for every answer; beside its columns:":
    "Como a visão sem _history, para cada resposta; além das colunas dela:",
  "Every answer about a day that was over, and what the answer before it said.":
    "Cada resposta sobre um dia que já tinha acabado, e o que dizia a resposta anterior.",
  "The newest figures of each day that is known.": "Os números mais novos de cada dia conhecido.",
  "What has changed in days that were over for 6 hours or more: all orders, by created_at.":
    "O que mudou em dias que tinham acabado havia 6 horas ou mais: todos os pedidos, por created_at.",
  "Every answer by a dimension, for the window that it was asked for.":
    "Cada resposta por uma dimensão, para o período que foi pedido.",
  "The newest figures of each group, for each window that was asked for.":
    "Os números mais novos de cada grupo, para cada período que foi pedido.",
  "The stores of which something is known, by the newest sign-in of each.":
    "As lojas de que se sabe algo, pelo login mais novo de cada uma.",
  "the store's alias": "o apelido da loja",
  "the alias": "o apelido",
  "the environment's address": "o endereço do ambiente",
  "the day, 2026-11-22": "o dia, 2026-11-22",
  "IANA name: in whose days it was counted": "nome IANA: nos dias de qual fuso foi contado",
  "when the day began: the service counts from midnight":
    "quando o dia começou: o serviço conta a partir da meia-noite",
  "when a day began: the service counts from midnight":
    "quando um dia começou: o serviço conta a partir da meia-noite",
  "ISO 4217; null where it is not set": "ISO 4217; null onde não foi definida",
  "created_at, scheduled_date": "created_at, scheduled_date",
  'JSON, ["status_in=closed"]; [] for all orders': 'JSON, ["status_in=closed"]; [] para todos os pedidos',
  "how many": "quantos",
  "in hundredths: what to add up": "em centésimos: é o que se soma",
  "the same with two decimals: what to look at": "o mesmo com duas casas decimais: é o que se olha",
  "the service's own average": "o ticket médio do próprio serviço",
  "when this was asked, in UTC": "quando foi pedido, em UTC",
  "1: it was asked twice, 35 days after the day or later, and both agree":
    "1: foi pedido duas vezes, 35 dias depois do dia ou mais, e as duas respostas são iguais",
  "1: it was asked twice, 35 days after the window or later, and both agree":
    "1: foi pedido duas vezes, 35 dias depois do período ou mais, e as duas respostas são iguais",
  "1: the newest answer about the day, by the store's newest sign-in":
    "1: a resposta mais nova sobre o dia, pelo login mais novo da loja",
  "1: the newest answer to this question, by the store's newest sign-in":
    "1: a resposta mais nova a esta pergunta, pelo login mais novo da loja",
  "when the answer before was asked; null for the first":
    "quando a resposta anterior foi pedida; null na primeira",
  "what it said": "o que ela dizia",
  "1: they differ, and both were asked 6 hours after the day or later":
    "1: são diferentes, e as duas foram pedidas 6 horas depois do dia ou mais",
  "when the figures of before were asked": "quando os números anteriores foram pedidos",
  "how many orders there were then": "quantos pedidos havia então",
  "with two decimals": "com duas casas decimais",
  "when the others were asked, in UTC": "quando os outros foram pedidos, em UTC",
  "hour, status, sales_channel, driver_id …": "hour, status, sales_channel, driver_id …",
  "the service's key; null for orders without a value": "a chave do serviço; null para pedidos sem valor",
  "what the service calls it": "como o serviço chama",
  "the window's first day; null where it isn't made of whole days":
    "o primeiro dia do período; null onde ele não é feito de dias inteiros",
  "its last day: windows overlap, so add up those that don't":
    "o último dia dele: períodos se sobrepõem, some os que não",
  "the window as it went out": "o período como foi enviado",
  "the same, both ends included": "o mesmo, com as duas pontas",
  "as the settings said it when an answer was last kept; null: the machine's":
    "como diziam as configurações quando uma resposta foi guardada pela última vez; null: o da máquina",
  "in the same way: ISO 4217; null: not set": "da mesma forma: ISO 4217; null: não definida",
  "in the same way: 04:00; null: midnight": "da mesma forma: 04:00; null: meia-noite",
  "the views of sales.db, for comanda sql and other programs":
    "as visões do sales.db, para comanda sql e outros programas",
  "ask the sales figures that are kept here, in SQL": "consultar em SQL os números de vendas guardados aqui",
  "Give one statement that reads, or - for one on stdin; nothing is asked of the service. comanda help sales-db has the tables and their columns. CSV and ndjson are written as the rows come, however many.":
    "Dê um comando que só leia, ou - para um em stdin; nada é pedido ao serviço. comanda help sales-db tem as tabelas e as colunas delas. CSV e ndjson são escritos à medida que as linhas chegam, quantas forem.",
  "the longest that it may take": "o máximo que pode demorar",
  'Figures: how old they are, and what they count\n\nOrders settle late: they stay open for days, a cancellation is taken back, a\ndriver changes. So each figure says when it was asked: "asked_at" and "kept" in\nJSON, "as of …" over a table. A kept answer is asked again when it is older than\na day, when a younger one about the same orders has another total, or when this\nmachine has changed an order since. It is final once nothing has changed between\ntwo answers that were asked at least 35 days after the period\'s end.\n\n  --max-age 2h        asks again what is older than that\n  --fresh             asks the service in any case\n  --offline           asks nothing, and shows what is kept\n  --as-of 2026-11-01  shows what was known by the end of that day\n  --dry-run           the calls that would go out, and how long they take\n  --net               without canceled orders, which the service counts\n\nWhat --offline and --as-of lack they name, and end with exit code 5.\ncomanda sync asks again what may still change, for cron, and tells each day that\nwas restated. comanda cache clear forgets what is kept.\n\nWeekdays and hours are compared per day: a month has four Tuesdays or five. A\nweek or month that the period\'s edge cuts is marked with its days, and is not\ncompared by percent. A channel that had orders and has none is in no answer of\nthe service: an alert counts it as 0, where the store was open. Stores that\ncount in different currencies have a total for each of them.\n\nThe sections of a report are held against its headline, the rows and columns of\na pivot against their totals: where orders changed in between, the older answer\nis asked again. What differs even then is shown as an amount ("differences").\n\nWhere this machine\'s clock is more than 5 minutes off the service\'s, a warning\nsays so, and the age of figures goes by the service\'s.\n':
    'Números: de quando são, e o que contam\n\nOs pedidos demoram a se acertar: ficam dias em aberto, um cancelamento volta\natrás, um entregador muda. Por isso cada número diz quando foi consultado:\n"asked_at" e "kept" em JSON, "de …" em cima da tabela. Uma resposta guardada é\nconsultada de novo quando tem mais de um dia, quando uma mais nova sobre os\nmesmos pedidos tem outro total, ou quando esta máquina mudou um pedido desde\nentão. Ela é final quando nada mudou entre duas respostas consultadas pelo menos\n35 dias depois do fim do período.\n\n  --max-age 2h        consulta de novo o que é mais velho que isso\n  --fresh             consulta o serviço de qualquer jeito\n  --offline           não consulta nada e mostra o que está guardado\n  --as-of 2026-11-01  mostra o que se sabia até o fim daquele dia\n  --dry-run           as chamadas que seriam feitas, e quanto demoram\n  --net               sem os pedidos cancelados, que o serviço conta\n\nO que falta a --offline e a --as-of eles dizem, e terminam com o código 5.\ncomanda sync consulta de novo o que ainda pode mudar, para o cron, e diz cada\ndia que foi corrigido. comanda cache clear esquece o que está guardado.\n\nDias da semana e horas são comparados por dia: um mês tem quatro terças ou\ncinco. Uma semana ou um mês que a borda do período corta vem marcado com seus\ndias, e não é comparado em porcentagem. Um canal que tinha pedidos e não tem\nnenhum não está em resposta alguma do serviço: um alerta o conta como 0, se a\nloja estava aberta. Lojas de moedas diferentes têm um total para cada moeda.\n\nAs seções de um relatório são conferidas com o número do topo, as linhas e\ncolunas de um pivot com seus totais: onde pedidos mudaram no meio, a resposta\nmais velha é consultada de novo. O que mesmo assim difere aparece como um valor\n("differences").\n\nSe o relógio desta máquina está mais de 5 minutos diferente do relógio do\nserviço, um aviso diz isso, e a idade dos números segue o do serviço.\n',
  "how old sales figures are, and what they count": "de quando são os números de vendas, e o que contam",
  "The journal: what this machine sent\n\nNo call of the service shows an order again, so comanda writes down what changes\none before it goes out, and what came of it after. The journal has no customer\nand no credential: of a pre-filled order the type and the number of items.\n\n  comanda history                        the last 50 changes\n  comanda history --order 4712           who changed it, when, with what end\n  comanda history --outcome unknown      what somebody has to look up\n  comanda history settle 4712 done       what you saw in the store's portal\n  comanda history drivers                fees of drivers assigned from here\n\nCOMANDA_ACTOR says who it was where the machine's user doesn't. A row that was\nsettled is no longer listed as unknown, and --resume sends it only where it was\nnot done.\n\nA list of orders from stdin is a run with a number. One that was cut short, by a\nkill, a power failure or a full disk, goes on with --resume: what is done or was\nrefused is told again and not sent again, what certainly was not done is sent,\nand what is unknown is listed: never more orders than were under way.\n--retry-unknown sends those again too, where that does no harm (deliver,\nfinalize, cancel). A run goes on at its own address and with its own sign-in or\nkey; after another sign-in it takes --confirm and the store's alias.\n\nWhere the journal can't be written nothing is sent, and the exit code is 2. For\na single order --no-journal sends it all the same, and nothing remembers it.\nNothing is forgotten of itself: comanda history clear --before 2026-01-01, or\ncomanda config set history_age 365d, forget what is older, never an open run.\n":
    "O diário: o que esta máquina enviou\n\nNenhuma chamada do serviço mostra um pedido de novo. Por isso o comanda anota o\nque muda um pedido antes de enviar, e depois o que aconteceu. O diário não tem\ncliente nem credencial: de um pedido pré-preenchido, o tipo e o número de itens.\n\n  comanda history                        as últimas 50 mudanças\n  comanda history --order 4712           quem mudou, quando, e como terminou\n  comanda history --outcome unknown      o que alguém precisa conferir\n  comanda history settle 4712 done       o que você viu no portal da loja\n  comanda history drivers                taxas dos entregadores atribuídos aqui\n\nCOMANDA_ACTOR diz quem foi, onde o usuário da máquina não diz. Uma linha\nconferida não aparece mais como unknown, e --resume só a envia se não foi feita.\n\nUma lista de pedidos pela entrada padrão é uma execução com número. A que foi\ninterrompida, por um kill, por falta de luz ou por disco cheio, continua com\n--resume: o que foi feito ou recusado é dito de novo e não é enviado de novo, o\nque com certeza não foi feito é enviado, e o que é unknown é listado: nunca mais\npedidos do que os que estavam a caminho. --retry-unknown envia esses também,\nonde isso não faz mal (deliver, finalize, cancel). Uma execução continua no seu\nendereço e com seu login ou sua chave; depois de outro login ela pede --confirm\ne o apelido da loja.\n\nOnde o diário não pode ser escrito nada é enviado, e o código de saída é 2. Para\num único pedido, --no-journal envia mesmo assim, e nada se lembra dele. Nada é\nesquecido sozinho: comanda history clear --before 2026-01-01, ou comanda config\nset history_age 365d, esquecem o que é mais velho, nunca uma execução aberta.\n",
  "what this machine sent, and how a run goes on": "o que esta máquina enviou, e como uma execução continua",
  "The emulator: the whole service on this machine\n\n  comanda emulator start                    with the portal and the menu's pages\n  comanda emulator start --scene busy       fourteen months of a busy restaurant\n  comanda emulator start --fault status=503,path=/dispatch,times=2\n  comanda emulator exec -- ./close-day.sh   for one command, then it is gone\n\nThe same --seed makes the same orders. emulator exec signs a store in, puts\ncomanda on the path, and ends with the command's own exit code.\n\nUnder /_emulator/ it can be looked into and driven: orders (page by page, next\nleads on), stores (with drivers and keys), catalog, prefilled-orders, clock,\nlog, faults, tokens, limits, reset. What a fault answered says so in the header\nx-emulator-fault. Should the emulator itself fail, with a 500, the cause is in\nlog and on stderr.\n\nIt serves the API's description at /openapi.json, and a page to browse it at\n/openapi, for which Swagger UI has to be installed beside comanda:\nnpm install swagger-ui-dist@5.17.14\n\nIn tests of your own it runs in the same process: comanda help library\n":
    "O emulador: o serviço inteiro nesta máquina\n\n  comanda emulator start                    com o portal e as páginas do menu\n  comanda emulator start --scene busy       quatorze meses de um restaurante\n  comanda emulator start --fault status=503,path=/dispatch,times=2\n  comanda emulator exec -- ./close-day.sh   para um comando, e depois some\n\nA mesma --seed faz os mesmos pedidos. emulator exec faz o login de uma loja, põe\no comanda no caminho e termina com o código de saída do próprio comando.\n\nEm /_emulator/ dá para olhar e mexer: orders (por páginas, next leva adiante),\nstores (com entregadores e chaves), catalog, prefilled-orders, clock, log,\nfaults, tokens, limits, reset. O que uma falha respondeu diz isso no cabeçalho\nx-emulator-fault. Se o próprio emulador falhar, com um 500, a causa está em log\ne na saída de erros.\n\nEle serve a descrição da API em /openapi.json, e uma página para percorrê-la em\n/openapi, que precisa do Swagger UI instalado ao lado do comanda:\nnpm install swagger-ui-dist@5.17.14\n\nNos seus testes ele roda no mesmo processo: comanda help library\n",
  "the whole service on this machine, for tests": "o serviço inteiro nesta máquina, para testes",
  'The library: comanda in your own programs\n\n  import { createClient, ComandaError } from "comanda";\n  import { fileSession, createTransport } from "comanda/node";\n  import { startEmulator } from "comanda/testing";\n\ncomanda runs wherever there is a fetch: Node, browsers, workers. It reads no\nfile and keeps nothing global. Each operation has a method, and\nclient.request({ method, path }) makes any other call. Inputs have the names of\nthe API, options are in camel case. A name that nobody knows is refused before\nanything is sent; what the specification doesn\'t name goes into extra.\n\nEvery method throws ComandaErrors and nothing else. Switch on their stable code:\noutcome_unknown says that the request went out, and nothing tells whether it was\ndone. The cause is what a function of yours threw, or your signal\'s reason.\n\n  credentials    functions: bearer, renew (after a 401, once for all calls),\n                 apiKey, partnerKey\n  signal         every call takes an AbortSignal\n  rateLimiter    false for none; maxRetries, maxWaitMs, timeoutMs\n  observer       told of each call before its first byte: it may refuse it\n  onWarning      told of a filter\'s value that would select no order\n  transport      fetchTransport(fetch) of yours; createTransport of comanda/node\n                 for many calls at once and for proxies. Close it in the end.\n\nfileSession() gives the stores that comanda login signed in: tokens are renewed\nunder the same lock, requests counted together, and comanda history shows what\nwas sent (journal: false does without). At a protected store it cancels with\nfileSession({ confirm: "centro" }) alone.\n\ncomanda/testing is the emulator in your tests\' own process: createOrder,\nclock.advance, setFaults, requests, route(method, path, handler). Its client()\nwaits for nothing: it sets the emulator\'s clock on instead.\n':
    'A biblioteca: o comanda nos seus programas\n\n  import { createClient, ComandaError } from "comanda";\n  import { fileSession, createTransport } from "comanda/node";\n  import { startEmulator } from "comanda/testing";\n\nO comanda roda onde há um fetch: Node, navegadores, workers. Não lê arquivos e\nnão guarda nada global. Cada operação tem um método, e\nclient.request({ method, path }) faz qualquer outra chamada. As entradas têm os\nnomes da API, as opções são em camel case. Um nome que ninguém conhece é\nrecusado antes de enviar; o que a especificação não nomeia vai em extra.\n\nTodo método lança ComandaErrors e nada mais. Decida pelo code, que é estável:\noutcome_unknown diz que a requisição saiu, e nada diz se foi feita. A causa é o\nque uma função sua lançou, ou o motivo do seu sinal.\n\n  credentials    funções: bearer, renew (depois de um 401, uma vez por todas),\n                 apiKey, partnerKey\n  signal         toda chamada aceita um AbortSignal\n  rateLimiter    false para nenhum; maxRetries, maxWaitMs, timeoutMs\n  observer       sabe de cada chamada antes do primeiro byte: pode recusá-la\n  onWarning      sabe de um valor de filtro que não acharia pedido algum\n  transport      um fetchTransport(fetch) seu; createTransport de comanda/node\n                 para muitas chamadas e para proxies. Feche-o no fim.\n\nfileSession() dá as lojas em que comanda login entrou: os tokens são renovados\nsob a mesma trava, as requisições contadas juntas, e comanda history mostra o\nque foi enviado (journal: false fica sem). Numa loja protegida ele só cancela\ncom fileSession({ confirm: "centro" }).\n\ncomanda/testing é o emulador no processo dos seus testes: createOrder,\nclock.advance, setFaults, requests, route(method, path, handler). O client()\ndele não espera por nada: adianta o relógio do emulador.\n',
  "comanda in your own programs": "o comanda nos seus programas",
  "On an evening:": "Numa noite:",
  "More:": "Mais:",
  "today's orders by status, as they move": "os pedidos de hoje por status, como vão mudando",
  "it has arrived": "ele foi entregue",
  "it is closed": "ele está finalizado",
  "it is canceled, with a reason": "ele é cancelado, com um motivo",
  "give an order its driver": "dar um entregador a um pedido",
  "how was the day?": "como foi o dia?",
  "periods, filters, figures, json, cron, exit-codes": "periods, filters, figures, json, cron, exit-codes",
  "For scripts and long lists (comanda {0} --help --all):":
    "Para scripts e listas longas (comanda {0} --help --all):",
};
