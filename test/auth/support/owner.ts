/** The person at the browser: follows redirects with a cookie jar, and ends at the redirect address. */
export async function browse(url: string): Promise<{ readonly status: number; readonly page: string }> {
  const cookies = new Map<string, string>();
  let next = url;
  for (let hop = 0; hop < 12; hop += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(next, { redirect: "manual", headers: cookie === "" ? {} : { cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      const at = pair.indexOf("=");
      cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    const location = answer.headers.get("location");
    if (location === null) return { status: answer.status, page: await answer.text() };
    next = new URL(location, next).href;
  }
  throw new Error("too many redirects");
}
