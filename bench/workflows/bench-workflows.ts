import { createClient, type Client, type WorkflowRun } from '../../src/client/index.ts'
import { inTurns } from '../http/in-turns.ts'
import { LATER } from '../http/script.ts'
import { startServe, type Server } from '../http/server.ts'
import { sideBySide } from '../http/side-by-side.ts'
import type { Place } from '../place.ts'
import { compare, type Line } from '../report.ts'
import { interleave, spreadOf, type Side } from '../sampling.ts'
import { HELLO } from '../workloads.ts'
import { expecting, until } from './happening.ts'
import { startReceiver, type Receiver } from './receiver.ts'

const WAITING = 1000
/** What a server takes once for its work, compiled code above all, is not counted. */
const BEFORE = 600
const AT_ONCE = 20
const LIMIT_BYTES = 10 * 1024
const WARM_UP = 3
const LIMITS = {
  // Fewer than calls wait.
  SEGNO_LIMITS_MAX_ROUNDS: '20',
  // All of them stay in memory, so that none is cheap because it was put away.
  SEGNO_LIMITS_MAX_COORDINATORS: String(2 * (WAITING + BEFORE)),
}

interface Serving {
  readonly server: Server
  readonly client: Client
}

/** Calls that wait for a result from outside, next to conversations in which nothing happens. */
export async function benchWorkflows(place: Place, samples: number, servers: number): Promise<Line[]> {
  const receiver = await startReceiver()
  try {
    const side = (message: string) => async () => {
      const it = await startWithWorkflow(place, receiver)
      try {
        return await bytesPerSession(it, message)
      } finally {
        await it.server.stop()
      }
    }
    const [waiting, atRest] = await inTurns([side(LATER), side(HELLO)], servers, 0)
    const name = `memory of a call that waits, of ${WAITING}, next to a session at rest`
    const reached = spreadOf(waiting).median <= LIMIT_BYTES
    return [
      { ...sideBySide(name, waiting, atRest, inKb), aim: { text: '≤ 10 KB', reached, isMust: true } },
      ...(await whileTheyWait(place, receiver, samples)),
    ]
  } finally {
    receiver.stop()
  }
}

async function bytesPerSession(it: Serving, message: string): Promise<number> {
  await played(it, BEFORE, message)
  const before = await it.server.usage('collect')
  await played(it, WAITING, message)
  const after = await it.server.usage('collect')
  return (after.live - before.live) / WAITING
}

/** Slots and times of a server in which many calls wait, next to one in which none does. */
async function whileTheyWait(place: Place, receiver: Receiver, samples: number): Promise<Line[]> {
  const busy = await startWithWorkflow(place, receiver)
  const idle = await startWithWorkflow(place, receiver)
  try {
    await played(busy, WAITING, LATER)
    const held = await slotsHeld(busy)
    const runs = await busy.client.listAll<WorkflowRun>('/api/invocations?status=running')
    const [result, ordinary, alone] = await interleave(
      [callback(busy, receiver, runs), await ordinaryMessage(busy, samples), await ordinaryMessage(idle, samples)],
      samples,
      WARM_UP,
    )
    return [
      {
        name: `slots that ${runs.length} calls hold while they wait, next to all`,
        segno: `${held}`,
        floor: LIMITS.SEGNO_LIMITS_MAX_ROUNDS,
        ratio: held / Number(LIMITS.SEGNO_LIMITS_MAX_ROUNDS),
        aim: { text: 'none', reached: held === 0 && runs.length === WAITING, isMust: true },
      },
      compare(`a message stored while ${WAITING} calls wait, next to none`, ordinary, alone),
      must(compare('a result stored in the log, next to a message', result, ordinary, 2)),
    ]
  } finally {
    await Promise.all([busy.server.stop(), idle.server.stop()])
  }
}

const must = ({ aim, ...line }: Line): Line => ({ ...line, ...(aim && { aim: { ...aim, isMust: true } }) })

/** The other side reports, until the conversation has the result. */
function callback({ client }: Serving, receiver: Receiver, runs: readonly WorkflowRun[]): Side {
  let next = 0
  let report = async (): Promise<void> => {}
  return {
    async prepare() {
      const { id, sessionId = '' } = runs[next++] as WorkflowRun
      const { told } = await expecting(client, sessionId, 'tool.result')
      const headers = { authorization: `Bearer ${receiver.tokenOf(id)}` }
      const body = { status: 'success', output: { of: 'one line' } }
      report = () => done(client.request('POST', `/api/invocations/${id}/result`, { headers, body }), told)
    },
    run: () => report(),
  }
}

/** A message in a conversation of two messages, until it is stored there. */
async function ordinaryMessage({ server, client }: Serving, samples: number): Promise<Side> {
  const ids = await played({ server, client }, samples + WARM_UP, HELLO)
  let say = async (): Promise<void> => {}
  return {
    async prepare() {
      const id = ids.pop() as string
      const { told } = await expecting(client, id, 'message.user')
      say = () => done(send(client, id, HELLO), told)
    },
    run: () => say(),
  }
}

/** What is measured ends when it was told, whenever the request was answered. */
async function done(request: Promise<Response>, told: Promise<void>): Promise<void> {
  await Promise.race([told, request.then(() => told)])
}

const send = (client: Client, sessionId: string, content: string): Promise<Response> =>
  client.request('POST', `/api/sessions/${sessionId}/messages`, { body: { content } })

/** New sessions in which a message was played until its round has ended, or waits for a result. */
async function played({ server, client }: Serving, count: number, message: string): Promise<string[]> {
  const ids = await server.sessions(count)
  const type = message === LATER ? 'round.waiting' : 'round.ended'
  for (let i = 0; i < count; i += AT_ONCE)
    await Promise.all(ids.slice(i, i + AT_ONCE).map((id) => until(client, id, type, () => send(client, id, message))))
  return ids
}

async function slotsHeld({ client }: Serving): Promise<number> {
  const text = await (await client.request('GET', '/metrics')).text()
  return Number(/^segno_rounds_running (\d+)$/m.exec(text)?.[1])
}

async function startWithWorkflow(place: Place, { origin }: Receiver): Promise<Serving> {
  const server = await startServe(place.folder('workflows'), {
    SEGNO_PORT: '0',
    SEGNO_WORKFLOW_ORIGINS: origin,
    // Without it no way back is told; the receiver is here and knows the way.
    SEGNO_PUBLIC_URL: 'http://127.0.0.1:1',
    ...LIMITS,
  })
  const client = createClient({ baseUrl: `http://127.0.0.1:${server.port}` })
  const body = {
    name: 'later',
    description: 'Takes its time.',
    engine: 'http',
    target: { url: `${origin}/later` },
    input: { type: 'object', properties: { of: { type: 'string' } } },
    effect: 'keyed',
    approval: 'auto',
  }
  await client.requestJson('POST', '/api/workflows', { body })
  return { server, client }
}

const inKb = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KB`
