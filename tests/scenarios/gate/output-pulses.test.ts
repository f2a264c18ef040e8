import { expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { Frame } from '../../../src/stream/frame.ts'
import type { DialectName } from '../../../src/stream/index.ts'
import { probe } from '../../support/probe-tool.ts'
import { segnoUnderTest, type SegnoUnderTest } from '../../support/segno-under-test.ts'
import { BASE } from '../http/ask.ts'

/** A tool that says how far it is and goes on when it is let. */
function builder() {
  let goOn: () => void = () => {}
  const held = new Promise<void>((resolve) => (goOn = resolve))
  const tool = probe('build', {
    async run(_, ctx) {
      ctx.say('compiling')
      await held
      return 'built'
    },
  })
  return { tool, goOn: () => goOn() }
}

async function building() {
  const { tool, goOn } = builder()
  const it = await segnoUnderTest({ tools: [tool], turns: [{ calls: [{ name: 'build' }] }, { text: 'Done.' }] })
  return { it, goOn }
}

const isOutput = (frame: Frame) =>
  frame.kind === 'pulse' && frame.pulse.type === 'delta' && frame.pulse.kind === 'output'

/** Every frame of a round; `onOutput` hears of the first output. */
async function frames(it: SegnoUnderTest, requestId: string, outputs: boolean, onOutput = () => {}): Promise<Frame[]> {
  const seen: Frame[] = []
  for await (const frame of it.segno.followRound(it.sessionId, requestId, { outputs })) {
    seen.push(frame)
    if (isOutput(frame)) onOutput()
  }
  return seen
}

for (const protocol of ['unified', 'triggered'] as const)
  test(`${protocol}: who asks for outputs sees what a call puts out while it runs, others do not`, async () => {
    const { it, goOn } = await building()
    const { requestId } = await it.send('Go.', { protocol })
    const [asked, other] = await Promise.all([frames(it, requestId, true, goOn), frames(it, requestId, false)])
    const [first] = asked.filter(isOutput)
    expect(first).toMatchObject({ pulse: { requestId, name: 'build', offset: 0, text: 'compiling' } })
    expect(other.filter(isOutput)).toEqual([])
    expect(JSON.stringify(other)).toContain('built')
  })

test('who comes late sees what was put out before', async () => {
  const { it, goOn } = await building()
  const { requestId } = await it.send()
  let late: Promise<Frame[]> | undefined
  await frames(it, requestId, true, () => void (late ??= frames(it, requestId, true, goOn)))
  expect((await late)?.filter(isOutput)).toMatchObject([{ pulse: { offset: 0, text: 'compiling' } }])
})

test('outputs are shown in the dialects that have a place for them', async () => {
  const { it, goOn } = await building()
  const { requestId } = await it.send()
  const reached = new Set<DialectName>()
  const shown = async (dialect: DialectName, outputs: boolean) => {
    let all = ''
    const where = { sessionId: it.sessionId, workspaceId: 'p', requestId, dialect, outputs }
    for await (const batch of it.segno.stream(LOCAL_OWNER, where)) {
      all += JSON.stringify(batch)
      if (all.includes('compiling')) reached.add(dialect)
      if (reached.size === 2) goOn()
    }
    return all.includes('compiling')
  }
  const dialects = ['native', 'phased', 'chat', 'turns'] as const
  expect(await Promise.all(dialects.map((dialect) => shown(dialect, true)))).toEqual([true, true, false, false])
  expect(await shown('native', false)).toBe(false)
})

test('over HTTP they come with ?outputs=1, and only to who may read the session', async () => {
  const { it, goOn } = await building()
  const { requestId } = await it.send()
  const path = `/api/sessions/${it.sessionId}/events?round=${requestId}`
  const headers = { accept: 'text/event-stream' }
  const open = async (query: string) => it.segno.fetch(new Request(BASE + path + query, { headers }))
  const [plain, full] = await Promise.all([open(''), open('&outputs=1')])
  const read = async (answer: Response) => {
    let all = ''
    for await (const piece of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      all += piece
      if (all.includes('compiling')) goOn()
    }
    return all.includes('compiling')
  }
  expect(await Promise.all([read(plain), read(full)])).toEqual([false, true])
  const stranger = { ...LOCAL_OWNER, id: 'eve', tenant: 'rival' }
  const peeking = it.segno.stream(stranger, {
    sessionId: it.sessionId,
    workspaceId: 'p',
    dialect: 'native',
    outputs: true,
  })
  await expect(peeking[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('nothing is put out after the result: neither what was on its way nor what a tool says later', async () => {
  let later: ((text: string) => void) | undefined
  const tool = probe('build', {
    run(_, { say }) {
      later = say
      say('on its way')
      return 'built'
    },
  })
  const slow = { text: 'This takes a while.', deltaChars: 2, delayMs: 15 }
  const it = await segnoUnderTest({ tools: [tool], turns: [{ calls: [{ name: 'build' }] }, slow] })
  const { requestId } = await it.send()
  const seen: Frame[] = []
  for await (const frame of it.segno.followRound(it.sessionId, requestId, { outputs: true })) {
    seen.push(frame)
    if (frame.kind === 'event' && frame.event.type === 'tool.result') later?.('too late')
  }
  expect(JSON.stringify(seen)).toContain('This takes a while.')
  expect(seen.filter(isOutput)).toEqual([])
})

test('many small pieces come as few, in order, with their place', async () => {
  const words = Array.from({ length: 5000 }, (_, i) => `word ${i}\n`)
  const tool = probe('build', {
    async *run() {
      yield* words
      yield await new Promise<string>((resolve) => (goOn = () => resolve('end')))
    },
  })
  let goOn = () => {}
  const it = await segnoUnderTest({ tools: [tool], turns: [{ calls: [{ name: 'build' }] }, { text: 'Done.' }] })
  const { requestId } = await it.send()
  let text = ''
  let pulses = 0
  for await (const frame of it.segno.followRound(it.sessionId, requestId, { outputs: true })) {
    if (frame.kind !== 'pulse' || frame.pulse.type !== 'delta' || frame.pulse.kind !== 'output') continue
    expect(frame.pulse.offset).toBe(text.length)
    text += frame.pulse.text
    pulses += 1
    if (text.length >= words.join('').length) goOn()
  }
  expect(text).toBe(words.join(''))
  expect(pulses).toBeLessThan(words.length / 100)
})
