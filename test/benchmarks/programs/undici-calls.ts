/** Several calls in turn as a plain script makes them: undici-calls URL TIMES. */
import { request } from "undici";

async function main(url = "", times = "1") {
  const groups: unknown[] = [];
  for (let call = 0; call < Number(times); call += 1) {
    const { body } = await request(url, { headers: { authorization: "Bearer bench-token" } });
    groups.push(...((await body.json()) as { groups: unknown[] }).groups);
  }
  console.log(JSON.stringify({ group_by: "day", groups }));
}

void main(process.argv[2], process.argv[3]);
