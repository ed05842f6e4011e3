/** The build, and the compiler of the tests, make a text of a file of CSS. */
declare module "*.css" {
  const text: string;
  export default text;
}
