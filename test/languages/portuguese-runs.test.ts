/** Command lines and their output in Portuguese, against the emulator. */
import { describe, expect, test } from "vitest";

import { localClientId, localRedirectUri } from "../../src/emulator/seed/cast.js";
import { useLanguage } from "../../src/languages/language.js";
import { Bench } from "../support/bench.js";

/** Removes options, values, addresses, commands and the service's messages. */
const wordsOf = (text: string) =>
  text
    .replaceAll(/Resposta do serviço: .*/g, "")
    .replaceAll(/\{.*\}/g, "")
    .replaceAll(/\S*[-/=_<>]\S*/g, "");
const english =
  /(?<!\p{L})(?:the|an|and|of|to|in|at|on|is|are|was|has|by|for|from|with|without|not|only|this|that|which|must|can|takes|allowed|zone|starts|currency|locale|years?)(?!\p{L})/giu;

describe("The output in Portuguese", async () => {
  const env = { COMANDA_LANG: "pt-BR", COMANDA_RATE_LIMITS: "off" };
  const bench = await Bench.open({ env, rateLimits: false });
  await bench.signIn();
  for (const id of [1, 2, 3, 4]) await bench.order({ id, status: "confirmed" });

  test("contains the emulator's consent page", async () => {
    const query = new URLSearchParams({
      ...{ response_type: "code", client_id: localClientId, redirect_uri: localRedirectUri },
      ...{ state: "x", code_challenge: "x".repeat(43), code_challenge_method: "S256", person_id: "ana" },
    });
    await useLanguage("pt-BR");
    const answer = await fetch(`${bench.emulator.url}/portal/authorize?${query.toString()}`);
    const page = await answer.text();
    expect(page).toContain('<html lang="pt-BR">');
    expect(page.replaceAll(/<[^>]*>|Cantina.*?</g, " ").match(english)).toBeNull();
  });

  // Some lines depend on earlier ones.
  test.each([
    "status",
    "stores set centro --tz America/Sao_Paulo --day-starts 04:00",
    "grouped --by week --period last-month",
    "stores set centro --day-starts 00:00 --currency BRL --locale pt-BR",
    "summary --period last-month --compare previous",
    "summary --tz Curitiba",
    "grouped --by day_of_week --period last-month --compare previous",
    "sync --days 2",
    "driver assign 1 11 --fee 7,50",
    "driver assign 1 nobody",
    "orders dispatch 1 2 999999",
    "orders cancel 3 4",
    "history",
    "history drivers --period today",
    "history settle 1 done",
    "env set other --base-url https://a.example/api/partner --auth-url https://b.example --client-id c",
    "doctor",
    "emulator start --fault x",
    "logout",
    "stores remove centro",
    "status",
  ])("contains no English words: %s", async (line) => {
    const { stdout, stderr } = await bench.inProcess(line);
    expect(wordsOf(stdout + stderr).match(english)).toBeNull();
  });
});
