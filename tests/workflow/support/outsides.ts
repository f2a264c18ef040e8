import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import type { EngineName } from '../../../src/contract/automation.ts'
import type { Json } from '../../../src/contract/message.ts'
import type { SignedRequest } from '../../../src/workflow/standard-webhooks.ts'
import { BUSY, httpOutside, type HttpWork } from './http-outside.ts'
import { FAILURE, type Outside } from './outside.ts'
import { temporalOutside } from './temporal-outside.ts'

/** The other side of each engine. */
export const OUTSIDES: readonly (readonly [name: EngineName, open: () => Promise<Outside>])[] = [
  ['http', signedOutside],
  ['n8n', () => n8nOutside()],
  ['temporal', temporalOutside],
]

/** A program behind an address, which believes what the `standardwebhooks` package verifies. */
async function signedOutside(): Promise<Outside> {
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const webhook = new Webhook(secret)
  const side = await httpOutside({
    refusal: { status: 422, body: { why: 'no such page' } },
    busyHeaders: BUSY,
    isAllowed(headers, body) {
      try {
        webhook.verify(body, headers as Record<string, string>)
        return headers['webhook-id'] === headers['idempotency-key']
      } catch {
        return false
      }
    },
    begunBody: ({ id }) => JSON.stringify({ id }),
    failure: { status: 500, body: { message: FAILURE } },
    other: () => undefined,
  })
  return {
    ...side,
    engine: 'http',
    target: { url: side.start },
    secrets: { signing: secret },
    finds: undefined,
    cancels: false,
    answersAtOnce: true,
    reporter: ({ invocationId }, report, now) => ({ signed: signedBy(webhook, invocationId, report, now) }),
  }
}

function signedBy(webhook: Webhook, id: string, report: object, now: number): SignedRequest {
  const body = JSON.stringify(report)
  const at = new Date(now)
  const timestamp = String(Math.floor(now / 1000))
  return { id, timestamp, signature: webhook.sign(id, at, body), body: Buffer.from(body) }
}

const HEADER = 'x-segno'
const API_PATH = '/api/v1/executions/'

/** A webhook node of n8n with header auth, whose workflow remembers keys, and the part of n8n's public API we ask. */
async function n8nOutside({ hasApi = true } = {}): Promise<Outside> {
  const value = randomBytes(16).toString('hex')
  const apiKey = randomBytes(16).toString('hex')
  const side = await httpOutside({
    refusal: { status: 403, body: { message: 'Forbidden' } },
    busyHeaders: BUSY,
    isAllowed: (headers) => headers[HEADER] === value,
    begunBody: ({ id }) => JSON.stringify({ executionId: id }),
    failure: { status: 500, body: { message: FAILURE } },
    other({ method, url = '', headers }, works) {
      if (headers['x-n8n-api-key'] !== apiKey) return { status: 401, body: { message: 'unauthorized' } }
      const { pathname, searchParams } = new URL(url, 'http://n8n')
      const [id, what, ...rest] = pathname.startsWith(API_PATH) ? pathname.slice(API_PATH.length).split('/') : []
      const work = [...works.values()].find((one) => one.id === id)
      if (!work || rest.length > 0) return undefined
      if (method === 'GET' && what === undefined)
        return { status: 200, body: executionOf(work, searchParams.get('includeData') === 'true') }
      if (method !== 'POST' || what !== 'stop') return undefined
      if (work.state !== 'running') return { status: 409, body: { message: 'Only running executions can be stopped' } }
      work.state = 'canceled'
      return { status: 200, body: executionOf(work, false) }
    },
  })
  return {
    ...side,
    engine: 'n8n',
    target: {
      url: side.start,
      auth: { header: HEADER, value },
      ...(hasApi && { api: { url: side.origin, key: apiKey } }),
    },
    secrets: {},
    finds: hasApi ? 'executions' : undefined,
    cancels: hasApi,
    answersAtOnce: true,
    reporter({ token }) {
      if (token === undefined) throw new Error('no token came along')
      return { token }
    },
  }
}

/** As n8n's public API shows an execution. */
function executionOf({ id, state, output }: HttpWork, isWhole: boolean): Json {
  const lastNodeExecuted = 'Work'
  const run = { startTime: 0, executionTime: 1, executionStatus: state, data: { main: [[{ json: output }]] } }
  const data = { resultData: { lastNodeExecuted, runData: { Webhook: [], [lastNodeExecuted]: [run] } } }
  return {
    id: Number(id),
    finished: state === 'success',
    mode: 'webhook',
    retryOf: null,
    retrySuccessId: null,
    status: state,
    startedAt: '2026-11-19T08:00:00.000Z',
    stoppedAt: state === 'running' ? null : '2026-11-19T08:00:01.000Z',
    workflowId: 'iY7WZQ1u0oTLZPBk',
    waitTill: null,
    ...(isWhole && { data }),
  }
}
