import type { Skill } from "skillpick";

const VERBS = "summarise review draft plan check translate compare clean sort price forecast schedule audit migrate monitor explain archive merge publish test label route measure rank restore".split(" ");
const THINGS = "invoice contract dataset backlog newsletter roster shipment ticket survey budget lease recipe itinerary transcript blueprint inventory payroll prescription syllabus grant portfolio playlist logfile schema manifest brochure catalogue warranty patent permit".split(" ");
const FIELDS = "retail banking farming shipping museums schools clinics energy theatre football aviation housing fishing mining".split(" ");
const CLOSINGS = ["Lists what is odd.", "Keeps the originals.", "Asks before it changes anything.", "Says which sources it used."];

/** Skills by the thousand, always the same: each verb with each thing in each field. */
export function generated(count: number): Skill[] {
  const skills: Skill[] = [];
  for (const verb of VERBS) {
    for (const thing of THINGS) {
      for (const field of FIELDS) {
        if (skills.length === count) return skills;
        const closing = CLOSINGS[skills.length % CLOSINGS.length];
        skills.push({
          name: `${verb}-${thing}-${field}`,
          description: `${verb[0]?.toUpperCase()}${verb.slice(1)} every ${thing} in ${field}. ${closing} Use when a ${thing} in ${field} needs this work.`,
        });
      }
    }
  }
  return skills;
}
