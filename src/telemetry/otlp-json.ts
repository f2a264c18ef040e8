import type { Attributes, Span } from './make-spans.ts'

/** The protocol's JSON requires enums as numbers. */
const KIND = { internal: 1, client: 3 } as const
const STATUS_ERROR = 2

/** The body of a POST to /v1/traces: protobuf JSON with ids in hex and 64-bit numbers as strings. */
export function tracesBody(spans: readonly Span[], resource: Attributes, scope: { name: string; version: string }) {
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeSpans: [{ scope, spans: spans.map(spanOf) }],
      },
    ],
  })
}

function spanOf(span: Span) {
  const { traceId, spanId, parentSpanId, name } = span
  return {
    traceId,
    spanId,
    ...(parentSpanId !== undefined && { parentSpanId }),
    name,
    kind: KIND[span.kind],
    startTimeUnixNano: nanoseconds(span.startAt),
    endTimeUnixNano: nanoseconds(span.endAt),
    attributes: attributesOf(span.attributes),
    ...(span.failed && { status: { code: STATUS_ERROR } }),
  }
}

function attributesOf(attributes: Attributes) {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: anyValue(value) }],
  )
}

type Value = NonNullable<Attributes[string]>

function anyValue(value: Value): object {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'number') return { intValue: String(Math.round(value)) }
  return { arrayValue: { values: value.map(anyValue) } }
}

const nanoseconds = (ms: number): string => `${Math.round(ms)}000000`
