import type { Db, ReadDb } from '../../db/open.ts'
import type { BrandingTable } from '../../db/schema.ts'

export type BrandingRow = BrandingTable

/** The one row. */
const ID = 'installation'

export async function findBranding(db: ReadDb): Promise<BrandingRow | undefined> {
  return await db.selectFrom('branding').selectAll().where('id', '=', ID).executeTakeFirst()
}

/** Locks the row until the transaction ends; inserts it when it is missing. */
export async function selectBrandingForUpdate(db: Db, delivered: Omit<BrandingRow, 'id'>): Promise<BrandingRow> {
  await db
    .insertInto('branding')
    .values({ id: ID, ...delivered })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  return await db.selectFrom('branding').selectAll().where('id', '=', ID).forUpdate().executeTakeFirstOrThrow()
}

export async function updateBrandingRow(db: Db, changes: Partial<Omit<BrandingRow, 'id'>>): Promise<void> {
  await db.updateTable('branding').set(changes).where('id', '=', ID).execute()
}
