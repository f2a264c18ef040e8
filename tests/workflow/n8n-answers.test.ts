import { expect } from 'vitest'
import type { Started } from '../../src/workflow/engine.ts'
import { listening } from '../mcp/servers/http.ts'
import { verifies } from '../support/verifies.ts'
import { engineFor } from './support/engine-for.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

/** What a hand-over comes to that is answered with 404 and this. */
async function notFound(type: string, body: string): Promise<Started> {
  const { origin } = await listening((request, response) => {
    request.resume().on('end', () => response.writeHead(404, { 'content-type': type }).end(body))
  })
  const engine = engineFor({ engine: 'n8n', origin })
  return engine.start({
    ...engine.readTarget({ url: `${origin}/webhook/print` }),
    invocationId: crypto.randomUUID(),
    key: 'key-1',
    input: {},
    depth: 1,
    callback: undefined,
    signal: new AbortController().signal,
    timeoutMs: 30_000,
  })
}

/** Of n8n 2.41.1, before a workflow runs. */
const OF_N8N: readonly (readonly [type: string, body: string])[] = [
  [
    JSON_TYPE,
    '{"code":404,"message":"The requested webhook \\"POST print\\" is not registered.","hint":"Activate it."}',
  ],
  [
    JSON_TYPE,
    '{"code":404,"message":"This webhook is not registered for POST requests. Did you mean to make a GET request?"}',
  ],
  [JSON_TYPE, '{"code":404,"message":"Active version not found for workflow with id \\"7\\""}'],
  [JSON_TYPE, '{"code":404,"message":"Published version not found for workflow with id \\"7\\""}'],
  // While it starts, before it has routes.
  ['text/html; charset=utf-8', '<!DOCTYPE html><html><body><pre>Cannot POST /webhook/print</pre></body></html>'],
]

verifies('GOV-13', 'a webhook that n8n itself does not know yet did nothing, and is tried again', async () => {
  for (const [type, body] of OF_N8N)
    expect(await notFound(type, body), body).toMatchObject({
      kind: 'failure',
      code: 'CONNECTION_ERROR',
      isFinal: false,
      mayHaveHappened: false,
    })
})

verifies('GOV-13', 'a workflow of n8n that ran and answered with 404 itself is not run again', async () => {
  for (const [type, body] of [
    [JSON_TYPE, '{"message":"There is no such order."}'],
    [JSON_TYPE, '{"code":404,"message":"This customer is not registered."}'],
    ['text/plain', 'no such order'],
    [JSON_TYPE, ''],
  ] as const)
    expect(await notFound(type, body), body).toMatchObject({ kind: 'failure', code: 'REFUSED', isFinal: true })
})
