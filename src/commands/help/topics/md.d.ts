/** The build, and the compiler of the tests, make a text of a file of Markdown. */
declare module "*.md" {
  const text: string;
  export default text;
}
