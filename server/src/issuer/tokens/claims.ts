import type { UsersTable } from '../../db/schema.ts'
import { fromFlag, fromJson } from '../../db/values.ts'

/** Claims of each scope (OpenID Connect Core §5.4). `groups` has no standard; its name is the one that most apps expect. */
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
  groups: ['groups'],
} as const satisfies Record<string, readonly string[]>

export type Claims = { sub: string; [claim: string]: unknown }

/** Names of the claims that the scopes contain (OpenID Connect Core §5.4). */
export function claimsOfScopes(scopes: readonly string[]): string[] {
  const names: string[] = []
  for (const scope of scopes)
    if (Object.hasOwn(SCOPE_CLAIMS, scope)) names.push(...SCOPE_CLAIMS[scope as keyof typeof SCOPE_CLAIMS])
  return names
}

/** Scopes that contain the claims; consent to single claims is consent to these scopes (OpenID Connect Core §5.5). */
export function scopesOfClaims(names: readonly string[]): string[] {
  const containing = Object.entries(SCOPE_CLAIMS).filter(([, claims]) => claims.some((claim) => names.includes(claim)))
  return containing.map(([scope]) => scope)
}

/** Columns of a user that become claims; the groups come from `currentGroups`. */
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
export type ClaimsRow = Pick<UsersTable, (typeof CLAIM_COLUMNS)[number] | 'groups'>

/** Value of each claim of a user (OpenID Connect Core §5.1). */
const CLAIMS: Record<string, (user: ClaimsRow, url: string) => unknown> = {
  sub: (user) => user.id,
  name: (user) => [user.first_name, user.last_name].filter(Boolean).join(' '),
  given_name: (user) => user.first_name,
  family_name: (user) => user.last_name,
  preferred_username: (user) => user.username,
  picture: (user, url) => pictureUrl(user.profile_picture, url),
  gender: (user) => user.gender,
  birthdate: (user) => user.birth_date,
  locale: (user) => fromJson<string[]>(user.language)[0],
  updated_at: (user) => Math.floor(Date.parse(user.updated_at) / 1000),
  allow_personalized_ads: (user) => fromFlag(user.allow_personalized_ads),
  email: (user) => user.email,
  email_verified: (user) => user.email_verified_at !== null,
  phone_number: (user) => user.phone_number,
  // Phone numbers are not verified.
  phone_number_verified: (user) => (user.phone_number ? false : undefined),
  // An empty list means that the user has none.
  groups: (user) => fromJson<string[]>(user.groups),
  address: (user) => (user.country_code ? { country: user.country_code } : undefined),
}

/** Returns the named claims, or all; claims without a value are left out. */
export function claimsOf(user: ClaimsRow, url: string, names: Iterable<string> = Object.keys(CLAIMS)): Claims {
  const claims: Claims = { sub: user.id }
  for (const name of names) {
    const value = Object.hasOwn(CLAIMS, name) ? CLAIMS[name]?.(user, url) : undefined
    if (value != null && value !== '') claims[name] = value
  }
  return claims
}

/** A file name becomes the URL of our media; a full URL stays. */
function pictureUrl(picture: string | null, url: string): string | null {
  if (!picture) return null
  return picture.includes('://') ? picture : `${url}/v1/media/${encodeURIComponent(picture)}`
}
