/** Files that the build and the tests import as texts. */
declare module "*.css" {
  const text: string;
  export default text;
}
declare module "*.md" {
  const text: string;
  export default text;
}
declare module "*.sql" {
  const text: string;
  export default text;
}
declare module "*.txt" {
  const text: string;
  export default text;
}
