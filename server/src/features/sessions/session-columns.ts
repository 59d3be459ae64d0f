import type { SessionsTable } from '../../db/schema.ts'

/** All columns. Named, and not `*`, because SQLite answers them faster (decision 0009). */
export const SESSION_COLUMNS = [
  'id',
  'user_id',
  'token_hash',
  'previous_hash',
  'previous_until',
  'access_hash',
  'access_until',
  'authenticated_at',
  'reauthenticated_at',
  'methods',
  'os',
  'browser',
  'ip',
  'location',
  'developer_id',
  'created_at',
  'last_seen_at',
  'idle_until',
  'expires_at',
  'ended_at',
  'generation',
  'unknown_since',
  'device_id',
  'next_step',
] as const satisfies readonly (keyof SessionsTable)[]
