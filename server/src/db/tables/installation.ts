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

export interface InstallationTables {
  jobs: JobsTable
  settings: SettingsTable
  signals: SignalsTable
}
