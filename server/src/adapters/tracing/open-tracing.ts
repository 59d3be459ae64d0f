import type { TracingSettings } from '../../config/tracing-settings.ts'
import { engineOf } from '../../db/dialect.ts'
import type { Tracing } from '../../lib/tracing.ts'
import type { TracingLog } from './opentelemetry.ts'

/** Loads OpenTelemetry if an endpoint is set; otherwise nothing is loaded and nothing is measured. */
export async function openTracing(
  { tracing, database_url }: { tracing: TracingSettings | undefined; database_url: string | undefined },
  log: TracingLog,
): Promise<Tracing | undefined> {
  if (!tracing) return undefined
  const { openTelemetry } = await import('./opentelemetry.ts')
  return openTelemetry(tracing, engineOf(database_url), log)
}
