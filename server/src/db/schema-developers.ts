import type { Json, Nullable, Time } from './columns.ts'

/** developers */
export interface DevelopersTable {
  id: string
  name: string
  logo: Nullable<string>
  website: Nullable<string>
  description: Nullable<string>
  company: Nullable<string>
  created_at: Time
}

/** developers */
export interface MembersTable {
  id: string
  developer_id: string
  user_id: string
  permission: string
  joined_at: Time
}

/** developers. One link; asking for another for the same address ends the one before. */
export interface InvitationsTable {
  id: string
  developer_id: string
  email: string
  permission: string
  token_hash: string
  /** Who vouches for the level; null when that account is gone. */
  invited_by: Nullable<string>
  created_at: Time
  expires_at: Time
  ended_as: Nullable<'accepted' | 'declined' | 'withdrawn' | 'replaced'>
}

/** developers. What was done in an organisation, by whom. Append only. */
export interface DeveloperActivitiesTable {
  id: string
  developer_id: string
  type: string
  /** Null for somebody whose account is gone. */
  user_id: Nullable<string>
  /** The app it was about; it may be deleted since. */
  client_id: Nullable<string>
  /** What the sentence needs, as text by name: `{"name":"Jadrolet","to":"admin"}`. */
  params: Json
  created_at: Time
}

/** connections. Whom an organisation knows by its apps; somebody blocked stays here even without a connection. */
export interface DeveloperUsersTable {
  developer_id: string
  user_id: string
  /** Grows with time: whoever came last stands first. */
  id: string
  blocked_at: Nullable<Time>
}

/** connections. Lower-case words by which an organisation finds somebody: only of what they allowed one of its apps. */
export interface UserTermsTable {
  developer_id: string
  user_id: string
  term: string
}

export interface DeveloperTables {
  developers: DevelopersTable
  members: MembersTable
  invitations: InvitationsTable
  developer_activities: DeveloperActivitiesTable
  developer_users: DeveloperUsersTable
  user_terms: UserTermsTable
}
