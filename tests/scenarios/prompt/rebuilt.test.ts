import { describe, expect, onTestFinished, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { SentPromptView } from '../../../src/contract/views.ts'
import { newId } from '../../../src/lib/id.ts'
import type { Model } from '../../../src/model/index.ts'
import { WIRE } from '../../support/compose-under-test.ts'
import { probe } from '../../support/probe-tool.ts'
import { rebuiltFault, type SentCall } from '../../support/rebuild-sent.ts'
import { said, segnoUnderTest, type Opening, type SegnoUnderTest } from '../../support/segno-under-test.ts'
import { openStoreOf } from '../../support/store-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { ended, fact, said as spoken, started } from '../../conformance/store/facts.ts'
import { SessionWriter } from '../../conformance/store/session-writer.ts'
import { ask } from '../http/ask.ts'
import { conversations, FILLER, talk, wordsIn } from '../session/support/talk.ts'
import { holder } from './support.ts'

const script: NonNullable<Opening['script']> = {
  scenarios: [
    {
      when: '^Look',
      turns: [
        { reasoning: 'Where?', text: 'Let me see.', calls: [{ name: 'look', args: { n: 1 } }] },
        { calls: [{ name: 'look', args: { n: 2 } }] },
        { text: 'Seen.' },
      ],
    },
    {
      when: '^Fail',
      turns: [{ fault: { kind: 'overloaded' } }, { fault: { kind: 'error', status: 401 } }, { text: 'Ok.' }],
    },
    {
      when: '^Long',
      turns: [{ fault: { kind: 'error', status: 400, code: 'context_length_exceeded' } }, { text: 'Ok.' }],
    },
    { when: '^Stall', turns: [{ text: 'Well', fault: { kind: 'stall', afterDeltas: 1 } }], repeat: true },
  ],
  otherwise: { text: `Noted. ${FILLER}` },
}

/** Another provider is sent something else; over a wire there is only one. */
const OTHER: Partial<Model> = WIRE ? {} : { provider: 'anthropic', modelId: 'other', temperature: 0.2 }

/** A Segno of which every request is kept with what the log said by then. */
async function recorded(more: Opening = {}) {
  const sent: SentCall[] = []
  const entries = new Map<string, Model>()
  const opening: Opening = {
    script,
    tools: [probe('look', { run: ({ n }) => `Shelf ${Number(n)}. ${FILLER}` })],
    entry: (model) => ({ ...model, window: 8000, maxOutput: 1000, fallback: 'other' }),
    others: { other: (model) => ({ ...model, window: 6000, ...OTHER }) },
    limits: { BREAKER_FAILURES: 0, RETRIES: 1 },
    model: (language) => ({
      ...language,
      async doStream(options) {
        const { requestId } = (options.providerOptions?.['segno'] ?? { requestId: '' }) as { requestId: string }
        const round = await it.segno.rounds.get(LOCAL_OWNER, requestId).catch(() => undefined)
        if (round) {
          const log = await it.segno.sessions.events(LOCAL_OWNER, round.sessionId)
          const start = log.findLast((event) => event.type === 'turn.started' || event.type === 'turn.retried')
          const model = start && 'model' in start.data ? start.data.model : ''
          sent.push({ sessionId: round.sessionId, requestId, model, options, seq: log.length })
        }
        return language.doStream(options)
      },
    }),
    ...more,
  }
  const it: SegnoUnderTest = await segnoUnderTest({
    ...opening,
    entry: (model) => keep(opening.entry?.(model) ?? model),
    others: Object.fromEntries(
      Object.entries(opening.others ?? {}).map(([key, other]) => [key, (model) => keep({ ...other(model), key })]),
    ),
  })
  function keep(model: Model): Model {
    entries.set(model.key, model)
    return model
  }

  /** Compares all of them, of all sessions. */
  async function compare(): Promise<number> {
    await it.segno.close()
    const store = await openStoreOf(it.home)
    onTestFinished(() => store.close())
    const faults: string[] = []
    for (const one of sent) {
      const fault = await rebuiltFault(store, one, (key) => entries.get(key) as Model)
      if (fault !== undefined) faults.push(fault)
    }
    expect(faults).toEqual([])
    return sent.length
  }
  return { it, sent, compare }
}

const promptOf = async (it: SegnoUnderTest, requestId: string, query = ''): Promise<SentPromptView> => {
  const { status, body } = await ask(it, 'GET', `/api/rounds/${requestId}/prompt${query}`)
  expect([status, body['code']]).toEqual([200, undefined])
  return body as unknown as SentPromptView
}
const partsOf = ({ layers }: SentPromptView, name: string) => layers.find((layer) => layer.name === name)?.parts ?? []

for (const protocol of ['unified', 'triggered'] as const)
  verifies(
    'LIN-8',
    `${protocol}: what was sent is rebuilt to the byte after tools, failures, fallbacks, summaries, forks and restarts`,
    async () => {
      const { it, compare } = await recorded()
      const { segno } = it
      await it.ask('Look there.', { protocol })
      await it.ask('Fail now.', { protocol })
      await segno.preferences.put(LOCAL_OWNER, { customInstructions: 'Call me Ishmael.' })
      await it.ask('Look again.', { protocol })
      const { events } = await it.ask('Long ago.', { protocol })
      expect(said(events, 'turn.retried')).toHaveLength(1)
      await segno.prompts.activate(LOCAL_OWNER, await approvedHere(it))
      for (let n = 0; n < 14; n += 1) await it.ask(`Message ${n}. ${FILLER}`, { protocol })
      await it.ask('Look once more.', { protocol, mode: 'plan' })
      const log = await it.events()
      expect(said(log, 'compact.summary').length).toBeGreaterThan(1)
      const message = log.find(({ type }) => type === 'message.user')
      await segno.sessions.deleteMessage(LOCAL_OWNER, it.sessionId, message?.id ?? '')
      const fork = await segno.sessions.fork(LOCAL_OWNER, it.sessionId, log.length - 3)
      await it.ask('Look from here.', { protocol, sessionId: fork.id })

      const { requestId } = await it.send('Stall.', { protocol })
      await it.until('turn.started', said(log, 'turn.started').length + 1)
      // What is set differently now is sent otherwise by the next owner of the turn.
      await segno.preferences.put(LOCAL_OWNER, { responseLength: 'concise' })
      await it.reopen({ limits: { HISTORY_MESSAGES: 8, DRAIN_MS: 0 }, script: { otherwise: { text: 'Ok.' } } })
      expect(await it.segno.completion(it.sessionId, requestId)).toMatchObject({ finishReason: 'complete' })
      await it.ask('And then?', { protocol })
      expect(await compare()).toBeGreaterThan(30)
    },
  )

/** A prompt of `local` that somebody else approved. */
async function approvedHere({ segno }: SegnoUnderTest): Promise<string> {
  const { id } = await segno.prompts.create(LOCAL_OWNER, { name: 'Rules', content: 'You are a librarian.' })
  await segno.prompts.submit(LOCAL_OWNER, id)
  await segno.prompts.approve({ ...LOCAL_OWNER, id: 'bob' }, id)
  return id
}

test('a restart with other limits in the middle of a turn is on record with what is sent then', async () => {
  const { it, compare } = await recorded({ limits: { COMPACT_PERCENT: 0, HISTORY_MESSAGES: 12, DRAIN_MS: 0 } })
  await talk(it, 9)
  await it.send('Stall.')
  await it.until('turn.started', 10)
  await it.reopen({ limits: { COMPACT_PERCENT: 0, HISTORY_MESSAGES: 6 }, script: { otherwise: { text: 'Ok.' } } })
  await it.until('round.ended', 10)
  const events = await it.events()
  expect(said(events, 'turn.retried')).toMatchObject([{ attempt: 0, reason: 'Segno went on after a stop' }])
  const starts = events.filter((event) => event.type === 'turn.started')
  expect(said(events, 'turn.retried')[0]?.from).toBeGreaterThan(starts.at(-1)?.data.from ?? Infinity)
  await compare()
})

describe('the prompt of a turn', () => {
  verifies(['LIN-8', 'GOV-2'], 'is shown by the API: layers in order, with hashes, tools and settings', async () => {
    const it = await segnoUnderTest({
      script,
      tools: [probe('look')],
      entry: (model) => ({ ...model, temperature: 0.3 }),
    })
    await it.segno.preferences.put(LOCAL_OWNER, { formality: 'formal' })
    const { requestId, events } = await it.ask('Look there.')
    const first = await promptOf(it, requestId)
    expect(first).toMatchObject({
      requestId,
      turn: 1,
      attempt: 1,
      model: 'scripted',
      isExact: true,
      leftOut: [],
      notes: [],
    })
    expect(first.layers.map(({ name }) => name)).toEqual([
      'core',
      'system',
      'preferences',
      'context',
      'conversation',
      'guardrail',
    ])
    expect(first.parameters).toEqual({ maxOutput: 4000, temperature: 0.3, mayUseTools: true })
    expect(first.tools.map(({ name }) => name)).toEqual(['look'])
    const [request] = conversations(it)
    const system = request?.prompt.filter(({ role }) => role === 'system').map(({ content }) => content)
    const texts = ['core', 'system', 'preferences', 'guardrail'].flatMap((name) => partsOf(first, name))
    expect(texts.map(({ text }) => text)).toEqual(system)
    expect(partsOf(first, 'context').map(({ id }) => id)).toEqual(['date', 'system'])
    const { sent } = said(events, 'turn.started')[0] ?? {}
    expect(texts.map(({ hash }) => hash)).toEqual(sent?.parts.map(({ hash }) => hash))
    expect(partsOf(await promptOf(it, requestId, '?turn=2'), 'conversation')).toHaveLength(3)
    expect(partsOf(await promptOf(it, requestId, '?turn=3'), 'conversation')).toHaveLength(5)
  })

  verifies('LIN-8', 'of each attempt that was sent something else is shown by its number', async () => {
    const { it } = await recorded()
    await talk(it, 6)
    const { requestId } = await it.ask('Long ago.')
    const [first, second] = [await promptOf(it, requestId, '?attempt=1'), await promptOf(it, requestId, '?attempt=2')]
    expect(partsOf(first, 'conversation').length).toBeGreaterThan(partsOf(second, 'conversation').length)
    expect(second).toEqual(await promptOf(it, requestId))
    expect(second.leftOut).toMatchObject([{ why: 'A summary stands for them.' }])
    const { status, body } = await ask(it, 'GET', `/api/rounds/${requestId}/prompt?attempt=3`)
    expect([status, body['code']]).toEqual([404, 'NOT_FOUND'])
  })

  verifies(['LIN-8', 'GOV-3'], 'says what was left out of it and why', async () => {
    const it = await segnoUnderTest({ ...small, script, limits: { COMPACT_PERCENT: 0 } })
    await talk(it, 20)
    const { requestId } = await it.ask('And now?')
    const { leftOut } = await promptOf(it, requestId)
    expect(leftOut).toMatchObject([{ what: expect.stringMatching(/^\d+ earlier messages$/) as string }])
    expect(leftOut[0]?.why).toContain('CONTEXT_TOKENS')
    expect(leftOut[0]?.tokens).toBeGreaterThan(1000)
  })

  verifies(['LIN-8', 'GOV-5'], 'shows erased preferences as erased, and everything else as it was', async () => {
    const it = await segnoUnderTest({ script })
    await it.segno.preferences.put(LOCAL_OWNER, { customInstructions: 'Call me Ishmael.' })
    const { requestId } = await it.ask('Hello.')
    const before = await promptOf(it, requestId)
    expect(partsOf(before, 'preferences')[0]?.text).toContain('Ishmael')
    expect((await ask(it, 'DELETE', '/api/preferences')).status).toBe(204)
    const after = await promptOf(it, requestId)
    expect(JSON.stringify(after)).not.toContain('Ishmael')
    expect(after.isExact).toBe(false)
    const [part] = partsOf(after, 'preferences')
    const { text: _, tokens: __, ...known } = partsOf(before, 'preferences')[0] ?? { text: '', tokens: 0 }
    expect(part).toMatchObject({ ...known, erased: true })
    expect(part).not.toHaveProperty('text')
    for (const name of ['core', 'system', 'context', 'conversation'])
      expect(partsOf(after, name), name).toEqual(partsOf(before, name))
    expect((await it.ask('Go on.')).finishReason).toBe('complete')
    expect(wordsIn(conversations(it).at(-1))).not.toContain('Ishmael')
  })

  verifies('LIN-8', 'shows a message that was deleted since as erased, and a summary made from it too', async () => {
    const { it } = await recorded()
    await it.ask('My number is 555-0199.')
    const { requestId: plain } = await it.ask('Hello.')
    await talk(it, 6)
    const { requestId: summarised } = await it.ask('Long ago.')
    const event = (await it.events()).find(({ type }) => type === 'message.user')
    expect(JSON.stringify(await promptOf(it, plain))).toContain('555-0199')
    await it.segno.sessions.deleteMessage(LOCAL_OWNER, it.sessionId, event?.id ?? '')
    for (const requestId of [plain, summarised]) {
      const prompt = await promptOf(it, requestId)
      expect(JSON.stringify(prompt), requestId).not.toContain('555-0199')
      expect(partsOf(prompt, 'conversation').filter(({ erased }) => erased)).toHaveLength(1)
      expect(prompt.isExact).toBe(false)
    }
    const [first, ...rest] = partsOf(await promptOf(it, plain), 'conversation')
    expect(first).toMatchObject({ role: 'user', erased: true, eventIds: [event?.id] })
    for (const part of rest) expect(part.text).toBeDefined()
  })

  verifies('LIN-8', 'of a round from before prompts were recorded is 404 and says so', async () => {
    const it = await segnoUnderTest()
    await it.segno.close()
    const store = await openStoreOf(it.home)
    const writer = await SessionWriter.create(store, { actor: { id: LOCAL_OWNER.id, tenant: LOCAL_OWNER.tenant } })
    const requestId = newId()
    const before = { turn: 1, model: 'scripted', last: false, layerHashes: ['abc'] }
    await writer.write(started(requestId), spoken('hello'), fact('turn.started', before, requestId), ended(requestId))
    await store.close()
    await it.reopen()
    const { status, body } = await ask(it, 'GET', `/api/rounds/${requestId}/prompt`)
    expect([status, body['code']]).toEqual([404, 'NOT_FOUND'])
    expect(body['detail']).toMatch(/not recorded/)
  })

  verifies(['LIN-8', 'GOV-32'], 'is nobody else’s to see, with any role', async () => {
    const it = await segnoUnderTest({ script })
    const { requestId } = await it.ask('Hello.')
    for (const role of ['user', 'admin', 'auditor', 'super_admin'] as const) {
      const others = await holder(it, 'bob', role, 'local')
      const { status } = await others('GET', `/api/rounds/${requestId}/prompt`)
      expect([role, status]).toEqual([role, role === 'auditor' ? 403 : 404])
    }
    for (const query of ['?turn=0', '?turn=x', '?turn=2', '?attempt=0', '?other=1']) {
      const { status } = await ask(it, 'GET', `/api/rounds/${requestId}/prompt${query}`)
      expect([query, status]).toEqual([query, query === '?turn=2' ? 404 : 400])
    }
    expect((await ask(it, 'GET', '/api/rounds/nobody/prompt')).status).toBe(404)
  })
})

const small: Opening = { entry: (model) => ({ ...model, window: 8000, maxOutput: 1000 }) }
