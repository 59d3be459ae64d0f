import type { ReadDb } from '../../db/open.ts'
import { prepareForLogin, selectUserInfo } from '../account/public.ts'

const byLogin = prepareForLogin((db, { login, device_hash }: { login: string; device_hash: string }, column) =>
  selectUserInfo(db)
    .leftJoin('known_devices', (join) =>
      join.onRef('known_devices.user_id', '=', 'users.id').on('known_devices.token_hash', '=', device_hash),
    )
    .where(column, '=', login)
    .select(['users.token_generation', 'users.session_generation'])
    .select(['known_devices.token_hash as known_device', 'known_devices.unknown_since as browser_unknown_since']),
)

/** The account as a sign-in by password finds it. */
export type SignInUser = Awaited<ReturnType<ReturnType<typeof byLogin>['rows']>>[number]

/**
 * The user of a login (`loginKey`), whether they have signed in with the browser of the device cookie before, and the rows of their user info
 * (`userInfoOf`), which the answer has if nothing is in the way.
 */
export async function findUserWithDevice(
  db: ReadDb,
  login: string,
  device_hash: string | undefined,
): Promise<{ user: SignInUser | undefined; info: readonly SignInUser[]; device: string | undefined }> {
  const params = { login, device_hash: device_hash ?? '' }
  const info = await byLogin(params).rows(db, params)
  const [user] = info
  return { user, info, device: user?.known_device ?? undefined }
}
