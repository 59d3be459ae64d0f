/** Ids of one statement. */
const BATCH = 500

/** Splits ids into lists that are short enough for a statement. */
export function batches(ids: readonly string[]): string[][] {
  const all: string[][] = []
  for (let from = 0; from < ids.length; from += BATCH) all.push(ids.slice(from, from + BATCH))
  return all
}
