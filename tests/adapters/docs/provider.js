// Stands in for the provider that a model's name leads to: calls the skill, and says what it was given.
import { MockLanguageModelV4 } from "ai/test";

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const stream = (unified, ...parts) => ({ stream: ReadableStream.from([{ type: "stream-start", warnings: [] }, ...parts, { type: "finish", finishReason: { unified }, usage }]) });
const model = new MockLanguageModelV4({
  doStream: async ({ prompt }) => {
    const last = prompt.at(-1);
    if (last.role === "user") return stream("tool-calls", { type: "tool-call", toolCallId: "1", toolName: "load_skill", input: '{"id":"greet","arguments":""}' });
    const [{ toolName, output }] = last.content;
    const said = `${toolName}: ${/Say hello\./.exec(output.value)?.[0]}`;
    return stream("stop", { type: "text-start", id: "t" }, { type: "text-delta", id: "t", delta: said }, { type: "text-end", id: "t" });
  },
});
globalThis.AI_SDK_DEFAULT_PROVIDER = { specificationVersion: "v4", languageModel: () => model };
