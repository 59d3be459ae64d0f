import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ReadDb } from '../../db/open.ts'
import {
  findScopes,
  findScopesSignature,
  listScopeOwners,
  type ScopeOwner,
  STANDARD_SCOPES,
} from '../../features/scope-catalog/public.ts'
import type { Scopes } from '../tokens/resources.ts'

/** Rows of one read; other requests are served between two. */
const PAGE = 2000

/**
 * Every scope, in memory. oidc-provider holds `keys` and looks scopes up in it, so a change costs what it changes, however
 * many scopes there are, and needs no new provider.
 */
export class KnownScopes implements Scopes {
  /** Changed in place. */
  readonly keys: Set<string> = new Set(STANDARD_SCOPES)
  readonly #owners = new Map<string, string>()
  readonly #byOwner = new Map<string, Set<string>>()
  #newest = ''
  /** Reads run one after the other, so that the rows of an earlier read do not overwrite those of a later one. */
  #reading: Promise<unknown> = Promise.resolve()

  static async load(db: ReadDb): Promise<KnownScopes> {
    const known = new KnownScopes()
    await known.reload(db)
    return known
  }

  has(key: string): boolean {
    return this.keys.has(key)
  }

  get(key: string): string | undefined {
    return this.#owners.get(key)
  }

  definedBy(client_id: string): readonly string[] {
    return [...(this.#byOwner.get(client_id) ?? [])]
  }

  /** Reads scopes that were defined or removed. */
  refresh(db: ReadDb, keys: readonly string[]): Promise<void> {
    return this.#inOrder(async () => {
      const found = new Map((await findScopes(db, keys)).map((row) => [row.key, row]))
      for (const key of keys) this.#set(key, found.get(key))
    })
  }

  /** Reads all scopes, page by page. */
  reload(db: ReadDb): Promise<void> {
    return this.#inOrder(async () => {
      const missing = new Set(this.#owners.keys())
      let after: string | undefined
      do {
        const page = await listScopeOwners(db, { after, limit: PAGE })
        for (const row of page) {
          missing.delete(row.key)
          this.#set(row.key, row)
        }
        after = page.length < PAGE ? undefined : page.at(-1)?.key
        await nextTurn()
      } while (after !== undefined)
      for (const key of missing) this.#set(key, undefined)
    })
  }

  /** Reads all scopes if some were defined or removed without a signal. */
  async reloadIfChanged(db: ReadDb): Promise<void> {
    const { count, newest } = await findScopesSignature(db)
    if (count !== this.#owners.size || (newest ?? '') > this.#newest) await this.reload(db)
  }

  #inOrder(read: () => Promise<void>): Promise<void> {
    const done = this.#reading.then(read)
    this.#reading = done.catch(() => undefined)
    return done
  }

  #set(key: string, row: ScopeOwner | undefined): void {
    const before = this.#owners.get(key)
    if (before !== undefined && before !== row?.client_id) {
      const others = this.#byOwner.get(before)
      others?.delete(key)
      if (others?.size === 0) this.#byOwner.delete(before)
    }
    if (!row) {
      // A row that does not exist may still name a scope of the product.
      if (this.#owners.delete(key)) this.keys.delete(key)
      return
    }
    this.keys.add(key)
    this.#owners.set(key, row.client_id)
    const own = this.#byOwner.get(row.client_id) ?? new Set()
    this.#byOwner.set(row.client_id, own.add(key))
    if (row.created_at > this.#newest) this.#newest = row.created_at
  }
}
