import { afterAll, describe, expect, test } from 'vitest'
import { STATUS } from '../../src/channel/http/problems.ts'
import { ask, type Answer } from './support/ask.ts'
import { belongings } from './support/belongings.ts'
import { CALLS } from './support/calls.ts'
import { misfits, schemaFaults, type JsonSchema } from './support/json-schema.ts'
import { readOpenApi, type OperationObject } from './support/operations.ts'
import { startMcpServers } from './support/mcp-servers.ts'
import { ADA, openStage } from './support/stage.ts'

const stage = await openStage({}, {}, await startMcpServers())
afterAll(() => stage.close())
const { segno } = stage
const { text: adas } = await stage.key('acme', 'ada', ['*', 'operator'])
const document = await readOpenApi(segno)

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
)

function resolve(ref: string): JsonSchema | undefined {
  const [, name] = /^#\/components\/schemas\/(\w+)$/.exec(ref) ?? []
  return name === undefined ? undefined : document.components.schemas[name]
}

describe('the description', () => {
  test('is OpenAPI 3.1, with a name and a version', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Segno', version: expect.stringMatching(/^\d/) as string },
      components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
    })
    expect(operations.length).toBeGreaterThan(35)
  })

  test('names the schemas it uses, all of them JSON Schema 2020-12', () => {
    const faults = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
      schemaFaults(schema, resolve, name),
    )
    expect(faults).toEqual([])
  })

  test.each(operations)('of $method $path is whole', ({ path, operation }) => {
    const { parameters = [], requestBody, responses = {}, summary, security } = operation
    expect(summary).toMatch(/\w/)
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const declared = parameters.filter((one) => one.in === 'path')
    expect(declared.map(({ name }) => name)).toEqual(inPath)
    expect(declared.every(({ required }) => required === true)).toBe(true)
    const schemas = [
      ...parameters.map(({ schema }) => schema),
      ...Object.values(requestBody?.content ?? {}).map(({ schema }) => schema),
      ...Object.values(responses).flatMap(({ content = {} }) => Object.values(content).map(({ schema }) => schema)),
    ]
    expect(schemas.flatMap((schema, i) => schemaFaults(schema, resolve, `schema ${i}`))).toEqual([])
    expect(Object.values(responses).every(({ description = '' }) => description !== '')).toBe(true)
    expect(Object.keys(responses).some((status) => status.startsWith('2'))).toBe(true)
    if (operation['x-needs'] === 'anyone') return
    expect(security).toEqual([{ key: [] }])
    for (const status of ['400', '401', '403', '404', '409', '413', '415', '422', '429', '500', '503'])
      expect(Object.keys(responses[status]?.content ?? {})).toEqual(['application/problem+json'])
  })

  test('has an Idempotency-Key on every POST that creates something', () => {
    const with201 = operations.filter(({ operation }) => '201' in (operation.responses ?? {}))
    const says = operations.filter(
      ({ method, operation }) => method === 'POST' && JSON.stringify(operation).includes('Message'),
    )
    for (const { path, operation } of [...with201, ...says])
      expect([path, operation.parameters?.map(({ name }) => name)]).toEqual([
        path,
        expect.arrayContaining(['idempotency-key']) as string[],
      ])
    expect([with201.length, says.length]).toEqual([13, 5])
  })

  test('has only statuses that the table of codes has', () => {
    const known = new Set(['200', '201', '202', '204', ...Object.values(STATUS).map(String)])
    const declared = new Set(operations.flatMap(({ operation }) => Object.keys(operation.responses ?? {})))
    expect([...declared].filter((status) => !known.has(status))).toEqual([])
  })

  test('can be read by a person, who finds every address in it', async () => {
    const { status, text } = await ask(segno, 'GET', '/docs')
    expect(status).toBe(200)
    for (const path of Object.keys(document.paths)) expect(text).toContain(path)
    expect(text).not.toMatch(/<script|https?:\/\/(?!127)/)
  })
})

/** How an answer is not what the description says of it. */
function lies({ status, headers, text }: Answer, { responses = {} }: OperationObject): string[] {
  const declared = responses[status]
  if (!declared) return [`status ${status} is not described`]
  const type = headers.get('content-type')?.split(';')[0]
  if (declared.content === undefined) return text === '' ? [] : [`a body that is not described: ${text}`]
  const schema = type === undefined ? undefined : declared.content[type]?.schema
  if (schema === undefined) return [`content type ${type} is not described`]
  return misfits(type?.includes('json') && !type.includes('ndjson') ? JSON.parse(text) : text, schema, resolve)
}

describe('what is answered is what is described', () => {
  test.each(operations)('by $method $path', async ({ method, path, operation }) => {
    const call = CALLS[`${method} ${path}`]?.(await belongings(stage, path))
    if (!call) throw new Error(`${method} ${path} is unknown`)
    const answer = await ask(segno, method, call.path, {
      key: adas,
      ...(call.body !== undefined && { body: call.body }),
      ...(call.headers && { headers: call.headers }),
    })
    expect(lies(answer, operation)).toEqual([])
    expect(answer.status).toBeLessThan(300)
    if (operation['x-needs'] === 'anyone') return
    expect(lies(await ask(segno, method, call.path, { key: 'wrong' }), operation)).toEqual([])
  })

  test('also of rounds, sessions and keys in their other forms', async () => {
    const its = await belongings(stage)
    const of = (method: string, path: string): OperationObject => document.paths[path]?.[method.toLowerCase()] ?? {}
    const check = async (method: string, path: string, real: string, body?: object): Promise<Answer> => {
      const answer = await ask(segno, method, real, { key: adas, ...(body && { body }) })
      expect([real, lies(answer, of(method, path))]).toEqual([real, []])
      return answer
    }
    for (const round of [its.waitingRound, its.pausedRound, its.endedRound])
      await check('GET', '/api/rounds/{requestId}', `/api/rounds/${round}`)
    const { id } = await segno.createSession({ alias: `door ${its.keyId}` }, { actor: ADA })
    await check('PATCH', '/api/sessions/{id}', `/api/sessions/${id}`, { protocol: 'triggered', model: 'scripted' })
    await check('GET', '/api/sessions/{id}', `/api/sessions/${id}`)
    const messages = '/api/sessions/{id}/messages'
    const sent = await check('POST', messages, `/api/sessions/${id}/messages`, { content: 'asks' })
    expect(sent.status).toBe(202)
    const rests = await check('POST', messages, `/api/sessions/${id}/messages?wait=1`, {
      content: 'doubts',
      onBusy: 'interrupt',
    })
    expect(rests.status).toBe(200)
    const broken = await check('POST', messages, `/api/sessions/${id}/messages?wait=1`, { content: 'breaks' })
    expect(JSON.parse(broken.text)).toMatchObject({ finishReason: 'error' })
    const { requestId } = JSON.parse(rests.text) as { requestId: string }
    await check('GET', '/api/rounds/{requestId}', `/api/rounds/${requestId}`)
    await check('GET', messages, `/api/sessions/${its.sessionId}/messages?at=3`)
    await check('GET', '/api/sessions/{id}/events', `/api/sessions/${id}/events?limit=2`)
    await check('GET', '/api/approvals', '/api/approvals')
    await check('GET', '/api/sessions', '/api/sessions?limit=1')
    const time = '2999-01-01T00:00:00Z'
    await check('POST', '/api/keys', '/api/keys', { name: 'k', role: 'auditor', scopes: [], expiresAt: time })
    await check('GET', '/api/audit', '/api/audit?limit=3')
  })
})
