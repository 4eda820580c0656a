/** Elements with which hosts talk to the model. A text that contains one can pass for the host's own words. */
const HOST_TAGS =
  /<\/?(available[-_]skills|more[-_]skills|skill[-_]content|skill[-_]resources|system[-_]reminder|system[-_]prompt|system|assistant|function_calls|function_results|tool_result|tool_use|antml:[a-z_]{1,20})(?=[\s>/])[^<>]{0,80}>/gi;
/** In a listing also the elements of the listing itself. */
const LISTING_TAGS = /<\/?(skill|skills|description|location)(?=[\s>/])[^<>]{0,80}>/gi;
/** Marks that divide roles in raw prompts. */
const ROLE_MARKS = /<\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id|end_header_id)\|>|\[\/?INST\]|<<\/?SYS>>/g;

/** What in the text imitates the host, each once; `listing` for texts that stand in a listing. */
export function findImitations(text: string, listing: boolean): string[] {
  const found = new Set<string>();
  for (const pattern of listing ? [HOST_TAGS, LISTING_TAGS, ROLE_MARKS] : [HOST_TAGS, ROLE_MARKS]) {
    for (const [match] of text.matchAll(pattern)) if (found.size < 5) found.add(match);
  }
  return [...found];
}
