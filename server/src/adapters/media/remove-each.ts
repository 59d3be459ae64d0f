/** Failures after which no further file is tried: the store does not answer at all. */
const MOST_FAILURES = 5

/**
 * Removes the files of each item; resolves with the items whose files are gone, and with the failures. A file that cannot be removed keeps no other one
 * from it. In any order, so that the same ones do not come first the next time.
 */
export async function removeEach<T>(
  items: readonly T[],
  remove: (item: T) => Promise<void>,
): Promise<{ removed: T[]; failures: unknown[] }> {
  const removed: T[] = []
  const failures: unknown[] = []
  for (const item of items.toSorted(() => Math.random() - 0.5)) {
    await remove(item).then(
      () => removed.push(item),
      (error: unknown) => failures.push(error),
    )
    if (failures.length === MOST_FAILURES) break
  }
  return { removed, failures }
}
