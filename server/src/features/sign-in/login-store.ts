import { prepare } from '../../db/compiled-queries/prepare.ts'
import type { ReadDb } from '../../db/open.ts'
import { hasLogin, selectUserInfo } from '../account/public.ts'

const byLogin = prepare((db, { login, device_hash }: { login: string; device_hash: string }) =>
  selectUserInfo(db)
    .where(hasLogin(login))
    .select('users.token_generation')
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

/** The account as a sign-in by password finds it. */
export type SignInUser = Awaited<ReturnType<typeof byLogin.rows>>[number]

/**
 * The user of a login (`loginKey`), whether they have signed in with the browser of the device cookie before, and the rows of their user info
 * (`userInfoOf`), which the answer has if nothing is in the way.
 */
export async function findUserWithDevice(
  db: ReadDb,
  login: string,
  device_hash: string | undefined,
): Promise<{ user: SignInUser | undefined; info: readonly SignInUser[]; device: string | undefined }> {
  const info = await byLogin.rows(db, { login, device_hash: device_hash ?? '' })
  const [user] = info
  return { user, info, device: user?.is_known ? device_hash : undefined }
}
