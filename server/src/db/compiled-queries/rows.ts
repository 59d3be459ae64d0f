/** A row of an answer by the names of its columns. */
type Row = Record<string, unknown>

/** Makes an object of the values of a row, which are in the order of the columns. */
export type ToRow = (values: readonly unknown[]) => Row

/** Rows of a statement before a function is made for them, which takes as long as some two hundred rows. */
export const MADE_AFTER = 200

/**
 * Returns what makes an object of the values of a row. The first rows of a statement are filled in a loop, in which V8 looks each name up; for a statement
 * that runs often it makes a function with the names in it, which takes a seventh of the time and gives all rows one shape (decision 0009).
 */
export function rowsWith(columns: readonly string[]): ToRow {
  let left = MADE_AFTER
  let made: ToRow | undefined
  return (values) => {
    if (made) return made(values)
    left -= 1
    if (left === 0) {
      const properties = columns.map((name, i) => `${JSON.stringify(name)}: values[${i}]`)
      made = new Function('values', `return { ${properties} }`) as ToRow
    }
    const row: Row = {}
    for (const [i, name] of columns.entries()) row[name] = values[i]
    return row
  }
}
