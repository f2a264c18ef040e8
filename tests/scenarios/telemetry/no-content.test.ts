import { expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { StoredEvent } from '../../../src/contract/event.ts'
import { createLog, createMetrics, createTracing, logEvents } from '../../../src/telemetry/index.ts'
import { probe } from '../../support/probe-tool.ts'
import { segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { collector } from './support/collector.ts'

/** What people, models and tools say; each place has its own word, so that a leak names where it comes from. */
const PLACES = [
  'title',
  'message',
  'argument',
  'malformed',
  'tool_name',
  'provider_call_id',
  'text',
  'reasoning',
  'output',
  'tool_error',
  'denial',
  'fork_title',
] as const
const canary = (place: (typeof PLACES)[number]): string => `canary-${place}-7f3a`

verifies('COO-7', 'lets nothing that was said into a metric, a log line or a span', async () => {
  const under = await segnoUnderTest({
    tools: [
      probe('look', { run: () => canary('output') }),
      probe('break', {
        run: () => {
          throw new Error(canary('tool_error'))
        },
      }),
      probe('send', { effect: 'unsafe', approval: 'ask', target: (args) => JSON.stringify(args) }),
    ],
    turns: [
      {
        reasoning: canary('reasoning'),
        text: canary('text'),
        calls: [
          { name: 'look', args: { q: canary('argument') }, id: canary('provider_call_id') },
          { name: 'break' },
          { name: canary('tool_name') },
          { name: 'look', rawArgs: `{"${canary('malformed')}` },
          { name: 'send', args: { to: canary('argument') } },
        ],
      },
      { fault: { kind: 'error', status: 503 } },
      { text: canary('text') },
    ],
  })
  const { id } = await under.segno.createSession({ title: canary('title') })
  const { endpoint, received } = await collector()
  const lines: string[] = []
  const tracing = createTracing({ endpoint, version: '1', describeModel: (key) => ({ provider: key, model: key }) })
  const log = createLog({ level: 'debug', write: (line) => lines.push(line) })
  const zero = () => 0
  const metrics = createMetrics(
    {
      streams: zero,
      roundsRunning: zero,
      roundsQueued: zero,
      sessionsLive: zero,
      spansLost: zero,
      nodes: zero,
      leaseLeft: zero,
    },
    { version: '1', knownModel: () => true },
  )
  const followers = [metrics.see, tracing.see, logEvents(log)]
  const seen: StoredEvent[] = []
  const see = (sessionId: string, events: readonly StoredEvent[]): void => {
    seen.push(...events)
    for (const follower of followers) follower(sessionId, events)
  }

  const round = await under.send(canary('message'), { sessionId: id })
  for await (const frame of under.segno.follow(id)) {
    if (frame.kind === 'event' && frame.event.type === 'round.waiting') break
  }
  const [approval] = await under.pending()
  await under.decide(approval, 'deny', { reason: canary('denial') })
  await round.completion
  see(id, await under.segno.sessions.events(LOCAL_OWNER, id))
  const waiting = seen.find(({ type }) => type === 'round.waiting')
  const fork = await under.segno.sessions.fork(LOCAL_OWNER, id, waiting?.seq ?? 0, canary('fork_title'))
  see(fork.id, await under.segno.sessions.events(LOCAL_OWNER, fork.id, { after: waiting?.seq ?? 0 }))
  await tracing.close()

  const stored = JSON.stringify(seen)
  expect(PLACES.filter((place) => !stored.includes(canary(place)))).toEqual([])
  const told = { metrics: metrics.text(), lines: lines.join(''), spans: received.map(({ body }) => body).join('') }
  for (const [where, text] of Object.entries(told)) {
    expect(text.length, where).toBeGreaterThan(100)
    expect(
      PLACES.filter((place) => text.includes(canary(place))),
      where,
    ).toEqual([])
    expect(text, where).not.toContain('canary')
  }
  expect(told.lines).toContain(round.requestId)
  expect(told.spans).toContain('execute_tool look')
})
