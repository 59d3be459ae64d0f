import type { UsersTable } from '../db/schema.ts'
import { fromFlag, fromJson } from '../db/values.ts'

/** What each scope lets an app know (OpenID Connect Core §5.4). */
export const SCOPE_CLAIMS = {
  openid: ['sub'],
  profile: [
    'name',
    'given_name',
    'family_name',
    'preferred_username',
    'picture',
    'gender',
    'birthdate',
    'locale',
    'updated_at',
    'allow_personalized_ads',
  ],
  email: ['email', 'email_verified'],
  phone: ['phone_number', 'phone_number_verified'],
  address: ['address'],
} as const satisfies Record<string, readonly string[]>

export type Claims = { sub: string; [claim: string]: unknown }

export function claimsOfScopes(scopes: readonly string[]): string[] {
  return scopes.flatMap((scope) =>
    Object.hasOwn(SCOPE_CLAIMS, scope) ? [...SCOPE_CLAIMS[scope as keyof typeof SCOPE_CLAIMS]] : [],
  )
}

/** Columns of an account that become claims. */
export const CLAIM_COLUMNS = [
  'id',
  'email',
  'email_verified_at',
  'username',
  'first_name',
  'last_name',
  'profile_picture',
  'phone_number',
  'birth_date',
  'country_code',
  'gender',
  'language',
  'allow_personalized_ads',
  'updated_at',
] as const satisfies readonly (keyof UsersTable)[]
export type ClaimsRow = Pick<UsersTable, (typeof CLAIM_COLUMNS)[number]>

/** All standard claims of a person; what they did not tell is left out (OpenID Connect Core §5.1). */
export function claimsOf(user: ClaimsRow, url: string): Claims {
  const name = [user.first_name, user.last_name].filter(Boolean).join(' ')
  return present({
    sub: user.id,
    name,
    given_name: user.first_name,
    family_name: user.last_name,
    preferred_username: user.username,
    picture: pictureUrl(user.profile_picture, url),
    gender: user.gender,
    birthdate: user.birth_date,
    locale: fromJson<string[]>(user.language)[0],
    updated_at: Math.floor(Date.parse(user.updated_at) / 1000),
    allow_personalized_ads: fromFlag(user.allow_personalized_ads),
    email: user.email,
    email_verified: user.email_verified_at !== null,
    phone_number: user.phone_number,
    // Nobody has checked it yet.
    phone_number_verified: user.phone_number ? false : undefined,
    address: user.country_code ? { country: user.country_code } : undefined,
  })
}

/** A bare file name is one of our own media; a full URL is left as it is (specification §3, "Profile picture"). */
function pictureUrl(picture: string | null, url: string): string | null {
  if (!picture) return null
  return picture.includes('://') ? picture : `${url}/v1/media/${encodeURIComponent(picture)}`
}

function present(claims: Record<string, unknown>): Claims {
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value != null && value !== '')) as Claims
}

/** Those claims that the scopes, and the `claims` parameter within them, let an app see. */
export function select(claims: Claims, granted: readonly string[], asked: readonly string[]): Claims {
  const shown = new Set(['sub', ...asked.filter((claim) => granted.includes(claim))])
  return Object.fromEntries(Object.entries(claims).filter(([claim]) => shown.has(claim))) as Claims
}
