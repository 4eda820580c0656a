interface ImportMeta {
  readonly env: { readonly PROD: boolean };
}
declare module "virtual:example-catalog" {
  const json: string;
  export default json;
}
declare module "*?worker&url" {
  const url: string;
  export default url;
}
