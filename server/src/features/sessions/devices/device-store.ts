import { prepare } from '../../../db/compiled-queries/prepare.ts'
import type { Db, Guard, ReadDb, Statement } from '../../../db/open.ts'

const device = prepare((db, { token_hash, user_id }: { token_hash: string; user_id: string }) =>
  db
    .selectFrom('known_devices')
    .select('last_used_at')
    .where('token_hash', '=', token_hash)
    .where('user_id', '=', user_id),
)

/** Returns the time of the last sign-in of the user with this browser. */
export async function findDevice(db: ReadDb, token_hash: string, user_id: string): Promise<string | undefined> {
  return (await device.first(db, { token_hash, user_id }))?.last_used_at
}

const usedDevice = prepare((db, { token_hash, user_id, now }: { token_hash: string; user_id: string; now: string }) =>
  db
    .insertInto('known_devices')
    .values({ token_hash, user_id, created_at: now, last_used_at: now })
    .onConflict((c) => c.columns(['token_hash', 'user_id']).doUpdateSet({ last_used_at: now })),
)

export async function upsertDevice(db: Db, token_hash: string, user_id: string, now: string): Promise<void> {
  await usedDevice.changed(db, { token_hash, user_id, now })
}

/** `upsertDevice` as a statement of `GuardedWrites`. */
export function deviceStatement(token_hash: string, user_id: string, now: string): Statement {
  return usedDevice.with({ token_hash, user_id, now })
}

const usedKnownDevice = prepare(
  (db, { token_hash, user_id, now }: { token_hash: string; user_id: string; now: string }) =>
    db
      .updateTable('known_devices')
      .set({ last_used_at: now })
      .where('token_hash', '=', token_hash)
      .where('user_id', '=', user_id),
)

/** Writes the last use of a known device. Holds unless it has been deleted meanwhile. */
export function knownDeviceGuard(token_hash: string, user_id: string, now: string): Guard {
  return { statement: usedKnownDevice.with({ token_hash, user_id, now }), changes: true }
}

/** Users who have signed in with this browser, the latest first. */
export async function listUsers(db: ReadDb, token_hash: string): Promise<string[]> {
  const rows = await db
    .selectFrom('known_devices')
    .select('user_id')
    .where('token_hash', '=', token_hash)
    .orderBy('last_used_at', 'desc')
    .limit(10)
    .execute()
  return rows.map(({ user_id }) => user_id)
}

export async function deleteDevice(db: Db, token_hash: string, user_id: string): Promise<void> {
  await db.deleteFrom('known_devices').where('token_hash', '=', token_hash).where('user_id', '=', user_id).execute()
}

/** Deletes the devices of the user except the one with the hash `except`. */
export async function deleteDevicesOfUser(db: Db, user_id: string, except: string | null): Promise<void> {
  await db
    .deleteFrom('known_devices')
    .where('user_id', '=', user_id)
    .where('token_hash', '!=', except ?? '')
    .execute()
}

type OldDevices = { user_id: string; token_hash: string; others: number }

const oldDevicesOut = prepare((db, { user_id, token_hash, others }: OldDevices) =>
  db
    .deleteFrom('known_devices')
    .where('user_id', '=', user_id)
    .where('token_hash', 'in', (read) =>
      read
        .selectFrom('known_devices')
        .select('token_hash')
        .where('user_id', '=', user_id)
        .where('token_hash', '!=', token_hash)
        .orderBy('last_used_at', 'desc')
        .orderBy('token_hash')
        .limit(100)
        .offset(others),
    ),
)

/** Deletes all devices of the user but this one and the `others` most recently used ones. */
export async function deleteOldDevices(db: Db, old: OldDevices): Promise<void> {
  await oldDevicesOut.changed(db, old)
}

/** `deleteOldDevices` as a statement of `GuardedWrites`. */
export function oldDevicesStatement(old: OldDevices): Statement {
  return oldDevicesOut.with(old)
}

/** Names of the devices of the user, by id. */
export async function findDeviceNames(db: ReadDb, user_id: string): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('device_names')
    .select(['device_id', 'name'])
    .where('user_id', '=', user_id)
    .execute()
  return new Map(rows.map(({ device_id, name }) => [device_id, name]))
}

export async function upsertDeviceName(db: Db, user_id: string, device_id: string, name: string): Promise<void> {
  await db
    .insertInto('device_names')
    .values({ user_id, device_id, name })
    .onConflict((c) => c.columns(['user_id', 'device_id']).doUpdateSet({ name }))
    .execute()
}

export async function deleteDeviceName(db: Db, user_id: string, device_id: string): Promise<void> {
  await db.deleteFrom('device_names').where('user_id', '=', user_id).where('device_id', '=', device_id).execute()
}
