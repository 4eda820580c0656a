/** Runs `work` on every item, at most `concurrency` at once. Stops between items once the signal is aborted. */
export async function inPool<T>(
  items: readonly T[],
  options: { concurrency?: number; signal?: { readonly aborted: boolean; readonly reason?: unknown } },
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      if (options.signal?.aborted === true) throw options.signal.reason ?? new Error("aborted");
      const index = next++;
      await work(items[index] as T, index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(Math.max(1, options.concurrency ?? 16), items.length) }, worker));
}
