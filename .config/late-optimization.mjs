// @ts-check
/**
 * Flags for a process of Node that lives for seconds, or a minute: much of what V8's optimizing compiler makes in it is run
 * too seldom to be worth it. With a budget of eight times the usual it makes what is hot alone. That takes a seventh of the
 * processor's time from a worker of the tests, and a third from TypeScript.
 *
 * Newer ones than that of Node 20 compile by other rules, and don't know the word.
 */
import process from "node:process";

/** @type {readonly string[]} */
export const lateOptimization = process.version.startsWith("v20.") ? ["--interrupt-budget=500000"] : [];
