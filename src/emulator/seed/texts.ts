/**
 * Texts that orders carry. Many are awkward on purpose, as people's texts are: right-to-left scripts, emoji,
 * quotes, spreadsheet formulas, line breaks, control characters. Whatever shows them has to cope.
 */
export const customerNames = [
  "Maria Aparecida Gonçalves",
  "Zoë Ångström",
  "José “Zezinho” d'Ávila",
  "محمد الأحمد",
  "רוּת בן־דוד",
  "李小龙",
  "👩‍🍳 Chef Lu 🇧🇷",
  '=HYPERLINK("http://example.com","clique")',
  "+55 Delivery",
  "-1+1",
  "@ana.souza",
  "Robert'); DROP TABLE orders;--",
  "<script>alert(1)</script>",
  "Ana\tPaula",
  "a\u0301e\u0301i\u0301 Decomposta",
  "Nome Muito Comprido ".repeat(12).trim(),
  "\u202Eodavired",
  "Ö",
] as const;

export const observations = [
  "Sem cebola, por favor",
  "Campainha quebrada,\nligar ao chegar",
  "linha 1\r\nlinha 2\r\n\r\nlinha 4",
  'Levar troco e "sachês"; obrigada!',
  "=cmd|' /C calc'!A0",
  "\u001b[31mvermelho\u001b[0m",
  "C1: \u009b31m e BEL\u0007",
  "bem passado 🥩🔥",
  "| coluna | de | tabela |",
  "بدون بصل",
  "",
] as const;

/** The text is free (section 2.1); a filter allows up to 255 characters (section 4.8). */
export const customerOrigins = [
  "instagram",
  "google-ads",
  "Panfleto, centro",
  'Cartão "VIP"',
  "=cmd()",
  "🍕 promo",
  "O'Brien & filhos",
  "origem ".repeat(37).slice(0, 255),
] as const;

export const cancellationReasons = [
  "Cliente desistiu",
  "Sem entregador disponível",
  'Produto em falta: "açaí 500 ml"',
  "Endereço fora da área\nde entrega",
] as const;

export const streets = ["Rua das Acácias", "Av. São Luís", "Travessa d’Água", "Rua 7 de Setembro"] as const;
export const neighborhoods = ["Centro", "Vila Conceição", "Jardim Paulistão", "Água Branca"] as const;
export const coupons = ["BEMVINDO10", "AÇAÍ-DE-GRAÇA", "10% OFF ☀️"] as const;
export const attendants = ["Cauã Peçanha", "Marta Brandão", "Lígia D'Ângelo"] as const;
