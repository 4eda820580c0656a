import * as skillpick from "skillpick";
import { check } from "../check.mjs";
import data from "../data.mjs";

export default {
  async fetch() {
    return Response.json(check(skillpick, data));
  },
};
