"use client";
import { Catalog } from "skillpick";

/** Rendered on the server first, and again in the browser. */
export function Here() {
  return <pre>{Catalog.from([{ name: "pen-test", description: "Checks ink" }]).select().xml}</pre>;
}
