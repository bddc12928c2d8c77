/** A worker's whole script, bundled, as text. */
declare module "worker:*" {
  const source: string;
  export default source;
}
