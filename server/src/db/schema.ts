import type { AccountTables } from './tables/account.ts'
import type { ClientTables } from './tables/clients.ts'
import type { ConnectionTables } from './tables/connections.ts'
import type { DeveloperTables } from './tables/developers.ts'
import type { InstallationTables } from './tables/installation.ts'
import type { IssuerTables } from './tables/issuer.ts'
import type { SecurityTables } from './tables/security.ts'
import type { SessionTables } from './tables/sessions.ts'

export type * from './tables/account.ts'
export type * from './tables/clients.ts'
export type * from './tables/connections.ts'
export type * from './tables/developers.ts'
export type * from './tables/installation.ts'
export type * from './tables/issuer.ts'
export type * from './tables/security.ts'
export type * from './tables/sessions.ts'

/** All tables. Columns are text and integer only (decision 0012). */
export interface Database
  extends AccountTables,
    ClientTables,
    ConnectionTables,
    DeveloperTables,
    InstallationTables,
    IssuerTables,
    SecurityTables,
    SessionTables {}

type TableAccess = {
  /** The folder under `server/src/features`, or `issuer`, `db`, `adapters/jobs`, whose stores read and write the table. */
  owner: string
  /** Other folders that read the table, with the reason why they do not call the owner. */
  readers?: Record<string, string>
}

/** Owner and readers of each table (architecture §3). `scripts/checks/table-access.ts` checks every query against it. */
export const TABLES: Record<keyof Database, TableAccess> = {
  // account
  users: {
    owner: 'account',
    readers: {
      sessions: 'the session guard reads session and user of each request in one query',
      issuer:
        'token liveness: the token endpoint and introspection read token, session, connection and user in one query',
      'admin-users': 'the list of people is filtered and paged by columns of several tables',
      system: 'counts people and those with a recent session in one query',
      'client-access': 'the rule of a client is a condition of queries',
      'admin-organizations': 'members with their accounts, in one query',
      groups: 'the list of members is searched and paged by columns of both tables',
      members: 'members whose account is not disabled, in one query',
      policy: 'counts the people whom a change would lock out, in one query',
    },
  },
  account_terms: {
    owner: 'account',
    readers: { 'admin-users': 'search in the list of people', groups: 'search in the list of members' },
  },
  activities: { owner: 'activity' },
  pictures: { owner: 'media' },
  data_requests: { owner: 'privacy' },
  factor_resets: { owner: 'admin-users' },
  account_deletions: {
    owner: 'privacy',
    readers: {
      'admin-users': 'the list of people',
      'admin-organizations': 'members with their accounts, in one query',
      operators: 'an admin whose account is being deleted does not count as one who stays',
      'client-registration': 'a token does nothing while the account of its member is being deleted',
    },
  },
  // sessions
  sessions: {
    owner: 'sessions',
    readers: {
      issuer: 'token liveness; device codes are answered by a live session only',
      system: 'counts people with a recent session',
    },
  },
  session_clients: {
    owner: 'sessions',
    readers: { issuer: 'session, user, connection and last sign-in of an authorization request, in one query' },
  },
  known_devices: {
    owner: 'sessions',
    readers: { 'sign-in': 'the account of a login and whether it knows the browser, in one query' },
  },
  device_names: { owner: 'sessions' },
  pending_sign_ins: { owner: 'sign-in' },
  accepted_terms: { owner: 'sign-in' },
  qr_codes: { owner: 'sign-in' },
  // security
  throttles: { owner: 'security' },
  one_time_tokens: { owner: 'security' },
  otp_seeds: {
    owner: 'security',
    readers: { policy: 'counts the people without a second factor', account: 'user info, in one query' },
  },
  recovery_codes: { owner: 'security', readers: { account: 'user info, in one query' } },
  otp_tries: { owner: 'security' },
  passkeys: {
    owner: 'security',
    readers: { policy: 'counts the people whom a change would lock out', account: 'user info, in one query' },
  },
  passkey_challenges: { owner: 'security' },
  mail_counts: { owner: 'security' },
  // developers
  developers: {
    owner: 'developers',
    readers: {
      members: 'memberships of a user with name and logo, in one query',
      account: 'user info, in one query',
      system: 'counts organizations',
      'admin-clients': 'lists join clients with their organizations',
      'admin-organizations': 'the list of organizations is filtered and paged with numbers of other tables',
    },
  },
  members: {
    owner: 'members',
    readers: {
      policy: 'counts the developers without a second factor',
      account: 'user info, in one query',
      'admin-organizations': 'members with their accounts, in one query',
    },
  },
  invitations: { owner: 'members' },
  developer_activities: { owner: 'developers' },
  // clients
  clients: {
    owner: 'clients',
    readers: {
      'admin-clients': 'lists join clients with their organizations',
      'admin-organizations': 'the list of organizations counts their clients',
      scopes: 'the tree of scopes selects clients that the reader may see, page by page',
      connections: 'lists join connections with their clients, filtered and paged by columns of both',
      issuer: 'token liveness: tokens of a disabled client are inactive',
      system: 'counts apps',
      developers: 'an organization is deleted after its apps',
    },
  },
  redirect_uris: { owner: 'clients' },
  client_metadata_documents: { owner: 'clients' },
  origins: { owner: 'clients' },
  client_scopes: { owner: 'clients' },
  client_access: { owner: 'client-access' },
  client_access_groups: { owner: 'client-access' },
  client_access_people: { owner: 'client-access' },
  client_days: { owner: 'statistics' },
  developer_days: { owner: 'statistics' },
  sign_in_days: { owner: 'statistics' },
  refusals: { owner: 'client-diagnostics' },
  registration_tokens: { owner: 'client-registration' },
  scopes: {
    owner: 'scope-catalog',
    readers: {
      scopes: 'the tree of scopes selects clients that the reader may see, page by page',
      issuer: 'introspection reads which granted scopes still exist',
    },
  },
  scope_texts: { owner: 'scope-catalog' },
  resources: { owner: 'scopes' },
  resource_scopes: { owner: 'scopes' },
  // connections
  connections: {
    owner: 'connections',
    readers: {
      users: 'the list of users is filtered and paged by their connections',
      issuer:
        'token liveness; the token endpoint locks the connection; session, user and connection of an authorization request, in one query',
      clients:
        'unregistered clients without a connection are deleted in one statement; one with many is deleted in steps',
      sessions: 'tokens of an expired session are found by its connections, in one statement',
    },
  },
  connection_scopes: { owner: 'connections' },
  developer_users: { owner: 'connections', readers: { users: 'the list of users' } },
  user_terms: { owner: 'connections', readers: { users: 'search in the list of users' } },
  // issuer
  tokens: {
    owner: 'issuer',
    readers: { sessions: 'expired sessions are deleted once no token refers to them, in one statement' },
  },
  provider_models: { owner: 'issuer' },
  ciba_requests: { owner: 'issuer' },
  signing_keys: { owner: 'issuer' },
  // installation
  operators: {
    owner: 'operators',
    readers: { 'admin-users': 'the list of people', account: 'user info, in one query' },
  },
  setup_links: { owner: 'operators' },
  proxy_tests: { owner: 'system' },
  groups: {
    owner: 'groups',
    readers: {
      'admin-users': 'the list of people is filtered by group',
    },
  },
  group_members: {
    owner: 'groups',
    readers: {
      'admin-users': 'the list of people is filtered by group',
      'client-access': 'the rule of a client is a condition of queries',
    },
  },
  audit_events: { owner: 'audit' },
  branding: { owner: 'branding' },
  jobs: { owner: 'adapters/jobs' },
  settings: { owner: 'db' },
  signals: { owner: 'db' },
}

/** Tables of earlier versions, which stay empty until the next major version (decision 0012). */
export const FORMER_TABLES = ['oidc_temp']
