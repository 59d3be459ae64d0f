import { z } from 'zod'
import { decoded } from './addresses.ts'

/** Where traces go and which ones, from the variables that OpenTelemetry specifies. */
export type TracingSettings = {
  /** Address of the receiver of traces (OTLP over HTTP). */
  url: string
  headers: Record<string, string>
  service_name: string
  /** Attributes of the process, such as `deployment.environment.name`. */
  attributes: Record<string, string>
  sampler: (typeof SAMPLERS)[number]
  /** Share of the traces that a sampler with a ratio keeps. */
  ratio: number
}

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

const endpoint = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional()
const pairs = z
  .string()
  .default('')
  .transform((text, context) => {
    const found: Record<string, string> = {}
    for (const pair of text.split(',').filter((one) => one.trim())) {
      const [name = '', ...rest] = pair.split('=')
      const value = decoded(rest.join('=').trim())
      if (!name.trim() || rest.length === 0 || value === undefined) {
        context.addIssue({ code: 'custom', message: 'must be pairs such as name=value,name=value' })
        return z.NEVER
      }
      found[name.trim()] = value
    }
    return found
  })

/** The part of the environment that OpenTelemetry specifies and that is used here. */
export const TRACING_VARIABLES = {
  OTEL_SDK_DISABLED: z.string().optional(),
  OTEL_TRACES_EXPORTER: z.enum(['otlp', 'none'], 'must be otlp or none').default('otlp'),
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint,
  // Receivers take protobuf and JSON at the same address, so the former is accepted and JSON sent.
  OTEL_EXPORTER_OTLP_PROTOCOL: z
    .enum(['http/json', 'http/protobuf'], 'must be http/json; gRPC is not supported')
    .optional(),
  OTEL_EXPORTER_OTLP_HEADERS: pairs,
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: pairs,
  OTEL_SERVICE_NAME: z.string().min(1).default('vrata'),
  OTEL_RESOURCE_ATTRIBUTES: pairs,
  OTEL_TRACES_SAMPLER: z.enum(SAMPLERS, `must be one of ${SAMPLERS.join(', ')}`).default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number('must be a number').min(0).max(1).default(1),
}

const variables = z.object(TRACING_VARIABLES)

/** Undefined without an endpoint, and when traces are turned off. */
export function tracingSettings(set: z.output<typeof variables>): TracingSettings | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: general, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own } = set
  // Only the general one is completed by a path (OpenTelemetry Protocol Exporter, Endpoint URLs).
  const url = own ?? (general && `${general.replace(/\/$/, '')}/v1/traces`)
  if (!url || set.OTEL_TRACES_EXPORTER === 'none' || set.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return undefined
  return {
    url,
    headers: { ...set.OTEL_EXPORTER_OTLP_HEADERS, ...set.OTEL_EXPORTER_OTLP_TRACES_HEADERS },
    service_name: set.OTEL_SERVICE_NAME,
    attributes: set.OTEL_RESOURCE_ATTRIBUTES,
    sampler: set.OTEL_TRACES_SAMPLER,
    ratio: set.OTEL_TRACES_SAMPLER_ARG,
  }
}
