// That skillpick/vite fits Vite's types.
import { skillpick } from "skillpick/vite";
import { type Plugin, defineConfig } from "vite";

export const plugin: Plugin = skillpick({ folders: ["skills", "../shared"], instructions: false, strict: true });
export default defineConfig({ plugins: [skillpick()] });
