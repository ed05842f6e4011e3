/** Calls to the service. */
import type { Catalogue } from "../language.js";

export const client: Catalogue = {
  "A request": "Uma requisição",
  "must be an object of texts": "precisa ser um objeto de textos",
  'must hold names with their values as texts\nFor example: { page: "2" }':
    'precisa ter nomes com os valores em texto\nPor exemplo: { page: "2" }',
  "must be a text, a Uint8Array, or a stream: { open, reopens }\nAn object becomes a text with JSON.stringify.":
    "precisa ser um texto, um Uint8Array ou um stream: { open, reopens }\nUm objeto vira texto com JSON.stringify.",
  "can't be there, since a GET or HEAD has no body\nWhat a GET asks for goes into its query.":
    "não pode existir: um GET ou HEAD não tem corpo\nO que um GET pede vai na query.",
  "The path {0}.": "O caminho {0}.",
  "It begins with a slash and is joined to {0}.": "Ele começa com uma barra e é somado a {0}.",
  "must be visible ASCII without spaces and backslashes; encode the rest with %":
    "precisa ser ASCII visível, sem espaços nem barras invertidas; codifique o resto com %",
  "must lie below the store's base URL, without a fragment and without . or .. as a segment":
    "precisa ficar abaixo da URL base da loja, sem fragmento e sem . ou .. como segmento",
  '"{0}" can\'t be the name of a header.': '"{0}" não pode ser o nome de um cabeçalho.',
  "A name is letters, digits and dashes.": "Um nome tem letras, dígitos e hífens.",
  "The header {0} can't be set.": "O cabeçalho {0} não pode ser definido.",
  "Leave it out: calls are signed with the store's own credentials, and what frames a message is made from the address and the body.":
    "Deixe de fora: as chamadas são assinadas com as credenciais da própria loja, e o que delimita a mensagem é feito a partir do endereço e do corpo.",
  "The header {0} must be one line of ASCII.": "O cabeçalho {0} precisa ser uma única linha em ASCII.",
  "Encode what isn't, for example with %.": "Codifique o que não for, por exemplo com %.",
  "The base URL {0}.": "A URL base {0}.",
  "must start with https://, since http:// is for this machine alone":
    "precisa começar com https://; http:// é só para esta máquina",
  "must not have a user name, a password, a query or a fragment":
    "não pode ter usuário, senha, query nem fragmento",
  "The request was sent, but it is not known whether it was done: {0}.":
    "A requisição foi enviada, mas não se sabe se foi feita: {0}.",
  "the service answered HTTP {0} and nothing that tells the outcome":
    "o serviço respondeu HTTP {0} e nada que diga o resultado",
  "Repeating it does no harm: the same driver and fee are set again.":
    "Repetir não faz mal: o mesmo entregador e a mesma taxa são definidos de novo.",
  "Repeating it does no harm: an order that is already there is refused with code 4002.":
    "Repetir não faz mal: um pedido que já chegou lá é recusado com o código 4002.",
  "Repeating it does no harm: a {0} that is done twice comes to the same.":
    "Repetir não faz mal: {0} duas vezes dá no mesmo.",
  "Look at the order in the store's portal before you repeat it.":
    "Veja o pedido no portal da loja antes de repetir.",
  "Look whether it is there before you repeat it ({0}): a repetition may make a second one.":
    "Veja se já existe antes de repetir ({0}): uma repetição pode criar outro.",
  "The order was done before, or refused: a request went out of which nothing is known, and a later one was answered with code 4002.":
    "O pedido já estava feito, ou foi recusado: de uma requisição enviada nada se sabe, e uma posterior foi respondida com o código 4002.",
  "Look at the order in the store's portal: to send it once more would tell nothing new.":
    "Veja o pedido no portal da loja: enviar mais uma vez não diria nada de novo.",
  "{0} gave no answer of the API: {1}.": "{0} não deu uma resposta da API: {1}.",
  "The call to {0} failed": "A chamada a {0} falhou",
  "{0} can't be reached": "Não foi possível acessar {0}",
  "Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY.": "Verifique HTTPS_PROXY, HTTP_PROXY e NO_PROXY.",
  "Check the network.\n{0}": "Confira a rede.\n{0}",
  "Check the base URL and this machine's clock; behind a company proxy, set NODE_EXTRA_CA_CERTS.":
    "Confira a URL base e o relógio desta máquina; atrás de um proxy da empresa, defina NODE_EXTRA_CA_CERTS.",
  "Check the network and whether the service is up, then try again.":
    "Confira a rede e se o serviço está no ar, e tente de novo.",
  "The call was interrupted before it was done.": "A chamada foi interrompida antes de terminar.",
  "The order's status can't be changed": "O status do pedido não pode ser alterado",
  "The service refused the credential": "O serviço recusou a credencial",
  "The service does not allow this": "O serviço não permite isso",
  "The service knows nothing at this path": "O serviço não conhece este caminho",
  "The service knows no such order": "O serviço não conhece este pedido",
  "The service's rate limit is reached": "O limite de requisições do serviço foi atingido",
  "The service refused the request (HTTP {0})": "O serviço recusou a requisição (HTTP {0})",
  "The service failed (HTTP {0})": "O serviço falhou (HTTP {0})",
  "The service answered with a redirect (HTTP {0}), which is never followed":
    "O serviço respondeu com um redirecionamento (HTTP {0}), que nunca é seguido",
  "The answer is not one of the API's (HTTP {0})": "A resposta não é da API (HTTP {0})",
  "The order may be finished, or not yet at the step that this needs.":
    "O pedido pode já estar finalizado ou ainda não ter chegado à etapa necessária.",
  "Check that the key belongs to this store.": "Confira se a chave é desta loja.",
  "Check the path; it is joined to the store's base URL.":
    "Confira o caminho; ele é somado à URL base da loja.",
  "Check the order id, and that it belongs to this store. The friendly number on the slip (display_id) is not the order id.":
    "Confira o id do pedido e se ele é desta loja. O número que aparece na comanda (display_id) não é o id do pedido.",
  "Correct what the service names, then try again.": "Corrija o que o serviço aponta e tente de novo.",
  "may lack a scope": "pode estar sem um escopo",
  "needs the scopes {0}": "precisa dos escopos {0}",
  "The app {0}; the store's owner grants them in a new sign-in.":
    "O app {0}; o dono da loja concede em um novo login.",
  "The function {0}, which the program gave, failed.": "A função {0}, passada pelo programa, falhou.",
  "What it threw is the error's cause.": "O que ela lançou está na causa do erro.",
  "The call failed inside comanda.": "A chamada falhou dentro do comanda.",
  "Report it, with what the error's cause says.": "Avise os desenvolvedores, com o que diz a causa do erro.",
  "credentials.{0} must give a text, not {1}.": "credentials.{0} precisa dar um texto, não {1}.",
  "The {0} holds characters that can't be sent.": "Há em {0} caracteres que não podem ser enviados.",
  "It must be one line of ASCII, as the service gave it.":
    "Precisa ser uma única linha em ASCII, como o serviço forneceu.",
  "This call needs {0} of the store, and there is none.": "Esta chamada precisa de {0} da loja, e não há.",
  "Give it to the client: {0}.": "Passe para o cliente: {0}.",
  "It has expired or was revoked: get a new one, or let credentials.renew get it.":
    "Expirou ou foi revogado: obtenha outro, ou deixe credentials.renew obter.",
  "Check the key: the store's portal shows it under Integrations.":
    "Confira a chave: o portal da loja mostra em Integrações.",
  "The service's rate limit leaves no free place for {0} s.":
    "O limite de requisições do serviço não deixa vaga pelos próximos {0} s.",
  "settle of the rate limiter's permit": "settle da permissão do limitador",
  "The input is not what the operation takes.": "A entrada não é a que a operação aceita.",
  "The error's cause says what could not be done with it.":
    "A causa do erro diz o que não deu certo com ela.",
  "must be an AbortSignal\nOf an AbortController it is controller.signal.":
    "precisa ser um AbortSignal\nDe um AbortController, é controller.signal.",
  "more than {0} bytes": "mais de {0} bytes",
  "a redirect": "um redirecionamento",
  "The environment variable {0} holds no address of an HTTP proxy.":
    "A variável de ambiente {0} não tem o endereço de um proxy HTTP.",
  "For example: {0}=http://proxy.example:8080. A user name and a password stand before an @, percent-encoded.":
    "Por exemplo: {0}=http://proxy.example:8080. Usuário e senha vêm antes de um @, codificados com %.",
  "at the proxy, {0}": "no proxy, {0}",
  "Check the base URL: {0}.": "Confira a URL base: {0}.",
  'The API doesn\'t list "{0}" as {1}, and no answer has shown it: it may select no order.{2}':
    'A API não lista "{0}" como {1}, e nenhuma resposta mostrou esse valor: talvez não selecione nenhum pedido.{2}',
  "Try again, or allow more time: {0}.": "Tente de novo ou dê mais tempo: {0}.",
  "Try again later, or allow a longer wait: {0}.":
    "Tente de novo mais tarde ou aceite uma espera maior: {0}.",
  "The input can't be written as JSON.": "A entrada não pode ser escrita como JSON.",
  "JSON knows no cycles and no BigInt.": "JSON não tem ciclos nem BigInt.",
  "A request had gone out: look whether it was done before you repeat it.":
    "Uma requisição já tinha saído: veja se foi feita antes de repetir.",
  " or ": " ou ",
  "an access token": "um token de acesso",
  "an API key": "uma chave de API",
  "an API key with a partner key": "uma chave de API com uma chave de parceiro",
  "access token": "token de acesso",
  "the host name has no address": "o nome do host não tem endereço",
  "the connection was refused": "a conexão foi recusada",
  "no connection came about in time": "a conexão não foi feita a tempo",
  "the TLS certificate or handshake is not valid": "o certificado ou a negociação TLS não é válida",
  "the connection ended before the answer was complete": "a conexão terminou antes da resposta completa",
  "no complete answer came in time": "a resposta completa não chegou a tempo",
  "the answer is not valid HTTP or is too large": "a resposta não é HTTP válido ou é grande demais",
  "it came compressed, and nobody asked for that": "veio comprimida, e ninguém pediu isso",
  "the call was aborted": "a chamada foi abortada",
  "Start the emulator: comanda emulator start": "Inicie o emulador: comanda emulator start",
};
