import type { Config } from '../../config/config.ts'
import { isLoopbackUrl } from '../../lib/loopback.ts'
import { type Meter, noMeter } from '../../lib/meter.ts'
import type { Metrics } from './metrics.ts'

/** The metrics of a server, or a meter that counts nothing. */
export type MetricsOrNone = { meter: Meter; metrics: Metrics | undefined }

/**
 * Serves the metrics where they may be read: at `VRATA_METRICS_LISTEN`, with `VRATA_METRICS_TOKEN`, or on this machine while
 * the public URL is on loopback. Otherwise nothing is loaded and nothing is counted.
 */
export async function openMetrics(
  config: Pick<Config, 'metrics_token' | 'metrics_listen' | 'url'>,
): Promise<MetricsOrNone> {
  if (!config.metrics_listen && !config.metrics_token && !isLoopbackUrl(config.url))
    return { meter: noMeter, metrics: undefined }
  const { prometheusMetrics } = await import('./prometheus-metrics.ts')
  const metrics = prometheusMetrics()
  return { meter: metrics, metrics }
}
