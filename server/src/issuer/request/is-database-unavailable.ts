import { Problem } from '@vrata/contract'
import { isUnavailable } from '../../db/dialect.ts'

/** Whether the database is unreachable, full or overloaded, so that the same request may succeed later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return (error instanceof Problem && error.code === 'unavailable') || isUnavailable(error)
}
