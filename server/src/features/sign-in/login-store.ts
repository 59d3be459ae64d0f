import { prepare } from '../../db/compiled-queries/prepare.ts'
import type { ReadDb } from '../../db/open.ts'
import { selectUserByLogin, type User } from '../account/public.ts'

/** What a sign-in by password needs of the account (decision 0009: frequent reads name their columns). */
export type SignInUser = Pick<
  User,
  'id' | 'email' | 'email_verified_at' | 'first_name' | 'language' | 'password_hash' | 'token_generation'
>

const withDevice = prepare((db, { login, device_hash }: { login: string; device_hash: string }) =>
  selectUserByLogin(db, login)
    .select([
      'users.id',
      'users.email',
      'users.email_verified_at',
      'users.first_name',
      'users.language',
      'users.password_hash',
      'users.token_generation',
    ])
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
): Promise<{ user: SignInUser | undefined; device: string | undefined }> {
  const found = await withDevice.first(db, { login, device_hash: device_hash ?? '' })
  if (!found) return { user: undefined, device: undefined }
  const { is_known, ...user } = found
  return { user, device: is_known ? device_hash : undefined }
}
