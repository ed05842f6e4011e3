import { expect, test } from "vitest";

import { proxiesFor } from "../../src/client/http.js";
import { ComandaError } from "../../src/client/errors.js";

const service = "https://api.example";

test.each([
  ["as curl takes it, without a scheme", "proxy.corp:8080", "http://proxy.corp:8080"],
  ["with a user, without a scheme", "ana:s3cret@proxy.corp:8080", "http://ana:s3cret@proxy.corp:8080"],
  ["in capitals", "HTTP://proxy.corp:8080", "HTTP://proxy.corp:8080"],
])("a proxy %s", (_, given, httpsProxy) => {
  expect(proxiesFor({ HTTPS_PROXY: given }, service)).toEqual({ httpProxy: "", httpsProxy, noProxy: "" });
});

test("reads the lower-case names first, and hands the exceptions on", () => {
  const env = {
    http_proxy: "a:1",
    HTTP_PROXY: "b:1",
    https_proxy: "",
    HTTPS_PROXY: "c:1",
    NO_PROXY: "x.example",
  };
  expect(proxiesFor(env, service)).toEqual({
    httpProxy: "http://a:1",
    httpsProxy: "",
    noProxy: "x.example",
  });
});

test.each([{}, { HTTPS_PROXY: "" }, { ALL_PROXY: "socks5://proxy:1" }, { NO_PROXY: "*" }])(
  "%j asks for none",
  (env) => {
    expect(proxiesFor(env, service)).toBeUndefined();
  },
);

test.each(["http://localhost:1", "http://127.0.0.1:1/x", "https://[::1]:1"])("%s is behind none", (url) => {
  expect(proxiesFor({ HTTPS_PROXY: "http://%", HTTP_PROXY: "proxy.corp:1" }, url)).toBeUndefined();
});

test.each([
  "http://",
  "socks5://ana:s3cret@proxy:1080",
  "proxy.corp:99999",
  "ana:s3cret@",
  "http://ana:%zzs3cret@p",
  " ",
])("%j is refused by the name of its variable, and not shown", (given) => {
  for (const name of ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"]) {
    const run = () => proxiesFor({ [name]: given }, service);
    expect(run).toThrow(ComandaError);
    expect(run).toThrow(expect.objectContaining({ code: "configuration", exitCode: 2 }));
    expect(run).toThrow(new RegExp(`The environment variable ${name} `));
    expect(run).not.toThrow(/s3cret/);
  }
});
