/** Signing in and out. */
import type { Catalogue } from "../language.js";

export const auth: Catalogue = {
  "The access token of the store {0} is used up to its end. {1}":
    "O token de acesso da loja {0} vai ser usado até o fim. {1}",
  "Another user of this machine tried to answer the sign-in, and was refused. Go on in your browser.":
    "Outro usuário desta máquina tentou responder ao login e foi recusado. Continue no seu navegador.",
  "No {0} was given.": "Nenhuma {0} foi informada.",
  "{0} Pipe it in, or run the command at a terminal.":
    "{0} Passe por um pipe ou execute o comando em um terminal.",
  "is not a URL": "não é uma URL",
  "has a {0} of its own": "já tem um {0} próprio",
  "The auth_url of the environment {0} {1}.": "A auth_url do ambiente {0} {1}.",
  "Set it again: comanda env set {0} --auth-url <url> …":
    "Configure de novo: comanda env set {0} --auth-url <url> …",
  "Nobody finished the sign-in in time, and nothing was stored.":
    "Ninguém concluiu o login a tempo, e nada foi guardado.",
  "Run comanda login again; --timeout gives more time.":
    "Execute comanda login de novo; --timeout dá mais tempo.",
  "The input ended before the redirect address was pasted.":
    "A entrada terminou antes que o endereço de redirecionamento fosse colado.",
  "Run comanda login again and paste the address that the browser ends at.":
    "Execute comanda login de novo e cole o endereço em que o navegador terminou.",
  "Take another alias, or forget this one first: comanda stores remove {0}":
    "Escolha outro apelido ou esqueça este antes: comanda stores remove {0}",
  "The store {0} belongs to the environment {1}, not {2}.": "A loja {0} é do ambiente {1}, não de {2}.",
  "The store {0} has a key for {1}, where the environment {2} was before.":
    "A loja {0} tem uma chave para {1}, onde antes ficava o ambiente {2}.",
  "The service's answer is larger than a token answer can be.":
    "A resposta do serviço é maior do que uma resposta de token pode ser.",
  "The base_url of the environment {0} is not an https address.":
    "A base_url do ambiente {0} não é um endereço https.",
  "Set it again: comanda env set {0} --base-url https://… …":
    "Configure de novo: comanda env set {0} --base-url https://… …",
  "The redirect_uri of the environment {0} {1}.": "A redirect_uri do ambiente {0} {1}.",
  "Set the registered one: comanda env set {0} --redirect-uri <uri> …":
    "Configure o endereço registrado: comanda env set {0} --redirect-uri <uri> …",
  "has a fragment, which a redirect address can't have":
    "tem um fragmento, e um endereço de redirecionamento não pode ter",
  "has a {0} of its own, which only the service may set":
    "já tem um {0} próprio, que só o serviço pode definir",
  "is in use by another program": "está em uso por outro programa",
  "can't be listened on ({0})": "não pode ser aberta ({0})",
  "unknown error": "erro desconhecido",
  "Port {0} of {1}, where the browser is to come back to, {2}.":
    "A porta {0} de {1}, para onde o navegador volta, {2}.",
  "End the program that uses it (another comanda login?), or register another redirect address and set it with comanda env set <name> --redirect-uri <uri> ….":
    "Encerre o programa que usa a porta (outro comanda login?) ou registre outro endereço de redirecionamento e configure com comanda env set <nome> --redirect-uri <uri> ….",
  "The access token of the store {0} was refreshed.": "O token de acesso da loja {0} foi renovado.",
  "the refresh of the access token": "a renovação do token de acesso",
  "The service refused {0} ({1}).": "O serviço recusou {0} ({1}).",
  "Check the client_id of the environment {0} with comanda env list, and that the app is approved.":
    "Confira o client_id do ambiente {0} com comanda env list e veja se o app está aprovado.",
  "Sign in again with comanda login.": "Entre de novo com comanda login.",
  "Somebody pressed Refuse at the portal, or who is signed in there isn't the store's Owner: the Owner alone may authorise an app. To try again: comanda login":
    "Alguém clicou em Recusar no portal, ou quem entrou lá não é o dono da loja: só o dono pode autorizar um app. Para tentar de novo: comanda login",
  "Try again later.": "Tente de novo mais tarde.",
  "Check the environment {0} with comanda env list: client_id and redirect_uri must be the registered ones.":
    "Confira o ambiente {0} com comanda env list: client_id e redirect_uri precisam ser os registrados.",
  "The specification names no {0}, so comanda sends none. Where the service wants one, put it into the query of the auth_url: comanda env set {1} --auth-url '{2}' …":
    "A especificação não cita {0}, por isso o comanda não envia. Se o serviço exigir, coloque na query da auth_url: comanda env set {1} --auth-url '{2}' …",
  "The service failed (HTTP {0}) at {1}.": "O serviço falhou (HTTP {0}) em {1}.",
  "The service had too many requests to answer {0}.":
    "O serviço recebeu requisições demais para responder a {0}.",
  "The answer to {0} (HTTP {1}) is not one of the service's.":
    "A resposta a {0} (HTTP {1}) não é do serviço.",
  "Check the base_url with comanda env list, and whether a proxy answers in between.":
    "Confira a base_url com comanda env list e veja se um proxy responde no meio do caminho.",
  "The answer to {0} is not one of the service's.": "A resposta a {0} não é do serviço.",
  "The service could not be reached for {0}: {1}.": "Não foi possível acessar o serviço para {0}: {1}.",
  "Check the network and the base_url (comanda env list), then try again.":
    "Confira a rede e a base_url (comanda env list) e tente de novo.",
  "Sign in: comanda login --store {0} --env {1}": "Entre: comanda login --store {0} --env {1}",
  "partner key": "chave de parceiro",
  "Store the {0} with: comanda login {1} --store {2}": "Guarde a {0} com: comanda login {1} --store {2}",
  "No access token is stored for the store {0}.": "Nenhum token de acesso está guardado para a loja {0}.",
  "The store {0} is not signed in.": "A loja {0} não está conectada.",
  "See the stores that this machine knows: comanda stores list":
    "Veja as lojas que esta máquina conhece: comanda stores list",
  "The store {0} was signed out meanwhile.": "Nesse meio-tempo, a loja {0} foi desconectada.",
  "The store {0} was signed in elsewhere meanwhile.":
    "Nesse meio-tempo, a loja {0} foi conectada em outro lugar.",
  "Run the command again.": "Execute o comando de novo.",
  "The access token of the store {0} is no longer good, and the service gave none to refresh it with.":
    "O token de acesso da loja {0} não vale mais, e o serviço não deu outro para renovar.",
  "The access token of the store {0} was not renewed, as the new one could not be stored. {1}":
    "O token de acesso da loja {0} não foi renovado, porque o novo não pôde ser guardado. {1}",
  "They were revoked.": "Eles foram revogados.",
  "They could not be revoked either, and may work until they expire.":
    "Também não foi possível revogar; eles podem valer até expirar.",
  "The service gave tokens for the store {0}, and they could not be stored. {1} {2}":
    "O serviço deu tokens para a loja {0}, mas não foi possível guardar. {1} {2}",
  "The service renewed the tokens of the store {0}, and the new ones could not be stored: the stored ones may be spent. {1}":
    "O serviço renovou os tokens da loja {0}, mas não foi possível guardar os novos: os que estão guardados podem não valer mais. {1}",
  ": an earlier run was ended or cut off in the middle of a refresh, so what it got was never stored":
    ": uma execução anterior foi encerrada ou interrompida no meio de uma renovação, e o que ela recebeu nunca foi guardado",
  "; the app may have been uninstalled, or its access revoked":
    "; o app pode ter sido desinstalado, ou o acesso dele revogado",
  "\nIf that doesn't help: check the base_url with comanda env list, and whether a proxy answers in between.":
    "\nSe isso não resolver: confira a base_url com comanda env list e veja se um proxy responde no meio do caminho.",
  "The service no longer accepts the sign-in of the store {0}{1}{2}.":
    "O serviço não aceita mais o login da loja {0}{1}{2}.",
  "A request to the redirect address was refused: {0}.":
    "Uma requisição ao endereço de redirecionamento foi recusada: {0}.",
  "The browser can't come back from the environment {0} to this machine, and there is no terminal to paste its address into.":
    "O navegador não consegue voltar do ambiente {0} para esta máquina, e não há terminal para colar o endereço.",
  "Run comanda login on a terminal, or register an http redirect address on 127.0.0.1.":
    "Execute comanda login em um terminal ou registre um endereço de redirecionamento http em 127.0.0.1.",
  "The browser could not be opened. Open the address above in it yourself.":
    "Não foi possível abrir o navegador. Abra você o endereço acima.",
  "the revocation": "a revogação",
  "An {0} is one line of visible ASCII characters without spaces.":
    "Uma {0} é uma única linha de caracteres ASCII visíveis, sem espaços.",
  "A {0} is one line of visible ASCII characters without spaces.":
    "Uma {0} é uma única linha de caracteres ASCII visíveis, sem espaços.",
  " and ": " e ",
  "API key": "chave de API",
  "the sign-in": "o login",
  "The store portal shows it in its integrations section.":
    "O portal da loja mostra na seção de integrações.",
  "The service gives it to its partners.": "O serviço fornece aos parceiros.",
  "You are signed in": "Você entrou",
  "comanda can now work for the store. You can close this page.":
    "O comanda já pode trabalhar para a loja. Você pode fechar esta página.",
  "Access was not given": "O acesso não foi concedido",
  "It was refused at the portal, or asked of somebody who isn't the store's Owner. Nothing was stored. You can close this page.":
    "Foi recusado no portal, ou pedido a alguém que não é o dono da loja. Nada foi guardado. Você pode fechar esta página.",
  "The sign-in did not succeed": "O login não deu certo",
  "Nothing was stored. The terminal that you started it from says why. You can close this page.":
    "Nada foi guardado. O terminal em que você começou diz por quê. Você pode fechar esta página.",
  "This is not the answer to a sign-in": "Esta não é a resposta de um login",
  "Nothing was changed. If you are signing in, go on in the page that comanda opened.":
    "Nada foi alterado. Se você está entrando, continue na página que o comanda abriu.",
  "This sign-in was answered already": "Este login já foi respondido",
  "Nothing was changed. You can close this page.": "Nada foi alterado. Você pode fechar esta página.",
  "That address belongs to another sign-in.": "Esse endereço é de outro login.",
  "That address is not the redirect address.": "Esse endereço não é o de redirecionamento.",
  "That address has a parameter twice.": "Esse endereço tem um parâmetro repetido.",
  "That address has neither a code nor an error.": "Esse endereço não tem código nem erro.",
};
