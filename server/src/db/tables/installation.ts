import type { Json, Nullable, Time } from './columns.ts'

/** Queued mails and other background work, inserted by the transaction that causes it. */
export interface JobsTable {
  id: string
  kind: string
  payload: Json
  run_at: Time
  attempts: number
  locked_until: Nullable<Time>
  last_error: Nullable<string>
  created_at: Time
  done_at: Nullable<Time>
  failed_at: Nullable<Time>
  /** The span that has queued it (W3C Trace Context §3.2); null without traces. */
  traceparent: Nullable<string>
}

/** Facts about this installation, such as a fingerprint of its secret. */
export interface SettingsTable {
  key: string
  value: string
}

/** Signals of the last minute, while servers behind a pooler read them. Times are those of the database. */
export interface SignalsTable {
  id: string
  /** The process that has sent it, until it ends. */
  sender: string
  channel: string
  payload: string
  created_at: Time
}

/** Groups of the installation, which apps read in the claim `groups`. */
export interface GroupsTable {
  key: string
  name: string
  description: string
  /** Key, name and description, folded for searching (`db/search-text.ts`). */
  search: string
  created_at: Time
  /** Since when it is deleted, while its members are deleted in small steps (decision 0092). */
  deleted_at: Nullable<Time>
}

export interface GroupMembersTable {
  group_key: string
  user_id: string
  added_at: Time
}

/** Users who run the installation, and their roles. */
export interface OperatorsTable {
  user_id: string
  role: string
  added_at: Time
}

/** Links that make the first operator; deleted once one of them is used. */
export interface SetupLinksTable {
  token_hash: string
  expires_at: Time
}

/** Tokens of `vrata doctor`, each for one request that the server describes. */
export interface ProxyTestsTable {
  token_hash: string
  expires_at: Time
}

/** Actions of operators, commands and the system. Append only. */
export interface AuditEventsTable {
  /** 1 for the first event, without gaps. */
  position: number
  id: string
  at: Time
  actor_kind: string
  actor_id: Nullable<string>
  /** Name of a command; names of people are read from their accounts. */
  actor_name: Nullable<string>
  type: string
  subject_kind: string
  subject_id: string
  /** In which it happened. */
  organization_id: Nullable<string>
  changes: Nullable<Json>
  ip: Nullable<string>
  request_id: Nullable<string>
  /** Hash of the previous event; empty for the first. */
  previous_hash: string
  hash: string
}

/** Name, colors, pictures, texts and languages of the installation: at most one row. */
export interface BrandingTable {
  id: string
  /** Grows with each change. */
  version: number
  name: Nullable<string>
  accent: Nullable<string>
  logo: Nullable<string>
  logo_dark: Nullable<string>
  icon: Nullable<string>
  support_url: Nullable<string>
  imprint_url: Nullable<string>
  mail_from_name: Nullable<string>
  /** Texts by locale. */
  mail_footer: Json
  sign_in_text: Json
  /** A list. */
  languages: Json
  default_language: string
}

export interface InstallationTables {
  branding: BrandingTable
  operators: OperatorsTable
  setup_links: SetupLinksTable
  proxy_tests: ProxyTestsTable
  groups: GroupsTable
  group_members: GroupMembersTable
  audit_events: AuditEventsTable
  jobs: JobsTable
  settings: SettingsTable
  signals: SignalsTable
}
