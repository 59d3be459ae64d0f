import type { Json, Nullable, Time } from './columns.ts'

/** The scopes that a user has granted to a client. */
export interface ConnectionsTable {
  id: string
  user_id: string
  client_id: string
  scopes: Json
  /** JSON list of requested scopes that the user has not granted; a sign-in asks for them again only when the client requires it. */
  declined: Json
  created_at: Time
  updated_at: Time
  last_used_at: Nullable<Time>
  /** Since when the developer has blocked the user: no sign-in, no tokens. */
  blocked_at: Nullable<Time>
  /**
   * Since when the rule of the client leaves the user out: no sign-in, no tokens. Follows from the rule, and is written by the
   * transaction that changes the rule or a group, so that token requests need no further read.
   */
  access_lost_at: Nullable<Time>
  /**
   * The name in `developer_users`, so that the users of one client are listed by name from an index. Null until pruning fills it, in
   * rows of former versions.
   */
  sort_name: Nullable<string>
}

/** The client-defined scopes in `connections.scopes` and `declined`, indexed by key. */
export interface ConnectionScopesTable {
  key: string
  connection_id: string
}

/** Users of the clients of a developer. Rows of blocked users remain without a connection. */
export interface DeveloperUsersTable {
  developer_id: string
  user_id: string
  /** UUIDv7, so that users sort by the time of their first connection. */
  id: string
  blocked_at: Nullable<Time>
  /** Folded name that the user shares with one of the clients; sorts last without one. */
  sort_name: string
}

/** Lower-case search terms of the users of a developer, only of claims that they granted to one of its clients. */
export interface UserTermsTable {
  developer_id: string
  user_id: string
  term: string
}

export interface ConnectionTables {
  connections: ConnectionsTable
  connection_scopes: ConnectionScopesTable
  developer_users: DeveloperUsersTable
  user_terms: UserTermsTable
}
