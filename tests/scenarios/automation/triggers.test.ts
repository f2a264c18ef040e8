import { describe, expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { probe, text } from '../../support/probe-tool.ts'
import { verifies } from '../../support/verifies.ts'
import { automated, type Automated } from './support/automated.ts'

const MARK = 'marker.was_reported'

/** Two triggers of one event, of which only the first fits, and one by which the end of it all is seen. */
async function triggered(it: Automated, event: string, fits: object, other: object) {
  const [matching, another, marker] = [
    await it.workflow('matching'),
    await it.workflow('another'),
    await it.workflow('marker'),
  ]
  const { triggers } = it.segno
  const trigger = await triggers.create(LOCAL_OWNER, { event, filter: { ...fits }, workflowId: matching.id })
  await triggers.create(LOCAL_OWNER, { event, filter: { ...other }, workflowId: another.id })
  await triggers.create(LOCAL_OWNER, { event: MARK, workflowId: marker.id })
  let marks = 0
  return {
    trigger,
    matching,
    /** Waits until everything that happened before was told. */
    async settled(): Promise<void> {
      await it.report(MARK)
      await it.outside.until('/marker', ++marks)
    },
  }
}

/** What makes each event happen, and filters of which the first fits. */
const HAPPENINGS: Readonly<
  Record<string, { readonly fits: object; readonly other: object; happen(it: Automated): Promise<unknown> }>
> = {
  'user.signup': {
    fits: { plan: 'pro', 'address.country': 'RW' },
    other: { plan: 'pro', 'address.country': 'DE' },
    happen: (it) => it.report('user.signup', { plan: 'pro', address: { country: 'RW' } }),
  },
  'user.subscription.changed': {
    fits: { seats: 5, trial: false },
    other: { seats: '5', trial: false },
    happen: (it) => it.report('user.subscription.changed', { seats: 5, trial: false }),
  },
  'chat.message.created': {
    fits: { role: 'assistant', chars: 14 },
    other: { role: 'system' },
    happen: (it) => it.ask('Hello.'),
  },
  'knowledge.published': {
    fits: { version: 1, workspaceId: 'system' },
    other: { version: 2, workspaceId: 'system' },
    async happen({ segno }) {
      const draft = await segno.documents.create(LOCAL_OWNER, { title: 'Holidays', content: 'Thirty days.' })
      await segno.documents.submit(LOCAL_OWNER, draft.id)
      await segno.documents.approve(LOCAL_OWNER, draft.id)
      await segno.documents.publish(LOCAL_OWNER, draft.id)
    },
  },
  'memory.created': {
    fits: {},
    other: { memoryId: 'another' },
    happen: ({ segno }) => segno.memories.add(LOCAL_OWNER, { content: 'Likes tea.' }),
  },
  'tool.invocation.failed': {
    fits: { tool: 'breaks', outcome: 'error' },
    other: { tool: 'breaks', outcome: 'timeout' },
    happen: (it) => it.ask('Break.'),
  },
  'approval.requested': {
    fits: { tool: 'send', isQuestion: false },
    other: { tool: 'breaks' },
    happen: (it) => it.askUntilWaiting('Send.'),
  },
  'approval.completed': {
    fits: { tool: 'send', decision: 'deny' },
    other: { tool: 'send', decision: 'approve' },
    async happen(it) {
      const { approvals, round } = await it.askUntilWaiting('Send.')
      await it.decide(approvals[0], 'deny')
      await round.completion
    },
  },
}

const opened = () =>
  automated({
    env: { SEGNO_FOUR_EYES: 'off' },
    tools: [
      probe('send', { effect: 'unsafe', approval: 'ask' }),
      probe('breaks', {
        run: () => {
          throw new Error('no paper')
        },
      }),
    ],
    script: {
      scenarios: [
        { when: 'Send', turns: [{ calls: [{ name: 'send', args: { to: 'ann' } }] }, { text: 'Done.' }] },
        { when: 'Break', turns: [{ calls: [{ name: 'breaks', args: {} }] }, { text: 'It is broken.' }] },
        { when: '', turns: [{ text: 'Good day, Ann.' }] },
      ],
    },
  })

describe('a trigger', () => {
  for (const [event, { fits, other, happen }] of Object.entries(HAPPENINGS))
    verifies('GOV-16', `starts its workflow for ${event} if its filter fits, and only then`, async () => {
      const it = await opened()
      const { settled, matching, trigger } = await triggered(it, event, fits, other)
      await happen(it)
      const { json, headers } = await it.outside.until('/matching')
      await settled()
      expect(Object.keys(json)).toEqual(['event', 'payload', 'timestamp'])
      expect(json['event']).toBe(event)
      expect(new Date(text(json['timestamp'])).toISOString()).toBe(json['timestamp'])
      expect(headers['segno-depth']).toBe('1')
      expect([it.outside.to('/matching').length, it.outside.to('/another').length]).toEqual([1, 0])
      const [run] = await it.runs(matching.id)
      expect(run).toMatchObject({ origin: 'trigger', originId: trigger.id, userId: LOCAL_OWNER.id })
    })
})
