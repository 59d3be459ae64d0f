/** Ids or rows of one statement: SQLite accepts 32,766 values and PostgreSQL 65,535. */
const BATCH = 500

/** Splits ids or rows into lists that are short enough for a statement. */
export function batches<One>(all: readonly One[]): One[][] {
  const lists: One[][] = []
  for (let from = 0; from < all.length; from += BATCH) lists.push(all.slice(from, from + BATCH))
  return lists
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
