import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** Whether a session has not ended together with all others of its user, which a job writes later (decision 0145). */
export function isOfGeneration(): RawBuilder<SqlBool> {
  return sql`(users.session_generation is null or sessions.generation = users.session_generation)`
}

/**
 * `sessions.ended_at`, as a column of queries that also join users; a time, too, for sessions that have ended together, and where the
 * row of the session is gone.
 */
export function sessionEndedAt(): RawBuilder<string | null> {
  return sql`case when users.session_generation is null or sessions.generation = users.session_generation
    then sessions.ended_at else coalesce(sessions.ended_at, users.updated_at) end`
}
