import { setTimeout as pause } from 'node:timers/promises'
import {
  type Context,
  DiagLogLevel,
  defaultTextMapGetter,
  defaultTextMapSetter,
  diag,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { TracingSettings } from '../../config/tracing-settings.ts'
import type { Engine } from '../../db/dialect.ts'
import type { Tracing } from '../../lib/tracing.ts'
import { VERSION } from '../../version.ts'

export interface TracingLog {
  warn(fields: object, message: string): void
}

/** Milliseconds at the end for sending the last spans to a receiver that does not answer. */
const CLOSING = 2000

/** Names of the databases in the semantic conventions (`db.system.name`). */
const DATABASES: Record<Engine, string> = { sqlite: 'sqlite', postgres: 'postgresql' }

/**
 * Sends spans over OTLP. Names and attributes follow the semantic conventions of OpenTelemetry for HTTP and databases. Spans
 * contain no URLs, addresses of people or values of statements.
 */
export function openTelemetry(settings: TracingSettings, engine: Engine, log: TracingLog): Tracing {
  // A receiver that does not answer is reported; requests do not wait for it.
  const report = (message: string) => log.warn({ error: reasonIn(message) }, 'traces')
  const quiet = () => {}
  diag.setLogger(
    { error: report, warn: quiet, info: quiet, debug: quiet, verbose: quiet },
    { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true },
  )
  const { url, headers } = settings
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.version': VERSION,
      ...settings.attributes,
      'service.name': settings.service_name,
    }),
    sampler: samplerOf(settings),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url, headers }) })],
  })
  const tracer = provider.getTracer('vrata', VERSION)
  const contexts = new AsyncLocalStorageContextManager().enable()
  const propagator = new W3CTraceContextPropagator()

  async function spanned<R>(span: Span, parent: Context, run: () => Promise<R>): Promise<R> {
    try {
      return await contexts.with(trace.setSpan(parent, span), run)
    } catch (error) {
      fail(span, error instanceof Error ? error.name : 'error')
      throw error
    } finally {
      span.end()
    }
  }

  return {
    request({ id, method, headers }) {
      const parent = propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter)
      const attributes = { 'http.request.method': method, 'vrata.request_id': id }
      const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent)
      const context = trace.setSpan(parent, span)
      return {
        trace_id: span.spanContext().traceId,
        run: (work) => contexts.with(context, work),
        end({ route, status, problem }) {
          if (route !== undefined) span.updateName(`${method} ${route}`).setAttribute('http.route', route)
          span.setAttribute('http.response.status_code', status)
          if (problem) span.setAttribute('error.type', problem)
          if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        },
      }
    },
    traceparent() {
      const span = trace.getSpan(contexts.active())
      if (!span?.isRecording()) return undefined
      const carrier: { traceparent?: string } = {}
      propagator.inject(trace.setSpan(ROOT_CONTEXT, span), carrier, defaultTextMapSetter)
      return carrier.traceparent
    },
    job(kind, queued_by, run) {
      const attributes = { 'vrata.job.kind': kind }
      const carrier = queued_by === null ? {} : { traceparent: queued_by }
      const context = trace.getSpanContext(propagator.extract(ROOT_CONTEXT, carrier, defaultTextMapGetter))
      const links = context ? [{ context }] : []
      const span = tracer.startSpan(`job ${kind}`, { kind: SpanKind.CONSUMER, attributes, links }, ROOT_CONTEXT)
      return spanned(span, ROOT_CONTEXT, run)
    },
    statement(sql, run) {
      const parent = contexts.active()
      // Statements outside requests and jobs, such as the poll for jobs, get no trace.
      if (!trace.getSpan(parent)?.isRecording()) return run()
      const attributes = { 'db.system.name': DATABASES[engine], 'db.query.text': sql }
      const span = tracer.startSpan(summaryOf(sql), { kind: SpanKind.CLIENT, attributes }, parent)
      return spanned(span, parent, run)
    },
    async close() {
      const sent = provider.shutdown().catch((error: Error) => report(error.message))
      const waited = pause(CLOSING, 'waited', { ref: false })
      if ((await Promise.race([sent, waited])) === 'waited')
        report('the receiver did not answer at the end; the last spans are lost')
    },
  }
}

/** The SDK reports errors as JSON with their stack. */
function reasonIn(report: string): string {
  try {
    const { message, code } = JSON.parse(report)
    return [message, code].find((one) => typeof one === 'string' && one !== '') ?? report
  } catch {
    return report
  }
}

function fail(span: Span, type: string): void {
  span.setAttribute('error.type', type)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

const TABLE = /\b(?:from|into|update)\s+"?(\w+)/i

/** The first word and the first table of a statement; for a query, not that of a column which is a subquery. */
function summaryOf(sql: string): string {
  const [word = ''] = sql.trimStart().split(/\s/, 1)
  const [, table] = (word === 'select' && TABLE.exec(withoutParentheses(sql))) || TABLE.exec(sql) || []
  return table ? `${word} ${table}` : word
}

function withoutParentheses(sql: string): string {
  const shorter = sql.replaceAll(/\([^()]*\)/g, '')
  return shorter === sql ? sql : withoutParentheses(shorter)
}

function samplerOf({ sampler, ratio }: TracingSettings): Sampler {
  const roots: Record<string, Sampler> = {
    always_on: new AlwaysOnSampler(),
    always_off: new AlwaysOffSampler(),
    traceidratio: new TraceIdRatioBasedSampler(ratio),
  }
  const root = roots[sampler.replace('parentbased_', '')] ?? new AlwaysOnSampler()
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root
}
