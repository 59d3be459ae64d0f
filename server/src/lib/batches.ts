/** Ids of one statement: SQLite accepts 32,766 values and PostgreSQL 65,535. */
const BATCH = 500

/** Splits ids into lists that are short enough for a statement. */
export function batches(ids: readonly string[]): string[][] {
  const all: string[][] = []
  for (let from = 0; from < ids.length; from += BATCH) all.push(ids.slice(from, from + BATCH))
  return all
}

/** Reads rows of many ids, one statement after the other; none for no ids. */
export async function inBatches<Row>(
  ids: readonly string[],
  read: (some: readonly string[]) => Promise<Row[]>,
): Promise<Row[]> {
  const all: Row[] = []
  for (const some of batches(ids)) for (const row of await read(some)) all.push(row)
  return all
}
