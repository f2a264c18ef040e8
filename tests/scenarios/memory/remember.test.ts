import { describe, expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { probe } from '../../support/probe-tool.ts'
import { said } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { contentsOf, memoriesOf, rememberingSegno, remembers } from './support.ts'

const resultsOf = (events: Parameters<typeof said>[0]) => said(events, 'tool.result')

describe('the tool remember', () => {
  verifies(
    'GOV-18',
    'stores what a model notes, with the message it came from and without content in the audit',
    async () => {
      const it = await rememberingSegno({
        turns: [
          {
            calls: [
              { name: 'remember', args: { content: 'Likes zanzibar tea', category: 'preference', importance: 7 } },
            ],
          },
          { text: 'Noted.' },
        ],
      })
      const { events } = await it.ask('I like zanzibar tea.')
      const [message] = events.filter(({ type }) => type === 'message.user')
      expect(await memoriesOf(it)).toMatchObject([
        {
          content: 'Likes zanzibar tea',
          category: 'preference',
          importance: 7,
          source: 'ai_extraction',
          method: 'tool',
          status: 'active',
          sessionId: it.sessionId,
          eventId: message?.id,
        },
      ])
      expect(resultsOf(events)).toMatchObject([{ outcome: 'ok', content: 'Remembered.', own: true }])
      const audit = (await Array.fromAsync(it.segno.audit.export(LOCAL_OWNER))).join('')
      expect(audit).toContain('memory_created')
      expect(audit).not.toContain('zanzibar')
    },
  )

  verifies('GOV-18', 'counts for no other limit, neither its calls nor turns with nothing else', async () => {
    const look = probe('look')
    const facts = Array.from({ length: 6 }, (_, at) => `Fact number ${at + 1} about foxes`)
    const it = await rememberingSegno({
      tools: [look],
      limits: { MAX_ITERATIONS: 2, MAX_TOOL_CALLS: 1 },
      turns: [
        remembers(...facts.slice(0, 3)),
        remembers(...facts.slice(3, 5)),
        { calls: [{ name: 'look' }] },
        remembers(...facts.slice(5)),
        { text: 'Done.' },
      ],
    })
    const { events, finishReason } = await it.ask('Go.')
    expect(contentsOf(await memoriesOf(it))).toEqual(facts.slice(0, 5))
    expect(look.runs).toHaveLength(1)
    expect(finishReason).toBe('tool_limit')
    expect(resultsOf(events).map(({ outcome, code }) => code ?? outcome)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok', 'ok'])
  })

  verifies('GOV-18', 'is refused the sixth time, whether notes were calls or tags', async () => {
    const it = await rememberingSegno({
      turns: [
        { text: '[REMEMBER: a fox][REMEMBER: a hare]', ...remembers('a cat', 'a dog', 'a cow', 'a pig') },
        { text: 'Done. [REMEMBER: a bear]' },
      ],
    })
    const { events } = await it.ask('Go.')
    const codes = resultsOf(events).map(({ outcome, code }) => code ?? outcome)
    expect(codes).toEqual(['ok', 'ok', 'ok', 'LIMIT'])
    await expect
      .poll(async () => contentsOf(await memoriesOf(it)).sort())
      .toEqual(['a cat', 'a cow', 'a dog', 'a fox', 'a hare'])
    expect(said(events, 'message.assistant').at(-1)?.remembers).toBeUndefined()
  })

  verifies('GOV-18', 'keeps no round going: turns of nothing but refused notes count as any others', async () => {
    const it = await rememberingSegno({
      limits: { MAX_ITERATIONS: 3 },
      turns: Array.from({ length: 20 }, (_, at) => remembers(`Fact ${at} is about foxes number ${at}`)),
    })
    const { events, finishReason } = await it.ask('Go.')
    expect(finishReason).toBe('iteration_limit')
    const codes = resultsOf(events).map(({ outcome, code }) => code ?? outcome)
    expect(codes.slice(0, 8)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok', 'LIMIT', 'LIMIT', 'LIMIT'])
    expect(said(events, 'turn.started')).toHaveLength(9)
  })

  verifies(
    ['GOV-5', 'GOV-18'],
    'is not offered without consent, nor in triggered rounds, nor for planning',
    async () => {
      const it = await rememberingSegno({ repeat: true, turns: [{ text: 'Hello.' }] })
      const offered = () => (it.requests.at(-1)?.tools ?? []).map(({ name }) => name)
      const told = () => JSON.stringify(it.requests.at(-1)?.prompt.filter(({ role }) => role === 'system'))
      await it.ask('Go.')
      expect(offered()).toContain('remember')
      expect(told()).toContain('with the tool remember')
      await it.ask('Go.', { protocol: 'triggered' })
      expect(offered()).not.toContain('remember')
      expect(told()).toContain('[REMEMBER: the fact]')
      for (const options of [{ mode: 'plan' }, { enableTools: false }, { enableTools: ['calculator'] }] as const) {
        await it.ask('Go.', options)
        expect(offered()).not.toContain('remember')
        expect(told()).not.toContain('REMEMBER')
        expect(told()).not.toContain('tool remember')
      }
      await it.segno.preferences.put(LOCAL_OWNER, {})
      await it.ask('Go.')
      expect(offered()).not.toContain('remember')
      expect(told()).not.toContain('tool remember')
    },
  )

  verifies('GOV-5', 'does nothing when it is called without consent, or in a triggered round', async () => {
    const turns = [remembers('Likes tea'), { text: 'Done.' }]
    const it = await rememberingSegno({ script: { scenarios: [{ when: '', turns }] } })
    const { events: triggered } = await it.ask('Go.', { protocol: 'triggered' })
    expect(resultsOf(triggered)).toMatchObject([{ outcome: 'refused', code: 'MODE' }])
    await it.segno.preferences.put(LOCAL_OWNER, { allowMemory: false })
    const { events } = await it.ask('Go.')
    expect(resultsOf(events)).toMatchObject([{ outcome: 'refused', code: 'PERMISSION' }])
    expect(await memoriesOf(it)).toEqual([])
  })

  verifies('GOV-18', 'keeps no secrets, whether a call or a tag says them', async () => {
    const secrets = ['The password is zanzibar1', `Key ${'a1'.repeat(16)}`, 'Uses sk-zanzibar-0123456789abcdef']
    const it = await rememberingSegno({
      script: {
        scenarios: [
          { when: 'call', turns: [remembers(...secrets), { text: 'Done.' }] },
          { when: 'tag', turns: [{ text: secrets.map((one) => `[REMEMBER: ${one}]`).join('') }] },
        ],
      },
    })
    const { events } = await it.ask('call')
    expect(resultsOf(events).map(({ outcome, effect }) => [outcome, effect])).toEqual(
      secrets.map(() => ['error', 'none']),
    )
    expect(resultsOf(events)[0]?.content).toContain('looks like a password')
    const { events: tagged } = await it.ask('tag')
    expect(JSON.stringify(said(tagged, 'message.assistant'))).not.toMatch(/zanzibar|a1a1/)
    expect(await memoriesOf(it)).toEqual([])
  })

  verifies('GOV-18', 'only proposes where foreign text was read, and does not taint by itself', async () => {
    const foreign = probe('look')
    const it = await rememberingSegno({
      tools: [foreign],
      script: {
        scenarios: [
          { when: 'clean', turns: [remembers('Likes tea'), { text: 'Done. [REMEMBER: Likes cake]' }] },
          {
            when: 'foreign',
            turns: [
              { calls: [{ name: 'look' }] },
              remembers('Likes evil'),
              { text: 'Done. [REMEMBER: Likes villains]' },
            ],
          },
        ],
      },
    })
    await it.ask('clean')
    await expect.poll(async () => (await memoriesOf(it)).length).toBe(2)
    const { events } = await it.ask('foreign')
    expect(resultsOf(events).at(-1)?.content).toContain('Proposed')
    await expect
      .poll(async () => (await memoriesOf(it)).map(({ content, status }) => [content, status]))
      .toEqual([
        ['Likes tea', 'active'],
        ['Likes cake', 'active'],
        ['Likes evil', 'proposed'],
        ['Likes villains', 'proposed'],
      ])
    const usable = await it.segno.memories.usable(LOCAL_OWNER.tenant, LOCAL_OWNER.id)
    expect(contentsOf(usable).sort()).toEqual(['Likes cake', 'Likes tea'])
    const evil = (await memoriesOf(it))[2]
    await it.segno.memories.change(LOCAL_OWNER, evil?.id ?? '', { status: 'active' })
    expect(await it.segno.memories.usable(LOCAL_OWNER.tenant, LOCAL_OWNER.id)).toHaveLength(3)
  })
})

describe('a memory that is said again', () => {
  verifies('GOV-18', 'is the same one whatever became of it, and each counts whatever became of it', async () => {
    const it = await rememberingSegno({ limits: { MEMORIES: 2 } })
    const { tenant, id: userId } = LOCAL_OWNER
    let id = 0
    const suggest = async (content: string, isTainted: boolean) => {
      const whose = { tenant, userId, at: Date.now() + 60_000, id: `memory-${(id += 1)}` } as const
      return (await it.segno.memories.suggest({ ...whose, content, isTainted, method: 'tool' }))?.memory.status
    }
    const { id: tea } = await it.segno.memories.add(LOCAL_OWNER, { content: 'Likes tea' })
    expect(await suggest('likes tea', true)).toBe('active')
    expect(await suggest('Has a dog', true)).toBe('proposed')
    for (const isTainted of [true, false])
      await expect(suggest('Has a cat', isTainted)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await suggest('Has a dog.', false)).toBe('active')
    expect((await memoriesOf(it)).map(({ content, status }) => [content, status])).toEqual([
      ['Likes tea', 'active'],
      ['Has a dog', 'active'],
    ])
    expect((await it.segno.memories.get(LOCAL_OWNER, tea)).revision).toBe(1)
  })

  verifies('GOV-18', 'is there once; one that replaces another keeps the link', async () => {
    const replaces = { content: 'Lives in Lisbon', replaces: 'lives in KIGALI.' }
    const it = await rememberingSegno({
      turns: [
        remembers('Lives in Kigali', 'lives in  Kigali!'),
        { calls: [{ name: 'remember', args: replaces }] },
        { text: 'Done. [REMEMBER: LIVES in Lisbon]' },
      ],
    })
    const { events } = await it.ask('Go.')
    const words = resultsOf(events).map(({ content }) => content)
    expect(words).toEqual([
      'Remembered.',
      'It was remembered already.',
      'Remembered, instead of what was there before.',
    ])
    await expect.poll(async () => (await it.segno.jobs.list(LOCAL_OWNER)).items).toEqual([])
    const [kigali, lisbon, ...more] = await memoriesOf(it)
    expect(more).toEqual([])
    expect(kigali).toMatchObject({ content: 'Lives in Kigali', status: 'replaced' })
    expect(lisbon).toMatchObject({ content: 'Lives in Lisbon', status: 'active', supersedes: kigali?.id })
  })

  test('in the same words but for one replaces the one before', async () => {
    const { segno } = await rememberingSegno()
    // On a busy machine, loading the model takes longer than somebody waits for a vector.
    await segno.embedder.embed(['Hello.'])
    const add = (content: string) => segno.memories.add(LOCAL_OWNER, { content, category: 'fact' })
    const may = await add('Project Falcon is due in May')
    const tea = await add('Likes tea')
    const june = await add('Project Falcon is due in June')
    const cats = await add('Likes cats')
    expect(june.supersedes).toBe(may.id)
    expect([tea.supersedes, cats.supersedes]).toEqual([undefined, undefined])
    expect(await segno.memories.get(LOCAL_OWNER, may.id)).toMatchObject({ status: 'replaced' })
    const other = await segno.memories.add(LOCAL_OWNER, {
      content: 'Project Falcon is due in July',
      category: 'project',
    })
    expect(other.supersedes).toBeUndefined()
  })
})
