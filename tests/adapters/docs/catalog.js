export { catalog } from "../../../catalog.mjs";
