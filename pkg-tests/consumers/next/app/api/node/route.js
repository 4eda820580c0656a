import { Catalog } from "skillpick";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";
export const GET = () => new Response(Catalog.from([{ name: "ink-test", description: "Checks pens" }]).select().xml);
