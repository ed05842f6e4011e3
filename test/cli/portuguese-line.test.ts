/** Command lines in Portuguese, and those of other programs, which stay as they are. */
import type { Command } from "commander";
import { describe, expect, test } from "vitest";

import { createProgram } from "../../src/cli/command-tree.js";
import { toEnglishWords } from "../../src/cli/portuguese-line.js";
import { commandWords, memberWords, optionWords, valueWords } from "../../src/cli/portuguese-words.js";
import { helpTopics } from "../../src/commands/help/topics.js";
import { testContext } from "../support/context.js";
import { allBelow } from "../languages/support/help.js";

const program = await createProgram(testContext());
const own = (line: string) => toEnglishWords(line.split(" ")).join(" ");
const find = (path: string) =>
  path
    .split(" ")
    .reduce<Command | undefined>(
      (command, name) => command?.commands.find((member) => member.name() === name),
      program,
    );

describe("comanda takes", () => {
  test.each([
    ["despachar 4711 --loja centro", "orders dispatch 4711 --store centro"],
    ["cancelar 4711 --motivo=fechou --sim", "orders cancel 4711 --reason=fechou --yes"],
    ["pedidos cancelar 4711 --motivo despachar", "orders cancel 4711 --reason despachar"],
    ["Relatório --período outubro", "report --period outubro"],
    ["--loja despachar entregar 1", "--store despachar orders deliver 1"],
    ["entregador 4711 bia", "driver assign 4711 bia"],
    ["entregadores atribuir 4711 bia --taxa 7,50", "driver assign 4711 bia --fee 7,50"],
    ["lojas listar", "stores list"],
    ["agrupar --por entregador --comparar ano", "grouped --by driver_id --compare year"],
    ["grouped --by=dia-da-semana --ordenar faturamento:desc", "grouped --by=day_of_week --sort revenue:desc"],
    ["cruzar --linhas hora --colunas mês", "pivot --rows hour --cols month"],
    ["resumo -f status=cancelado,Entregue", "summary -f status=canceled,delivered"],
    ["resumo --filtro situação!=saiu-para-entrega", "summary --filter status!=released"],
    ["resumo --filtro status=Cancelada,finalizadas", "summary --filter status=canceled,closed"],
    ["resumo --formato excel --moeda real", "summary --format xlsx --currency BRL"],
    ["history --outcome feito", "history --outcome done"],
    ["histórico --resultado recusado", "history --outcome refused"],
    ["ajuda períodos", "help periods"],
    ["grouped --group-by weekday", "grouped --by day_of_week"],
    [
      "resumo --filtro hora<15:00 --alerta receita<-30%",
      "summary --filter created_at_time<15:00 --alert revenue<-30%",
    ],
    ["ajuda pedidos cancelar", "help orders cancel"],
    ["configuração definir idioma pt-BR", "config set language pt-BR"],
    [
      "config set fuso America/Sao_Paulo --loja centro",
      "config set time_zone America/Sao_Paulo --store centro",
    ],
    ["histórico resolver 4712 não-feito", "history settle 4712 not-done"],
    ["histórico mostrar --resultado recusado", "history show --outcome refused"],
  ])("%s as %s", (line, said) => {
    expect(own(line)).toBe(said);
    expect(own(said)).toBe(said);
  });

  test.each([
    "api post /orders -f status=cancelado",
    "emulator exec meu-programa --motivo x --por hora",
    "orders cancel 1 --reason entregador",
    "orders dispatch -- --motivo",
    "sql listar",
    "stores use entregar",
    "grouped --by hour --period last-month --compare year",
    "complete bash cancelar 1 --motivo",
  ])("%s as it is", (line) => {
    expect(own(line)).toBe(line);
  });
});

test.each(helpTopics.map(({ name }) => `help ${name}`))("%s is the topic", (line) => {
  expect(own(line)).toBe(line);
});

test("every word stands for something that there is, and no name of comanda's is another's word", () => {
  const names = allBelow(program).map((command) => command.name());
  const flags = [program, ...allBelow(program)].flatMap((command) => command.options.map(({ long }) => long));
  expect(Object.values(commandWords).filter((path) => !find(path))).toEqual([]);
  expect(Object.values(memberWords).filter((name) => !names.includes(name))).toEqual([]);
  expect(
    [...Object.values(optionWords), ...Object.keys(valueWords)].filter(
      (flag) => !["--help", "--all", ...flags].includes(flag),
    ),
  ).toEqual([]);
  expect(program.commands.map((command) => command.name()).filter((name) => own(name) !== name)).toEqual([]);
  expect(flags.filter((flag) => flag !== undefined && own(flag) !== flag)).toEqual([]);
});
