import { sql } from 'kysely'
import { prepare } from '../../db/compiled-queries/prepare.ts'
import type { ReadDb } from '../../db/open.ts'

/**
 * The columns of user info, once for each developer account, sorted by name; once without one. The caller adds which user, and may join
 * what it reads besides.
 */
export function selectUserInfo(db: ReadDb) {
  return db
    .selectFrom('users')
    .leftJoin('otp_seeds', 'otp_seeds.user_id', 'users.id')
    .leftJoin('operators', 'operators.user_id', 'users.id')
    .leftJoin('members', 'members.user_id', 'users.id')
    .leftJoin('developers', 'developers.id', 'members.developer_id')
    .select([
      'users.id',
      'users.first_name',
      'users.last_name',
      'users.profile_picture',
      'users.username',
      'users.email',
      'users.email_verified_at',
      'users.pending_email',
      'users.password_hash',
      'users.password_updated_at',
      'users.phone_number',
      'users.birth_date',
      'users.country_code',
      'users.gender',
      'users.language',
      'users.allow_personalized_ads',
      'users.allow_details_on_login',
      'users.allow_qr_sign_in',
      'users.passkey_offered_at',
      'users.created_at',
      'otp_seeds.enabled_at as otp_enabled_at',
      'operators.role as operator_role',
      'developers.id as developer_id',
      'developers.name as developer_name',
      'developers.logo',
      'developers.approval',
      'developers.approval_reason',
      'members.permission',
    ])
    .select((e) => [
      e
        .selectFrom('recovery_codes')
        .select((c) => c.fn.countAll<number>().as('count'))
        .whereRef('recovery_codes.user_id', '=', 'users.id')
        .$asScalar()
        .$notNull()
        .as('recovery_codes_left'),
      e
        .selectFrom('passkeys')
        .select((c) => c.fn.countAll<number>().as('count'))
        .whereRef('passkeys.user_id', '=', 'users.id')
        .$asScalar()
        .$notNull()
        .as('passkeys'),
    ])
    .orderBy(sql`lower(developers.name)`)
    .orderBy('developers.id')
}

const rows = prepare((db, { id }: { id: string }) => selectUserInfo(db).where('users.id', '=', id))

export type UserInfoRow = Awaited<ReturnType<typeof rows.rows>>[number]

/** The account with its second factors and role: a row for each developer account, sorted by name; one row without any. */
export async function listUserInfo(db: ReadDb, id: string): Promise<UserInfoRow[]> {
  return await rows.rows(db, { id })
}
