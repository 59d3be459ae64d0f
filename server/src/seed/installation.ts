import { createHash } from 'node:crypto'
import type {
  AccountTermsTable,
  ActivitiesTable,
  ClientsTable,
  ConnectionsTable,
  DevelopersTable,
  DeveloperUsersTable,
  MembersTable,
  RedirectUrisTable,
  SessionClientsTable,
  SessionsTable,
  TokensTable,
  UsersTable,
  UserTermsTable,
} from '../db/schema.ts'
import { folded } from '../db/search-text.ts'
import { timeAfter, toJson, toTime } from '../db/values.ts'
import { accountTerms } from '../features/account/public.ts'
import { newClientRow } from '../features/clients/public.ts'
import { APPROVED } from '../features/developers/public.ts'

/** How much is created; the numbers are per person except the first two. */
export type Amounts = {
  users: number
  apps: number
  sessions: number
  connections: number
  tokens: number
  activities: number
}

export type SeedInput = {
  amounts: Amounts
  now: Date
  /** Of every person. */
  passwordHash: string
  /** Of every app. */
  clientSecret: { secret_hash: string; secret_hint: string; secret_created_at: string }
  redirectUri: string
  /** Random; the refresh token with number `n` is `seedToken(key, n)`. */
  key: string
}

const FIRST = ['Ana', 'Bor', 'Cvetka', 'Drago', 'Eva', 'Filip', 'Gaja', 'Hana', 'Ivan', 'Jana']
const LAST = ['Kovač', 'Horvat', 'Zajc', 'Novak', 'Babić', 'Potočnik', 'Jurić', 'Golob', 'Marić', 'Vidmar']
const SCOPES = ['openid', 'profile', 'email']
const DAY = 24 * 60 * 60

/** A refresh token: 43 characters, as those that are issued. */
export function seedToken(key: string, n: number): string {
  return sha256(`${key} ${n}`)
}

/** The session cookie of a session of a person. */
export function seedSession(key: string, person: number, n: number): string {
  return `${key} session ${person} ${n}`
}

/** The app of a connection of a person; an app of each tenth of the apps, so that popular and rare apps exist. */
export function seedClient({ apps }: Pick<Amounts, 'apps'>, person: number, n: number): string {
  return `vrt_seed${(person + n * 7) % apps}`
}

/** Ids of a person, and of the person in the list of an organization's users. */
export const seedIds = { user: (n: number) => id(2, n), developerUser: (n: number) => id(5, n) }

/** Email address of a person. */
export function seedEmail(n: number): string {
  return `person${n}@seed.example`
}

/** Rows by table, each computed from its number, so that nothing is held in memory. References need not be in order. */
export function seedRows({ amounts, now, passwordHash, clientSecret, redirectUri, key }: SeedInput) {
  const at = toTime(now)
  const developer_id = id(1, 0)
  const clientId = (n: number) => `vrt_seed${n}`
  const connectionId = (person: number, n: number) => id(4, person * amounts.connections + n)
  const sessionId = (person: number, n: number) => id(3, person * amounts.sessions + n)
  const nameOf = (n: number) => ({
    first_name: FIRST[n % FIRST.length] as string,
    // Some hundred people of each name; the number makes some searches find one person.
    last_name: `${LAST[Math.floor(n / FIRST.length) % LAST.length]}-${n}`,
  })
  const sortName = (n: number) => {
    const { first_name, last_name } = nameOf(n)
    return folded(`${first_name} ${last_name}`)
  }
  const appOf = (person: number, n: number) => seedClient(amounts, person, n)
  const device = { os: 'Linux', browser: 'Firefox', location: null }
  const addressOf = (person: number) => `10.${(person >> 16) & 255}.${(person >> 8) & 255}.${person & 255}`

  const user = (n: number): UsersTable => ({
    id: id(2, n),
    email: seedEmail(n),
    email_verified_at: at,
    pending_email: null,
    username: null,
    username_key: null,
    password_hash: passwordHash,
    password_updated_at: at,
    ...nameOf(n),
    profile_picture: null,
    phone_number: null,
    birth_date: null,
    country_code: null,
    gender: null,
    language: toJson(['en-US']),
    allow_personalized_ads: 0,
    allow_details_on_login: 1,
    allow_qr_sign_in: 1,
    passkey_offered_at: at,
    created_at: at,
    updated_at: at,
    disabled_at: null,
    disabled_reason: null,
    token_generation: 0,
    session_generation: null,
    groups: '[]',
  })
  const session = (person: number, n: number): SessionsTable => ({
    id: sessionId(person, n),
    user_id: id(2, person),
    token_hash: sha256(seedSession(key, person, n)),
    previous_hash: null,
    previous_until: null,
    access_hash: sha256(`${key} access ${person} ${n}`),
    access_until: at,
    authenticated_at: at,
    reauthenticated_at: null,
    methods: toJson(['pwd']),
    ...device,
    ip: addressOf(person),
    developer_id: null,
    created_at: at,
    last_seen_at: at,
    idle_until: timeAfter(now, 30 * DAY),
    expires_at: timeAfter(now, 90 * DAY),
    ended_at: null,
    generation: null,
    unknown_since: null,
    device_id: sha256(`${key} device ${person} ${n}`).slice(0, 22),
    next_step: null,
  })
  const connection = (person: number, n: number): ConnectionsTable => ({
    id: connectionId(person, n),
    user_id: id(2, person),
    client_id: appOf(person, n),
    scopes: toJson(SCOPES),
    declined: toJson([]),
    created_at: at,
    updated_at: at,
    last_used_at: at,
    blocked_at: null,
    access_lost_at: null,
    sort_name: sortName(person),
  })
  const token = (person: number, n: number): TokensTable => {
    const connection_id = connectionId(person, n % amounts.connections)
    const session_id = sessionId(person, n % amounts.sessions)
    const refresh = { gty: 'authorization_code', rotations: 0, scope: SCOPES.join(' '), iiat: at }
    const sign_in = { acr: '1', amr: ['pwd'], authTime: Math.floor(now.getTime() / 1000), expiresWithSession: true }
    return {
      token_hash: sha256(seedToken(key, person * amounts.tokens + n)),
      kind: 'RefreshToken',
      connection_id,
      session_id,
      client_id: appOf(person, n % amounts.connections),
      user_id: id(2, person),
      grant_id: `${connection_id}.${session_id}`,
      payload: toJson({ ...sign_in, ...refresh }),
      created_at: at,
      expires_at: timeAfter(now, 30 * DAY),
      consumed_at: null,
    }
  }
  const activity = (person: number, n: number): ActivitiesTable => ({
    id: id(6, person * amounts.activities + n),
    user_id: id(2, person),
    type: n === 0 ? 'CREATED_ACCOUNT' : 'LOGGED_IN_TO_APP',
    created_at: at,
    session_id: sessionId(person, n % amounts.sessions),
    ...device,
    ip: addressOf(person),
    client_id: n === 0 ? null : appOf(person, n % amounts.connections),
    scopes: null,
    acting_client_id: null,
    binding_message: null,
  })
  const sessionClients = (person: number): SessionClientsTable[] => {
    const signIns = Array.from({ length: amounts.activities }, (_, n) => activity(person, n))
    const rows = signIns.flatMap(({ session_id, client_id }) =>
      session_id && client_id ? [{ session_id, client_id, signed_in_at: at }] : [],
    )
    return [...new Map(rows.map((row) => [`${row.session_id} ${row.client_id}`, row])).values()]
  }
  const developerUser = (n: number): DeveloperUsersTable => {
    return { developer_id, user_id: id(2, n), id: id(5, n), blocked_at: null, sort_name: sortName(n) }
  }
  const userTerms = (n: number): UserTermsTable[] => {
    const { first_name, last_name } = nameOf(n)
    return [first_name, last_name, seedEmail(n)].map((text) => ({
      developer_id,
      user_id: id(2, n),
      term: folded(text),
    }))
  }
  const terms = (n: number): AccountTermsTable[] => accountTerms(user(n)).map((term) => ({ term, user_id: id(2, n) }))
  const authentication = {
    require_client_secret: 1,
    token_endpoint_auth_method: 'client_secret_basic',
    ...clientSecret,
  } as const
  const client = (n: number): ClientsTable => ({
    ...newClientRow({ client_id: clientId(n), developer_id, name: `App ${n}`, type: 'web' }, authentication, now),
    first_sign_in_at: at,
  })
  const organization: DevelopersTable = {
    id: developer_id,
    name: 'Seed',
    logo: null,
    website: null,
    description: null,
    company: null,
    created_at: at,
    enabled: 1,
    verified: 0,
    limits: null,
    search: folded('Seed'),
    deleted_at: null,
    ...APPROVED,
  }
  const owner: MembersTable = { id: id(7, 0), developer_id, user_id: id(2, 0), permission: 'owner', joined_at: at }
  const uri = (n: number): RedirectUrisTable => ({ client_id: clientId(n), redirect_uri: redirectUri, created_at: at })

  const { users, apps, sessions, connections, tokens, activities } = amounts
  return {
    developers: () => [organization],
    users: () => each(users, user),
    members: () => [owner],
    clients: () => each(apps, client),
    redirect_uris: () => each(apps, uri),
    account_terms: () => eachOf(users, terms),
    sessions: () => eachPair(users, sessions, session),
    session_clients: () => eachOf(users, sessionClients),
    connections: () => eachPair(users, connections, connection),
    developer_users: () => each(connections > 0 ? users : 0, developerUser),
    user_terms: () => eachOf(connections > 0 ? users : 0, userTerms),
    tokens: () => eachPair(users, tokens, token),
    activities: () => eachPair(users, activities, activity),
  } satisfies Record<string, () => Iterable<object>>
}

function* each<T>(count: number, row: (n: number) => T): Generator<T> {
  for (let n = 0; n < count; n += 1) yield row(n)
}

function* eachOf<T>(count: number, rows: (n: number) => T[]): Generator<T> {
  for (let n = 0; n < count; n += 1) yield* rows(n)
}

function* eachPair<T>(people: number, count: number, row: (person: number, n: number) => T): Generator<T> {
  for (let person = 0; person < people; person += 1) for (let n = 0; n < count; n += 1) yield row(person, n)
}

/** A UUIDv7 of 19 August 2025 whose kind and number sort. */
function id(kind: number, n: number): string {
  return `0198c000-${kind.toString(16).padStart(4, '0')}-7000-8000-${n.toString(16).padStart(12, '0')}`
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
