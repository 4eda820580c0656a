import { Catalog } from "skillpick";
import { Here } from "./here";

export const dynamic = "force-dynamic";

/** Rendered on the server; the part inside once more in the browser. */
export default function Page() {
  const { xml } = Catalog.from([{ name: "ink-test", description: "Checks pens" }]).select();
  return (
    <>
      <pre>{xml}</pre>
      <Here />
    </>
  );
}
