import type { Store } from '../../src/db/open.ts'

type Row = Awaited<ReturnType<typeof readKeys>>[number]

let kept: Row[] = []

/**
 * Gives a new database the signing keys that the first test server of this process has generated. Generating RSA keys takes
 * as long as everything else at the start of a server.
 */
export async function insertKeptSigningKeys({ db }: Store): Promise<void> {
  if (kept.length === 0 || (await readKeys(db)).length > 0) return
  await db.insertInto('signing_keys').values(kept).execute()
}

/** Keeps the signing keys of the first test server, once it has started. */
export async function keepSigningKeys({ db }: Store): Promise<void> {
  if (kept.length === 0) kept = await readKeys(db)
}

function readKeys(db: Store['db']) {
  return db.selectFrom('signing_keys').selectAll().execute()
}
