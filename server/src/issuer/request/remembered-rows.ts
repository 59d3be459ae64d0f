import type { SqlBool } from 'kysely'

/** Maximum number of rows; about one for each person who is signing in, and the newest refresh tokens. */
const PLACES = 512
/** Longest row, in bytes of JSON. Nearly all have half of it. */
const LONGEST = 2048

/**
 * Rows that this server has just read or written, for the next request that would read them: the session of an authorization request, its code,
 * and the refresh token. A row is only used together with a guard that compares it with the database (`prepareUnchanged`), so it may be
 * outdated, also by another server, but never wrong (decision 0097).
 *
 * Each key has one place, which the newest row takes. They are text outside of the heap of V8: objects that live for seconds
 * would move to its old generation, whose collections stop all requests (decision 0130).
 */
export class RememberedRows {
  #bytes: Buffer | undefined
  readonly #lengths = new Uint16Array(PLACES)

  /**
   * A row of strings, numbers, booleans and null. One that is too long is not remembered, nor one with `changing`: it was read as it is now, and
   * the guard compares what is stored (decision 0092).
   */
  put(key: string, row: { changing: SqlBool }): void {
    const place = placeOf(key)
    const text = JSON.stringify([key, row])
    this.#bytes ??= Buffer.allocUnsafeSlow(PLACES * LONGEST)
    const fits = !row.changing && Buffer.byteLength(text) <= LONGEST
    this.#lengths[place] = fits ? this.#bytes.write(text, place * LONGEST) : 0
  }

  /** Returns a row and forgets it, so that it is used once until it is put again. */
  take<Row>(key: string): Row | undefined {
    const place = placeOf(key)
    const length = this.#lengths[place] ?? 0
    if (length === 0 || !this.#bytes) return undefined
    const start = place * LONGEST
    const [found, row] = JSON.parse(this.#bytes.toString('utf8', start, start + length)) as [string, Row]
    if (found !== key) return undefined
    this.#lengths[place] = 0
    this.#bytes.fill(0, start, start + length)
    return row
  }
}

/** The slot of a key, from its end, which is a part of a hash and so is random. */
function placeOf(key: string): number {
  let place = 0
  for (let i = Math.max(0, key.length - 6); i < key.length; i += 1) place = (place * 31 + key.charCodeAt(i)) % 65_536
  return place % PLACES
}
