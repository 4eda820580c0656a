// The worker of benches/scale.mjs: PUT takes a snapshot as it streams in, POST picks for the text that it is sent.
import { Catalog, memoryBytes } from "../../dist/workerd.js";

let catalog;

export default {
  async fetch(request) {
    try {
      if (request.method === "PUT") catalog = await Catalog.fromStream(request.body);
      else catalog.select({ messages: [{ role: "user", content: await request.text() }] });
      return new Response(String(memoryBytes()));
    } catch (error) {
      return new Response(`${error.code}: ${error.message}`, { status: 500 });
    }
  },
};
