/** What the benchmarks use of autocannon, which has no types of its own. */
declare module "autocannon" {
  interface Connection {
    setRequests(requests: readonly object[]): void;
  }
  interface Result {
    readonly non2xx: number;
    readonly errors: number;
  }
  function autocannon(options: {
    readonly url: string;
    readonly connections: number;
    readonly amount: number;
    readonly setupClient: (connection: Connection) => void;
  }): PromiseLike<Result>;
  export = autocannon;
}
