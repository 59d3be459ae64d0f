import { prepare } from '../../../db/compiled-queries/prepare.ts'
import type { Db, Guard, ReadDb, Statement } from '../../../db/open.ts'
import type { KnownDevicesTable } from '../../../db/tables/sessions.ts'

const device = prepare((db, { token_hash, user_id }: { token_hash: string; user_id: string }) =>
  db
    .selectFrom('known_devices')
    .select('unknown_since')
    .where('token_hash', '=', token_hash)
    .where('user_id', '=', user_id),
)

/** Undefined when the user has not signed in with this browser. */
export async function findDevice(
  db: ReadDb,
  token_hash: string,
  user_id: string,
): Promise<Pick<KnownDevicesTable, 'unknown_since'> | undefined> {
  return await device.first(db, { token_hash, user_id })
}

type UsedDevice = Omit<KnownDevicesTable, 'created_at' | 'last_used_at'> & { now: string }

const usedDevice = prepare((db, { token_hash, user_id, device_id, unknown_since, now }: UsedDevice) =>
  db
    .insertInto('known_devices')
    .values({ token_hash, user_id, device_id, unknown_since, created_at: now, last_used_at: now })
    .onConflict((c) => c.columns(['token_hash', 'user_id']).doUpdateSet({ device_id, last_used_at: now })),
)

/** For a known browser, `unknown_since` stays. */
export async function upsertDevice(db: Db, used: UsedDevice): Promise<void> {
  await usedDevice.changed(db, used)
}

/** `upsertDevice` as a statement of `GuardedWrites`. */
export function deviceStatement(used: UsedDevice): Statement {
  return usedDevice.with(used)
}

export async function updateRecognized(db: Db, user_id: string, device_id: string): Promise<void> {
  await db
    .updateTable('known_devices')
    .set({ unknown_since: null })
    .where('user_id', '=', user_id)
    .where('device_id', '=', device_id)
    .execute()
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
