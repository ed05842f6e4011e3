/** One call as a plain script makes it: fetch-call URL. */
async function main(url = "") {
  const answer = await fetch(url, { method: "POST", headers: { authorization: "Bearer bench-token" } });
  console.log(JSON.stringify({ status: answer.status, body: await answer.text() }));
}

void main(process.argv[2]);
