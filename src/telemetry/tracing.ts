import type { StoredEvent } from '../contract/event.ts'
import type { DescribeModel } from './make-spans.ts'
import { ATTRIBUTES } from './names.ts'
import { tracesBody } from './otlp-json.ts'
import { parseHeaders, tracesUrl } from './otlp-target.ts'
import { createExporter, type ExporterLimits } from './otlp.ts'
import { createSpans } from './spans.ts'

export interface TracingOptions {
  /** of an OTLP collector, without `/v1/traces`; without it nothing is traced */
  readonly endpoint?: string | undefined
  /** as in OTEL_EXPORTER_OTLP_HEADERS */
  readonly headers?: string | undefined
  readonly version: string
  readonly describeModel: DescribeModel
  readonly fetch?: typeof globalThis.fetch
  readonly limits?: Partial<ExporterLimits>
}

export interface Tracing {
  /** To be called once per commit; never throws. */
  see(sessionId: string, events: readonly StoredEvent[]): void
  lost(): number
  /** Sends what is queued, within a few seconds. */
  close(): Promise<void>
}

const NO_TRACING: Tracing = { see: () => {}, lost: () => 0, close: () => Promise.resolve() }

/** Traces of rounds for an OpenTelemetry collector; throws a Problem for an invalid endpoint or headers. */
export function createTracing(options: TracingOptions): Tracing {
  const { endpoint, headers = '', version, describeModel, limits } = options
  if (endpoint === undefined || endpoint === '') return NO_TRACING
  const resource = { [ATTRIBUTES.serviceName]: 'segno', [ATTRIBUTES.serviceVersion]: version }
  const scope = { name: 'segno', version }
  const exporter = createExporter({
    url: tracesUrl(endpoint),
    headers: parseHeaders(headers),
    encode: (spans) => tracesBody(spans, resource, scope),
    fetch: options.fetch ?? globalThis.fetch,
    ...(limits && { limits }),
  })
  const spans = createSpans(exporter.push, describeModel)
  return { see: spans.see, lost: exporter.lost, close: exporter.close }
}
