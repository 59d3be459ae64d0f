import type { Db } from '../../db/open.ts'
import type { AppDeps } from '../../deps.ts'
import { deleteTokensByHash } from '../tokens/store.ts'

/** A commit whose outcome is unknown. Its tokens were not sent. */
export interface UnknownCommit {
  /** Hashes of the tokens that it creates. */
  created: readonly string[]
  /** Consumed codes and tokens, by hash; the functions make them usable again. */
  restores: ReadonlyMap<string, (db: Db) => Promise<void>>
}

/** Commits that are remembered, and milliseconds between two looks at them. */
const MOST = 10_000
const INTERVAL = 1000
/** Looks that find nothing before a commit is forgotten: a database that was paused carries out statements late. */
const LOOKS = 30

/**
 * Commits of this process whose outcome is not known (decision 0035). The client was told to repeat its request, and the code or refresh
 * token that it sends again must not count as used twice. So a commit that took place is undone: at the repeated request, or before it,
 * because the client may repeat it at another server.
 */
export class UnknownCommits {
  readonly #deps: Pick<AppDeps, 'transaction'>
  /** The commits that consume a code or token, with the looks that have found nothing. */
  readonly #commits = new Map<string, { commit: UnknownCommit; looks: number }>()
  #timer: NodeJS.Timeout | undefined

  constructor(deps: Pick<AppDeps, 'transaction'>) {
    this.#deps = deps
  }

  add(commit: UnknownCommit): void {
    for (const hash of commit.restores.keys()) {
      if (this.#commits.size >= MOST) this.#commits.delete(this.#commits.keys().next().value ?? '')
      this.#commits.set(hash, { commit, looks: 0 })
    }
    this.#lookLater()
  }

  /** Finds a code or token by its hash; again when it was consumed by one of these commits, which is undone. */
  async find<Row>(
    hash: string,
    find: (hash: string) => Promise<Row | undefined>,
    isConsumed: (row: Row) => boolean,
  ): Promise<Row | undefined> {
    const isKnown = this.#commits.has(hash)
    const row = await find(hash)
    if (!row || !isConsumed(row)) return row
    // It may have been undone since it was read.
    return (await this.undo(hash)) || isKnown ? await find(hash) : row
  }

  /** Undoes the commit that has consumed a code or token, when it is one of these. Returns whether it was undone. */
  async undo(hash: string): Promise<boolean> {
    const known = this.#commits.get(hash)
    if (!known) return false
    const { created, restores } = known.commit
    const isUndone = await this.#deps.transaction(async ({ db }) => {
      // Tokens of a grant that has ended meanwhile are deleted, and the code or token consumed for them stays consumed.
      if ((await deleteTokensByHash(db, created)) === 0) return false
      for (const restore of restores.values()) await restore(db)
      return true
    })
    if (isUndone) for (const one of restores.keys()) this.#commits.delete(one)
    return isUndone
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#commits.clear()
  }

  #lookLater(): void {
    if (this.#commits.size === 0 || this.#timer !== undefined) return
    this.#timer = setTimeout(() => void this.#look(), INTERVAL).unref()
  }

  async #look(): Promise<void> {
    for (const [hash, known] of this.#commits) {
      const found = await this.undo(hash).catch(() => undefined)
      // The database does not answer yet.
      if (found === undefined) break
      known.looks += 1
      if (known.looks >= LOOKS) this.#commits.delete(hash)
    }
    this.#timer = undefined
    this.#lookLater()
  }
}
