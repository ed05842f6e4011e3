/** The emulator's pages: its front page, the portal and the digital menu. A command never loads them. */
import type { Catalogue } from "../../shared/language.js";

const frontPage: Catalogue = {
  "Skip to content": "Ir para o conteúdo",
  Emulator: "Emulador",
  "comanda emulator": "emulador do comanda",
  "Stores, people and orders are made up.": "Lojas, pessoas e pedidos são fictícios.",
  "The service, on this machine": "O serviço, nesta máquina",
  "This is an emulator of the order-management partner API: {0} made-up orders of {1} stores, the portal that authorises apps, and the API itself.":
    "Este é um emulador da API de parceiros para gestão de pedidos: {0} pedidos fictícios de {1} lojas, o portal que autoriza aplicativos e a própria API.",
  "Nobody outside this machine can reach it, and all of it is gone when it ends.":
    "Ninguém de fora desta máquina chega até ele, e tudo some quando ele termina.",
  "All of it is gone when it ends.": "Tudo some quando ele termina.",
  "Right now": "Agora",
  "The emulator’s time:": "A hora do emulador:",
  "Orders by state": "Pedidos por situação",
  "The last requests": "As últimas requisições",
  "None yet.": "Nenhuma ainda.",
  "no answer": "sem resposta",
  "fault {0}": "falha {0}",
  Faults: "Falhas",
  "Nothing goes wrong on purpose.": "Nada dá errado de propósito.",
  "{0} times more": "mais {0} vezes",
  Readings: "Leituras",
  "All of them as the emulator has them.": "Todas no padrão do emulador.",
  "Other than the emulator’s own:": "Diferentes do padrão do emulador:",
  "The store portal": "O portal da loja",
  "Sign in as an owner or as someone who isn’t; see installed apps.":
    "Entre como dono ou como quem não é; veja os aplicativos instalados.",
  "Orders to try": "Pedidos para testar",
  "The newest ones as JSON. The first to go with them:":
    "Os mais novos, em JSON. O primeiro comando para usar com eles:",
  Stores: "Lojas",
  "With their drivers, people and API keys.": "Com seus entregadores, pessoas e chaves de API.",
  "The newest pre-filled order": "O pedido pré-preenchido mais novo",
  "In the digital menu, as its customer sees it. All of them as JSON:":
    "No cardápio digital, como o cliente vê. Todos eles em JSON:",
  "Pre-filled orders": "Pedidos pré-preenchidos",
  "None yet. This makes one:": "Nenhum ainda. Este comando cria um:",
  "The API’s description": "A descrição da API",
  "OpenAPI 3.1, to browse and to try out; as JSON at": "OpenAPI 3.1, para navegar e experimentar; em JSON em",
  "Request log": "Registro de requisições",
  "What was asked and answered. It holds no secret.":
    "O que foi pedido e respondido. Não guarda nenhum segredo.",
  "The API": "A API",
  "{0} (section {1})": "{0} (seção {1})",
  "The control surface": "Os controles do emulador",
};

const reference: Catalogue = {
  "The API of the comanda emulator": "A API do emulador do comanda",
  "Everything about it, schemas too, is in the OpenAPI document:":
    "Tudo sobre ela, também os esquemas, está no documento OpenAPI:",
  "To try calls out on this page, install Swagger UI beside comanda:":
    "Para experimentar chamadas nesta página, instale o Swagger UI ao lado do comanda:",
};

const operations: Catalogue = {
  "Assign or replace the driver of a delivery order":
    "Atribuir ou trocar o entregador de um pedido para entrega",
  "Cancel an order": "Cancelar um pedido",
  "Dispatch an order: out for delivery, or waiting for pickup":
    "Despachar um pedido: sai para entrega ou aguarda retirada",
  "Mark a delivery order as delivered": "Marcar um pedido para entrega como entregue",
  "Finalize an order": "Finalizar um pedido",
  "Sales summary of a period": "Resumo das vendas de um período",
  "Sales summary of a period, split by one dimension":
    "Resumo das vendas de um período, dividido por uma dimensão",
  "Create a pre-filled order": "Criar um pedido pré-preenchido",
  "Exchange an authorisation code or a refresh token":
    "Trocar um código de autorização ou um token de renovação",
  "Revoke a token": "Revogar um token",
};

const controls: Catalogue = {
  "Orders, newest first: ?store= &status= &order_type= &limit= &offset=; next leads on":
    "Pedidos, do mais novo ao mais antigo: ?store= &status= &order_type= &limit= &offset=; next traz os seguintes",
  "Makes an order; what isn’t named is made up": "Cria um pedido; o que não é informado é inventado",
  "One order": "Um pedido",
  "Ends a cancellation that is under way: {result}": "Encerra um cancelamento em andamento: {result}",
  "How cancellations of orders paid online by credit card end":
    "Como terminam os cancelamentos de pedidos pagos on-line com cartão de crédito",
  "The same, changed: {after_seconds, result}": "O mesmo, alterado: {after_seconds, result}",
  "Makes a driver, or changes one: {id, store_id, name, active}":
    "Cria um entregador ou altera um: {id, store_id, name, active}",
  "This control surface as an OpenAPI document": "Estes controles como documento OpenAPI",
  "What a store sells: ?store=; items, option groups and combo steps with their ids":
    "O que uma loja vende: ?store=; itens, grupos de opções e etapas de combo com seus ids",
  "Pre-filled orders as they came in, newest first":
    "Pedidos pré-preenchidos como chegaram, do mais novo ao mais antigo",
  "Stores with their drivers, people and API keys; the partner key":
    "Lojas com seus entregadores, pessoas e chaves de API; a chave de parceiro",
  "Which app is installed where": "Qual aplicativo está instalado em qual loja",
  "Installs comanda’s own app at a store, and gives its tokens: {store_id}":
    "Instala o aplicativo do próprio comanda em uma loja e devolve os tokens: {store_id}",
  "The owner’s part of an app’s sign-in; gives the redirect’s address: {url, person, store, allow}":
    "A parte do proprietário na autorização de um aplicativo; devolve o endereço de volta: {url, person, store, allow}",
  "A store removes an app: {store_id, client_id}": "Uma loja remove um aplicativo: {store_id, client_id}",
  "Lifetimes of codes and tokens, in seconds": "Validade de códigos e tokens, em segundos",
  "Revokes the tokens of a store, or all: {store_id}": "Revoga os tokens de uma loja, ou todos: {store_id}",
  "How an app is registered: redirect addresses, approval, scopes":
    "Como um aplicativo está registrado: endereços de redirecionamento, aprovação, escopos",
  "The emulator’s time": "A hora do emulador",
  "Sets it: {now} or {advance_seconds}": "Acerta a hora: {now} ou {advance_seconds}",
  "What the specification leaves open, and what it is here":
    "O que a especificação deixa em aberto, e como é aqui",
  "The last requests": "As últimas requisições",
  "Empties the log": "Esvazia o registro",
  "What is set to go wrong": "O que está programado para dar errado",
  "Sets what goes wrong: one fault or a list": "Programa o que dá errado: uma falha ou uma lista",
  "Nothing goes wrong any more": "Nada mais dá errado",
  "Are the rate limits on?": "Os limites de requisições estão ligados?",
  "Switches them: {enabled}": "Liga ou desliga os limites: {enabled}",
  "Back to the start: {tokens: true} signs everybody out":
    "Volta ao começo: {tokens: true} encerra a sessão de todos",
};

const portal: Catalogue = {
  "{0} · Store portal (emulator)": "{0} · Portal da loja (emulador)",
  "Store portal": "Portal da loja",
  "The comanda emulator, on this machine only. Stores and people are made up.":
    "O emulador do comanda, só nesta máquina. Lojas e pessoas são fictícias.",
  Welcome: "Boas-vindas",
  "The part of the service that store owners see, emulated on this machine. Apps send an owner here to be authorised; an app is never authorised from this page.":
    "A parte do serviço que os donos de loja veem, emulada nesta máquina. Os aplicativos mandam o dono até aqui para pedir autorização; nunca se autoriza um aplicativo a partir desta página.",
  "The API key of each store, and the installed apps.":
    "A chave de API de cada loja e os aplicativos instalados.",
  "As the owner of a store, or as someone who isn’t.": "Como dono de uma loja ou como quem não é.",
  "To the portal’s front page": "Ir para o início do portal",
  "Page not found": "Página não encontrada",
  "The portal has no such page.": "O portal não tem esta página.",
  "The form is too long": "O formulário é longo demais",
  "Nothing was changed.": "Nada foi alterado.",
  "This page was open for too long": "Esta página ficou aberta por tempo demais",
  "Nothing was changed. Open the page again and repeat what you wanted to do.":
    "Nada foi alterado. Abra a página de novo e repita o que você queria fazer.",
  "Open the page again": "Abrir a página de novo",
  "This link doesn’t work": "Este link não funciona",
  "The app that sent you here asked in a way that the portal can’t answer. Nothing was authorised.":
    "O aplicativo que trouxe você até aqui fez um pedido que o portal não consegue atender. Nada foi autorizado.",
  "For the app’s developer": "Para quem desenvolve o aplicativo",
};

const signIn: Catalogue = {
  "Sign in": "Entrar",
  "Sign out": "Sair",
  "Sign in as someone else": "Entrar como outra pessoa",
  "Signed in as": "Você entrou como",
  "to continue to": "para continuar em",
  "This is the emulator: choose who you want to be. There is no password.":
    "Este é o emulador: escolha quem você quer ser. Não há senha.",
  "Choose a person to sign in as.": "Escolha a pessoa com quem você quer entrar.",
  "People of the emulated stores": "Pessoas das lojas emuladas",
  Owner: "Dono(a)",
  Manager: "Gerente",
  Attendant: "Atendente",
  "No store": "Nenhuma loja",
};

const consent: Catalogue = {
  "Authorise {0}": "Autorizar {0}",
  "asks for access to your store": "pede acesso à sua loja",
  "Only the owner can do this": "Só o dono pode fazer isto",
  "Only the owner can authorise an app": "Só o dono pode autorizar um aplicativo",
  "asks for access to a store. Ask the store’s owner to do this, or sign in as the owner.":
    "pede acesso a uma loja. Peça ao dono da loja que faça isto, ou entre como o dono.",
  "Back to the app": "Voltar ao aplicativo",
  "It will be able to use": "Ele vai poder usar",
  "Store data and payment methods": "Dados da loja e formas de pagamento",
  "Read, create and change orders, summaries": "Ver, criar e alterar pedidos; resumos",
  "Assign or remove order drivers (used together with orders)":
    "Atribuir ou remover entregadores dos pedidos (usado junto com orders)",
  "Catalog read and management": "Consulta e gestão do cardápio",
  "Customers of the store": "Clientes da loja",
  "Discount coupons": "Cupons de desconto",
  Reviews: "Avaliações",
  "At this store": "Nesta loja",
  "At which store?": "Em qual loja?",
  "Store {0}": "Loja {0}",
  Allow: "Permitir",
  Refuse: "Recusar",
  "Choose Allow or Refuse.": "Escolha Permitir ou Recusar.",
  "Choose one of your stores.": "Escolha uma das suas lojas.",
  "You can take the access back under Integrations at any time.":
    "Você pode retirar o acesso em Integrações quando quiser.",
};

const integrations: Catalogue = {
  Integrations: "Integrações",
  "What may act for your stores: the API key, and the apps that you authorised.":
    "O que pode agir em nome das suas lojas: a chave de API e os aplicativos que você autorizou.",
  "Only the owner can see this": "Só o dono pode ver isto",
  "The integrations of a store are for its owner. Sign in as the owner to see them.":
    "As integrações de uma loja são para o dono dela. Entre como o dono para ver.",
  "API key": "Chave de API",
  hidden: "oculta",
  "Hide key": "Ocultar chave",
  "Show the API key": "Mostrar a chave de API",
  "Show the API key of {0}": "Mostrar a chave de API de {0}",
  "For integrations that send the header": "Para integrações que enviam o cabeçalho",
  "It opens this store alone.": "Ela só dá acesso a esta loja.",
  "Installed apps": "Aplicativos instalados",
  "No app is installed.": "Nenhum aplicativo instalado.",
  "May use: {0}": "Pode usar: {0}",
  Uninstall: "Desinstalar",
  "Uninstall {0}": "Desinstalar {0}",
};

const menu: Catalogue = {
  "Digital menu": "Cardápio digital",
  "The comanda emulator, on this machine only. Nothing that is shown here can be bought.":
    "O emulador do comanda, só nesta máquina. Nada do que aparece aqui pode ser comprado.",
  "Your order": "Seu pedido",
  "Prepared for": "Preparado para",
  Delivery: "Entrega",
  Takeout: "Retirada",
  "Go to checkout": "Finalizar pedido",
  Checkout: "Finalizar pedido",
  Customer: "Cliente",
  "Delivery to": "Entregar em",
  "Pickup at": "Retirar em",
  "In the real menu the customer chooses how to pay and sends the order from here.":
    "No cardápio de verdade, o cliente escolhe como pagar e envia o pedido daqui.",
  "Back to the order": "Voltar ao pedido",
  "Not given: the customer fills it in.": "Não informado: o cliente preenche.",
  Name: "Nome",
  Phone: "Telefone",
  Street: "Rua",
  Block: "Quadra",
  Lot: "Lote",
  Complement: "Complemento",
  Neighborhood: "Bairro",
  City: "Cidade",
  "Postal code": "CEP",
  Landmark: "Ponto de referência",
  Position: "Localização",
  "The menu has no such order. The emulator forgets pre-filled orders when it ends or is reset.":
    "O cardápio não tem este pedido. O emulador esquece os pedidos pré-preenchidos quando termina ou é reiniciado.",
  "The cart is empty: the customer fills it in the menu.":
    "O carrinho está vazio: o cliente monta o pedido no cardápio.",
  "not chosen yet": "ainda não escolhido",
  "more than can be shown": "mais do que dá para mostrar",
  "{0} each": "{0} cada",
  "Note:": "Observação:",
  "Delivery fee": "Taxa de entrega",
  "set by the store": "definida pela loja",
  "Items total": "Total dos itens",
};

export const emulator: Catalogue = {
  ...frontPage,
  ...reference,
  ...operations,
  ...controls,
  ...portal,
  ...signIn,
  ...consent,
  ...integrations,
  ...menu,
};
