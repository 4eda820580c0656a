import { SKILLS } from "../../../catalog.mjs";

export const skills = SKILLS.slice(0, -1).map(({ name, description }) => ({ name, description }));
