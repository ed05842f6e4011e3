/** Sales figures. */
import type { Catalogue } from "../../shared/language.js";

export const summary: Catalogue = {
  '"{0}" is no alert.': '"{0}" não é um alerta.',
  'There is no baseline "{0}".': 'Não existe a base de comparação "{0}".',
  "Give --baseline weekday-median:8, with any number of weeks from 2 to 25.":
    "Informe --baseline weekday-median:8, com um número de semanas de 2 a 25.",
  "The service gave a day that can't be read: {0}.": "O serviço deu um dia que não pode ser lido: {0}.",
  "The amount {0} is too large to be counted in cents.":
    "O valor {0} é grande demais para ser contado em centavos.",
  "Ask for a shorter period, or report the answer to the service's support.":
    "Peça um período mais curto, ou leve a resposta ao suporte do serviço.",
  'A day can\'t start at "{0}".': 'Um dia não pode começar às "{0}".',
  "Give a time from 00:00 to 12:00, for example 04:00; 00:00 is midnight.":
    "Informe um horário de 00:00 a 12:00, por exemplo 04:00; 00:00 é meia-noite.",
  "There is no day {0}.": "Não existe o dia {0}.",
  "Write a day that the calendar has, as YYYY-MM-DD.":
    "Escreva um dia que exista no calendário, como AAAA-MM-DD.",
  "There is no date-time {0}.": "Não existe a data e hora {0}.",
  "Write a date-time with offset, for example 2026-10-05T18:00:00-03:00.":
    "Escreva data e hora com fuso, por exemplo 2026-10-05T18:00:00-03:00.",
  'There is no time zone "{0}".{1}': 'Não existe o fuso horário "{0}".{1}',
  "Give an IANA name such as America/Sao_Paulo, or UTC.":
    "Informe um nome da IANA, como America/Sao_Paulo, ou UTC.",
  "{0}, a week before": "{0}, uma semana antes",
  "{0}, the same dates a year before": "{0}, as mesmas datas um ano antes",
  "{0}, 364 days before": "{0}, 364 dias antes",
  "{0}, a year before": "{0}, um ano antes",
  ", until then": ", até o mesmo ponto",
  "the week before{0}": "a semana anterior{0}",
  "The period {0} starts more than {1} years back.": "O período {0} começa há mais de {1} anos.",
  "Start on {0} or later.": "Comece em {0} ou depois.",
  "The period {0} starts in the future.": "O período {0} começa no futuro.",
  "Orders that are scheduled for days to come are found with --date-field scheduled_date.":
    "Pedidos agendados para os próximos dias aparecem com --date-field scheduled_date.",
  "--include-today goes with --period last-N-days alone.":
    "--include-today só vale com --period last-N-days.",
  "There is no month {0}.": "Não existe o mês {0}.",
  'There is no period "{0}".{1}': 'Não existe o período "{0}".{1}',
  ", days from {0}": ", dias a partir das {0}",
  "--period can't be given together with --from or --to.": "--period não pode vir junto com --from ou --to.",
  "No period is given.": "Nenhum período foi informado.",
  "--to is given without --from.": "--to veio sem --from.",
  "--from and --to are not of one kind.": "--from e --to não são do mesmo tipo.",
  "Give two dates (both days are included), or two date-times with offset.":
    "Informe duas datas (os dois dias contam) ou duas datas com hora e fuso.",
  '{0} "{1}" is neither a date nor a date-time with offset.':
    '{0} "{1}" não é uma data nem uma data com hora e fuso.',
  "Write 2026-10-05, or 2026-10-05T18:00:00-03:00.":
    "Escreva 2026-10-05, 05/10/2026 ou 2026-10-05T18:00:00-03:00.",
  "There was no day {0} in {1}.": "Não houve o dia {0} em {1}.",
  "The period ends ({0}) before it starts ({1}).": "O período termina ({0}) antes de começar ({1}).",
  "--to can't lie before --from.": "--to não pode ficar antes de --from.",
  "Scheduled dates are asked for by day, not by date-time.":
    "Datas de agendamento são pedidas por dia, não por hora.",
  "Give --from and --to as dates (YYYY-MM-DD), or use --period.":
    "Informe --from e --to como datas (AAAA-MM-DD), ou use --period.",
  "The parts are more than the whole: orders changed while they were asked for. --fresh asks for all again.":
    "As partes somam mais que o todo: houve mudança de pedidos durante a consulta. --fresh consulta tudo de novo.",
  "The service gave {0}, an amount with more than two decimals: it was rounded to {1}.":
    "O serviço deu {0}, um valor com mais de duas casas decimais: foi arredondado para {1}.",
  "The filter {0} takes one value, not {1}.": "O filtro {0} aceita um valor só, não {1}.",
  'The filter "{0}" has no operator.': 'O filtro "{0}" não tem operador.',
  "Write a field, an operator and a value, for example 'status=closed' or 'total>=50'.":
    "Escreva um campo, um operador e um valor, por exemplo 'status=closed' ou 'total>=50'.",
  'The filter "{0}" takes the value true alone.': 'O filtro "{0}" só aceita o valor true.',
  '{0} names an operator already: "=" goes after it.': '{0} já tem um operador: depois dele vem "=".',
  "Write {0}=VALUE, or {1} with one of {2}": "Escreva {0}=VALOR, ou {1} com um destes: {2}",
  "The filter {0} doesn't take {1}.": "O filtro {0} não aceita {1}.",
  "It takes {0}": "Aceita {0}",
  'There is no filter "{0}".{1}': 'Não existe o filtro "{0}".{1}',
  "The fields are {0}.": "Os campos são {0}.",
  "The filter {0} has an empty value.": "O filtro {0} está sem valor.",
  'The filter {0} can\'t be "{1}".{2}': 'O filtro {0} não pode ser "{1}".{2}',
  "Known values are {0}; others are passed on.": "Os valores conhecidos são {0}; outros são repassados.",
  "It takes a whole number of at least 1.": "Aceita um número inteiro a partir de 1.",
  "It takes an id.": "Aceita um id.",
  "It takes a text of at most {0} characters.": "Aceita um texto de no máximo {0} caracteres.",
  "It takes a time of day as HH:MM, for example 09:30.":
    "Aceita um horário no formato HH:MM, por exemplo 09:30.",
  "It takes {0}, for example 49.90 or 49,90.": "Aceita {0}, por exemplo 49.90 ou 49,90.",
  "A weekday's median is of one whole day.": "A mediana de um dia da semana é de um dia inteiro.",
  "A weekday's median is of whole days.": "A mediana de um dia da semana é de dias inteiros.",
  "Give --period yesterday or 2026-11-05, say; grouped --by day takes more than one.":
    "Informe --period ontem ou 2026-11-05, por exemplo; grouped --by day aceita mais de um.",
  "{0} weeks before": "{0} semanas antes",
  "How many orders are canceled is not known: {0}": "Não se sabe quantos pedidos foram cancelados: {0}",
  "The comparison with {0} would begin more than {1} years back":
    "A comparação com {0} começaria há mais de {1} anos",
  "Leave out --compare, or ask for a later period.": "Tire --compare, ou peça um período mais recente.",
  "{0}: it is left out.": "{0}: fica de fora.",
  'There is no comparison "{0}".{1}': 'Não existe a comparação "{0}".{1}',
  "Give --compare {0}.": "Informe --compare {0}.",
  "Give {0} {1}.": "Informe {0} {1}.",
  "The dimension to split the figures by is missing.": "Falta a dimensão pela qual dividir os números.",
  'There is no dimension "{0}".{1}': 'Não existe a dimensão "{0}".{1}',
  "Sales by scheduled date can't be split by hour.":
    "Vendas por data de agendamento não podem ser divididas por hora.",
  "Use {0} day, or --date-field created_at.": "Use {0} day, ou --date-field created_at.",
  " was known by then": " era conhecido até então",
  " is kept on this machine": " está guardado nesta máquina",
  "Not all of it{0}. What is lacking: {1}.": "Nem tudo{0}. O que falta: {1}.",
  "Figures are known from when they were first asked for.":
    "Os números são conhecidos a partir da primeira consulta.",
  "Leave out --offline to ask the service.": "Tire --offline para consultar o serviço.",
  "no orders, so it was closed": "sem pedidos, ou seja, estava fechado",
  "too little history to compare with": "histórico curto demais para comparar",
  '{0}{1}: {2}; "{3}" is not judged.': '{0}{1}: {2}; "{3}" não é avaliado.',
  "without currency": "sem moeda",
  'There is no locale "{0}".': 'Não existe o idioma "{0}".',
  "Give a language, or a language and a country: pt-BR, en-GB, es.":
    "Informe um idioma, ou idioma e país: pt-BR, en-GB, es.",
  'There is no currency "{0}".{1}': 'Não existe a moeda "{0}".{1}',
  "Give an ISO 4217 code: BRL, EUR, USD.": "Informe um código ISO 4217: BRL, EUR, USD.",
  'Groups can\'t be sorted by "{0}".{1}': 'Os grupos não podem ser ordenados por "{0}".{1}',
  "Give --sort {0}, each with :asc or :desc after it if wanted.":
    "Informe --sort {0}; se quiser, com :asc ou :desc no fim.",
  '--top can\'t be "{0}".': '--top não pode ser "{0}".',
  "Give a whole number of at least 1.": "Informe um número inteiro a partir de 1.",
  "… and {0} more restated; --json has them all.": "… e mais {0} corrigidos; --json mostra todos.",
  "Total of {0}": "Total de {0}",
};
