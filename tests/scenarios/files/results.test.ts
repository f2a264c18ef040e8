import { expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { withFiles } from '../../../src/contract/tool.ts'
import type { ToolFile } from '../../../src/contract/tool.ts'
import type { Deps } from '../../../src/round/index.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest, type ScriptedTurn, type SegnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { ask } from '../http/ask.ts'
import { openSegno } from '../library/support/open-segno.ts'
import { bytesOf, readFile } from './support/read-file.ts'
import { picture, textFile, type Sample } from './support/sample-files.ts'

const turns: readonly ScriptedTurn[] = [{ calls: [{ name: 'snap' }] }, { text: 'There.' }]
const toolFile = ({ file: { mediaType, name }, bytes }: Sample): ToolFile => ({
  mediaType,
  data: new Uint8Array(bytes),
  ...(name !== undefined && { name }),
})
const snap = (...files: Sample[]) => probe('snap', { run: () => withFiles('snapped', files.map(toolFile)) })

for (const protocol of ['unified', 'triggered'] as const) {
  test(`files a tool returns are kept with its result and can be fetched (${protocol})`, async () => {
    const it = await segnoUnderTest({ turns, tools: [snap(picture(), textFile())] })
    expect(await it.ask('Go.', { protocol })).toMatchObject({ finishReason: 'complete', content: 'There.' })
    const files = [picture().part, textFile().part]
    expect(said(await it.events(), 'tool.result')).toMatchObject([{ content: 'snapped', outcome: 'ok', files }])
    const messages = await it.segno.sessions.messages(LOCAL_OWNER, it.sessionId)
    expect(messages[2]?.content).toMatchObject([{ type: 'tool_result', content: 'snapped', files }])
    await it.reopen()
    for (const one of [picture(), textFile()]) expect(await bytesOf(await readFile(it, one.hash))).toEqual(one.bytes)
  })
}

test('events show the files of a result, but not its output unless it is asked for', async () => {
  const it = await segnoUnderTest({ turns, tools: [snap(picture())] })
  await it.ask()
  const resultOf = async (more: string) => {
    const { body } = await ask(it, 'GET', `/api/sessions/${it.sessionId}/events${more}`)
    return (body['items'] as { type: string; data: unknown }[]).find(({ type }) => type === 'tool.result')?.data
  }
  expect(await resultOf('')).toMatchObject({ files: [picture().part], chars: 'snapped'.length })
  expect(await resultOf('')).not.toHaveProperty('content')
  expect(await resultOf('?outputs=1')).toMatchObject({ files: [picture().part], content: 'snapped' })
})

test('what is too much is left out, and the text of the result says so', async () => {
  const it = await segnoUnderTest({
    turns,
    tools: [snap(textFile('a'), textFile('0123456789x'), textFile('b'), textFile('c'))],
    limits: { FILE_BYTES: 10, MESSAGE_FILES: 3 },
  })
  await it.ask()
  const [result] = said(await it.events(), 'tool.result')
  expect(result?.files).toEqual([textFile('a').part, textFile('b').part])
  expect(result?.content).toMatch(/^snapped\n\[left out: file 2, .*FILE_BYTES.*\]\n\[left out: 1 more, .*MESSAGE_FILES/)
})

test('a call that is looked up after a restart may have files too', async () => {
  const tool = probe('snap', {
    effect: 'verifiable',
    approval: 'auto',
    run: () => new Promise(() => {}),
    verify: async () => ({ happened: true, output: withFiles('found', [toolFile(picture())]) }),
  })
  const it = await segnoUnderTest({ turns, tools: [tool] })
  await it.send()
  await it.until('tool.started')
  await it.reopen()
  await it.until('round.ended')
  expect(said(await it.events(), 'tool.result')).toMatchObject([{ content: 'found', files: [picture().part] }])
})

test('of files that were returned neither the audit log nor the trace holds anything', async () => {
  const it = await segnoUnderTest({ turns, tools: [snap(textFile(), picture())] })
  const { requestId } = await it.ask()
  const told = JSON.stringify([
    await Array.fromAsync(it.segno.audit.export(LOCAL_OWNER)),
    await it.segno.readings.trace(LOCAL_OWNER, requestId),
  ])
  expect(told).toContain('snapped')
  for (const secret of ['CONFIDENTIAL', 'photo', textFile().json.data]) expect(told).not.toContain(secret)
})

verifies('LIN-1', 'the loop can read the bytes of whatever a prompt may name', async () => {
  let deps: Deps | undefined
  const segno = await openSegno(
    { model: { scenarios: [{ when: '', turns: [...turns] }] }, tools: [snap(textFile())] },
    { deps: (made) => (deps = made) },
  )
  const { id } = await segno.createSession()
  await (
    await segno.streamRequest(id, [picture().file])
  ).completion
  const found = await deps?.files([picture().hash, textFile().hash, 'nothing'])
  expect([...(found ?? [])].map(([hash, bytes]) => [hash, Buffer.from(bytes)])).toEqual([
    [picture().hash, picture().bytes],
    [textFile().hash, textFile().bytes],
  ])
})

/** The files a model was given in its last call, wherever they stand in the prompt. */
function filesGiven(it: SegnoUnderTest): unknown[] {
  const found: unknown[] = []
  JSON.stringify(it.requests.at(-1)?.prompt, (_, value: unknown) => {
    const isFile = typeof value === 'object' && value !== null && 'type' in value && value.type === 'file'
    if (isFile && 'data' in value) found.push((value.data as { data: Uint8Array }).data)
    return value
  })
  return found
}

for (const protocol of ['unified', 'triggered'] as const) {
  test(`the model is given the bytes of what was sent and returned, also after a restart (${protocol})`, async () => {
    const [sent, returned] = [picture(), picture('returned')]
    const it = await segnoUnderTest({ turns, tools: [snap(returned)] })
    const bytes = [new Uint8Array(sent.bytes), new Uint8Array(returned.bytes)]
    await it.ask([sent.file], { protocol })
    expect(it.requests).toHaveLength(2)
    expect(filesGiven(it)).toEqual(bytes)
    await it.reopen({ turns: [{ text: 'Again.' }] })
    await it.ask('And now?', { protocol })
    expect(filesGiven(it)).toEqual(bytes)
  })
}
