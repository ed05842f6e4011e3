/** The text of a file of SQL, which the build puts in. */
declare module "*.sql" {
  const text: string;
  export default text;
}
