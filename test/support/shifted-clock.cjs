/** Loaded before the program: its clock goes as ever, from CLOCK_STARTS on (milliseconds since the epoch). */
const real = Date.now;
const offset = Number(process.env["CLOCK_STARTS"]) - real();
const now = () => real() + offset;

globalThis.Date = new Proxy(Date, {
  construct: (target, given, self) => Reflect.construct(target, given.length === 0 ? [now()] : given, self),
});
Date.now = now;
