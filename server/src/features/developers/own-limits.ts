import { fromJson, type JsonText } from '../../db/values.ts'
import type { DeveloperRow } from './store.ts'

/** Quotas that operators have set for one organization; null: those of the policy. */
export function ownLimits({ limits }: Pick<DeveloperRow, 'limits'>): {
  clients: number | null
  members: number | null
} {
  const own =
    limits === null ? {} : fromJson<{ clients?: number; members?: number }>(limits as JsonText<{ clients?: number }>)
  return { clients: own.clients ?? null, members: own.members ?? null }
}
