import type { Flag, Json, Nullable, Time } from './columns.ts'

export interface DevelopersTable {
  id: string
  name: string
  logo: Nullable<string>
  website: Nullable<string>
  description: Nullable<string>
  company: Nullable<string>
  created_at: Time
  /** Operators can disable an organization with all its clients. */
  enabled: Flag
  /** Operators have checked who it is. */
  verified: Flag
  /** JSON: quotas other than those of the policy. */
  limits: Nullable<Json>
  /** `name`, folded for searching (`db/search-text.ts`). */
  search: string
  /** Null: an operator has approved it, or it needed no approval. */
  approval: Nullable<'pending' | 'rejected'>
  /** Reason of the rejection, by an operator. */
  approval_reason: Nullable<string>
  /** When approval was requested last; null once it is approved. */
  approval_asked_at: Nullable<Time>
  /** Since when it is deleted for all readers, while the rows of its apps are deleted, and then this one. */
  deleted_at: Nullable<Time>
}

export interface MembersTable {
  id: string
  developer_id: string
  user_id: string
  permission: string
  joined_at: Time
}

/** Invitations of members. A new one for the same email replaces the one before. */
export interface InvitationsTable {
  id: string
  developer_id: string
  email: string
  permission: string
  token_hash: string
  /** The inviting member, whose level is checked on acceptance; null after deletion of the account. */
  invited_by: Nullable<string>
  created_at: Time
  expires_at: Time
  ended_as: Nullable<'accepted' | 'declined' | 'withdrawn' | 'replaced'>
}

/** Activity of members in a developer account. Append only. */
export interface DeveloperActivitiesTable {
  id: string
  developer_id: string
  type: string
  /** Null after deletion of the account. */
  user_id: Nullable<string>
  /** May name a deleted client. */
  client_id: Nullable<string>
  /** Parameters of the phrase that describes the activity, for example `{"name":"Jadrolet","to":"admin"}`. */
  params: Json
  created_at: Time
}

export interface DeveloperTables {
  developers: DevelopersTable
  members: MembersTable
  invitations: InvitationsTable
  developer_activities: DeveloperActivitiesTable
}
