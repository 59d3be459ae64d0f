import { prepare } from '../../db/compiled-queries/prepare.ts'
import type { ReadDb } from '../../db/open.ts'
import type { UsersTable } from '../../db/schema.ts'
import { selectUserByLogin } from '../account/public.ts'

const withDevice = prepare((db, { login, device_hash }: { login: string; device_hash: string }) =>
  selectUserByLogin(db, login)
    .selectAll('users')
    .select((e) =>
      e
        .exists(
          e
            .selectFrom('known_devices')
            .select('known_devices.user_id')
            .where('known_devices.token_hash', '=', device_hash)
            .whereRef('known_devices.user_id', '=', 'users.id'),
        )
        .as('is_known'),
    ),
)

/** The user of a login (`loginKey`), and whether they have signed in with the browser of the device cookie before. */
export async function findUserWithDevice(
  db: ReadDb,
  login: string,
  device_hash: string | undefined,
): Promise<{ user: UsersTable | undefined; device: string | undefined }> {
  const found = await withDevice.first(db, { login, device_hash: device_hash ?? '' })
  if (!found) return { user: undefined, device: undefined }
  const { is_known, ...user } = found
  return { user, device: is_known ? device_hash : undefined }
}
