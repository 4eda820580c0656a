import { Catalog } from "skillpick";
import skills from "./skills.json";

const catalog = Catalog.from(skills);

export default {
  async fetch(request) {
    const query = new URL(request.url).searchParams.get("q") ?? "";
    return new Response(catalog.select({ query }, { budget: 800 }).xml);
  },
};
