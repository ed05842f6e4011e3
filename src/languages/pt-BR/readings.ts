/** The table of `comanda emulator readings`. */
import type { Catalogue } from "../language.js";

export const readings: Catalogue = {
  "HTTP status of a status change that was done.": "Código HTTP de uma mudança de situação que foi feita.",
  "Content-Type of the empty answer to a status change.":
    "Content-Type da resposta vazia a uma mudança de situação.",
  "HTTP status of a pre-filled order.": "Código HTTP de um pedido pré-preenchido.",
  "HTTP status of error code 4002.": "Código HTTP do erro 4002.",
  "Which errors have details beside 4000: that of 4002, none, or all but 4010.":
    "Quais erros além do 4000 trazem details: o 4002, nenhum, ou todos menos o 4010.",
  "Body of HTTP 403.": "Corpo do HTTP 403.",
  "Body of HTTP 429.": "Corpo do HTTP 429.",
  "Retry-After header of HTTP 429.": "Cabeçalho Retry-After do HTTP 429.",
  "Has HTTP 401 a WWW-Authenticate header?": "O HTTP 401 traz o cabeçalho WWW-Authenticate?",
  "Content-Type of an answer in JSON.": "Content-Type de uma resposta em JSON.",
  "Do answers have fields that the specification doesn't name?":
    "As respostas trazem campos que a especificação não cita?",
  "How an order shows that there is no value: by null, or by leaving the field out.":
    "Como um pedido mostra que não há valor: com null, ou sem o campo.",
  "Times of an order: with the store's offset, in UTC with Z, or with milliseconds.":
    "Horários de um pedido: no fuso da loja, em UTC com Z, ou com milissegundos.",
  "Name of an option's price.": "Nome do preço de uma opção.",
  "Name of a payment's change amount.": "Nome do troco de um pagamento.",
  "From which statuses an order can be dispatched: accepted ones, only ready, also unconfirmed ones.":
    "De quais situações um pedido pode sair para entrega: aceitas, só pronto, ou também não confirmadas.",
  "What becomes of dispatching an order a second time.":
    "O que acontece ao despachar um pedido pela segunda vez.",
  "From which statuses an order can be finalized: accepted ones, those handed over, also unconfirmed ones.":
    "De quais situações um pedido pode ser finalizado: aceitas, só as já entregues, ou também não confirmadas.",
  "From which statuses an order can be canceled.": "De quais situações um pedido pode ser cancelado.",
  "How the cancellation of an order that was paid online by credit card ends.":
    "Como termina o cancelamento de um pedido pago online com cartão de crédito.",
  "Can a finished order get another driver? Refused with code 4000.":
    "Um pedido terminado pode trocar de entregador? Recusado com o código 4000.",
  "What is checked first: that the order exists (4041), or the body (4000).":
    "O que é conferido primeiro: se o pedido existe (4041) ou o corpo (4000).",
  "HTTP status for an order_id that can't be one.": "Código HTTP para um order_id que não pode existir.",
  "What becomes of a body where none is asked for.": "O que acontece com um corpo onde nenhum é pedido.",
  "Which credential counts where a call has both.": "Qual credencial vale quando a chamada traz as duas.",
  "Are the last 60 seconds looked at, or the minute of the clock?":
    "Contam os últimos 60 segundos ou o minuto do relógio?",
  "Which calls count against a rate limit: those let through, or also those answered 429.":
    "Quais chamadas contam no limite: as aceitas, ou também as respondidas com 429.",
  "By which clock the span of a period is measured: by the offsets it is written with, the store's, or UTC.":
    "Por qual relógio se mede um período: o dos fusos em que foi escrito, o da loja ou UTC.",
  "How far back a period may start: to that day in the store, or to the instant.":
    "Até onde um período pode começar: até aquele dia na loja, ou até o instante.",
  "Does an order of the very instant of end_date count? A last day always does.":
    "Um pedido do exato instante de end_date conta? Um último dia sempre conta.",
  "Do canceled orders count in sales figures that have no filter for status?":
    "Pedidos cancelados contam em números de vendas sem filtro de situação?",
  "Average of no orders.": "Média de nenhum pedido.",
  "How an average is rounded.": "Como uma média é arredondada.",
  "Key of an hour: 9, 09 or 09:00.": "Chave de uma hora: 9, 09 ou 09:00.",
  "Key of a day: 2026-11-20 or 20/11/2026.": "Chave de um dia: 2026-11-20 ou 20/11/2026.",
  "Key of a day of the week: which day has which number, or its English name.":
    "Chave de um dia da semana: qual número tem cada dia, ou o nome em inglês.",
  "Key of a week: 2026-W47, or its first day, a Monday or a Sunday.":
    "Chave de uma semana: 2026-W47, ou o primeiro dia, segunda ou domingo.",
  "Key of a month: 2026-11 or 2026-11-01.": "Chave de um mês: 2026-11 ou 2026-11-01.",
  "Type of the key of a driver or payment method.":
    "Tipo da chave de um entregador ou de uma forma de pagamento.",
  "The group of orders without an origin or payment. That of no driver is shown.":
    "O grupo dos pedidos sem origem ou pagamento. O de nenhum entregador aparece.",
  "To which group an order belongs that was paid in several ways.":
    "A qual grupo pertence um pedido pago de várias formas.",
  "Are hours and days without orders left out?": "Horas e dias sem pedidos ficam de fora?",
  "Order of groups: in time, others by count; or the newest first, others by key.":
    "Ordem dos grupos: no tempo, outros por quantidade; ou o mais novo primeiro, outros por chave.",
  "Labels of groups other than drivers.": "Rótulos dos grupos, menos os de entregadores.",
  "The refresh token in the answer to a refresh: a new one, the same, or none, where the old one stays good.":
    "O refresh token na resposta a uma renovação: um novo, o mesmo, ou nenhum, e o antigo segue valendo.",
  "What becomes of a refresh token that was replaced and is used again.":
    "O que acontece com um refresh token já trocado que é usado de novo.",
  "Does a refresh end the access tokens before it?": "Uma renovação encerra os access tokens anteriores?",
  "Is scope in the answer to a refresh?": "A resposta a uma renovação traz scope?",
  "What becomes of the tokens of a code that is used again.":
    "O que acontece com os tokens de um código usado de novo.",
  "How long a code lives.": "Quantos segundos vale um código.",
  "How long a refresh token lives.": "Quantos dias vale um refresh token.",
  "HTTP status of invalid_client.": "Código HTTP de invalid_client.",
  "Is error_description in an OAuth error?": "Um erro do OAuth traz error_description?",
  "Answer to a revocation.": "Resposta a uma revogação.",
  "What becomes of revoking a token that the service doesn't know.":
    "O que acontece ao revogar um token que o serviço não conhece.",
  "Revoking an access token revokes it alone, or all of its consent's. A refresh token takes all along.":
    "Revogar um access token revoga só ele, ou todos da mesma autorização. Um refresh token leva todos.",
};
