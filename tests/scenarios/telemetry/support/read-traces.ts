import { z } from 'zod'

/** The part of the OTLP schema that traces use, as its JSON must look: nothing unknown, nothing in another form. */
const scalar = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ boolValue: z.boolean() }),
  z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }),
])
const value = z.union([scalar, z.strictObject({ arrayValue: z.strictObject({ values: z.array(scalar) }) })])
const attributes = z.array(z.strictObject({ key: z.string().min(1), value }))
const nanoseconds = z.string().regex(/^\d{19}$/)

const span = z.strictObject({
  traceId: z.string().regex(/^(?!0{32})[0-9a-f]{32}$/),
  spanId: z.string().regex(/^(?!0{16})[0-9a-f]{16}$/),
  parentSpanId: z
    .string()
    .regex(/^(?!0{16})[0-9a-f]{16}$/)
    .optional(),
  name: z.string().min(1),
  kind: z.int().min(1).max(5),
  startTimeUnixNano: nanoseconds,
  endTimeUnixNano: nanoseconds,
  attributes,
  status: z.strictObject({ code: z.int().min(0).max(2) }).optional(),
})

const request = z.strictObject({
  resourceSpans: z.tuple([
    z.strictObject({
      resource: z.strictObject({ attributes }),
      scopeSpans: z.tuple([
        z.strictObject({
          scope: z.strictObject({ name: z.string(), version: z.string() }),
          spans: z.array(span).min(1),
        }),
      ]),
    }),
  ]),
})

export interface OtlpSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly name: string
  readonly kind: number
  readonly start: bigint
  readonly end: bigint
  readonly attributes: Readonly<Record<string, unknown>>
  readonly status: number
}

/** Throws if the body is not what the protocol asks for. */
export function readTraces(body: string): { resource: Readonly<Record<string, unknown>>; spans: OtlpSpan[] } {
  const [{ resource, scopeSpans }] = request.parse(JSON.parse(body)).resourceSpans
  const spans = scopeSpans[0].spans.map((one): OtlpSpan => {
    const keys = one.attributes.map(({ key }) => key)
    if (new Set(keys).size !== keys.length) throw new Error(`an attribute of ${one.name} comes twice`)
    const { traceId, spanId, parentSpanId, name, kind } = one
    const start = BigInt(one.startTimeUnixNano)
    const end = BigInt(one.endTimeUnixNano)
    if (end < start) throw new Error(`${name} ends before it starts`)
    return {
      traceId,
      spanId,
      parentSpanId,
      name,
      kind,
      start,
      end,
      attributes: plain(one.attributes),
      status: one.status?.code ?? 0,
    }
  })
  return { resource: plain(resource.attributes), spans }
}

function plain(list: z.infer<typeof attributes>): Record<string, unknown> {
  return Object.fromEntries(list.map(({ key, value: any }) => [key, plainValue(any)]))
}

function plainValue(any: z.infer<typeof value>): unknown {
  if ('stringValue' in any) return any.stringValue
  if ('boolValue' in any) return any.boolValue
  if ('intValue' in any) return Number(any.intValue)
  return any.arrayValue.values.map(plainValue)
}
