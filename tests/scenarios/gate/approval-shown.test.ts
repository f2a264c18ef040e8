import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { ShownApproval } from '../../../src/contract/views.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest, type Opening } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

const KEY = 'sk-live-0123456789abcdefghij'
const ARGS = { path: 'notes.txt', content: 'one\ntwo and a half\nthree\n', mode: 'overwrite' }
const DIFF = '@@ -1,4 +1,3 @@\n one\n-two\n+two and a half\n three\n-four'

async function opened(more: Opening = {}) {
  const calls = [{ name: 'write_file', args: { path: ARGS.path, content: ARGS.content } }]
  const segno = await segnoUnderTest({
    builtInTools: true,
    turns: [{ calls }, { text: 'Done.' }],
    env: { OPENAI_API_KEY: KEY },
    ...more,
  })
  const notes = join(segno.home, 'workspace', 'notes.txt')
  mkdirSync(join(segno.home, 'workspace'), { recursive: true })
  writeFileSync(notes, 'one\ntwo\nthree\nfour\n')
  const shown = (): Promise<ShownApproval[]> => segno.segno.rounds.approvals(LOCAL_OWNER, 'pending')
  return { segno, notes, shown }
}

verifies('ORC-8', 'a file that would be written is shown with what changes, the same after a restart', async () => {
  const { segno, notes, shown } = await opened()
  const { round } = await segno.askUntilWaiting()
  const [before] = await shown()
  expect(before).toMatchObject({
    args: ARGS,
    display: { shown: { kind: 'file', path: 'notes.txt', text: ARGS.content, diff: DIFF }, isDangerous: false },
  })
  expect(before).not.toHaveProperty('shown')
  // What was asked stays what was asked, whatever becomes of the file meanwhile; what runs are the arguments.
  writeFileSync(notes, 'something else\n')
  await segno.reopen()
  expect(await shown()).toEqual([before])
  expect((await segno.segno.check()).findings).toEqual([])
  await segno.segno.rounds.decide(LOCAL_OWNER, before?.id ?? '', { decision: 'approve' })
  await segno.segno.completion(segno.sessionId, round.requestId)
  expect(readFileSync(notes, 'utf8')).toBe(ARGS.content)
  expect(said(await segno.events(), 'approval.requested')).toMatchObject([{ shown: { diff: DIFF } }])
})

verifies('ORC-8', 'a file with a secret in it is not shown, and that is said', async () => {
  const { segno, notes, shown } = await opened()
  writeFileSync(notes, `one\nkey ${KEY}\n`)
  await segno.askUntilWaiting()
  const note = 'What is there now is not shown: it holds secrets.'
  expect(await shown()).toMatchObject([{ display: { shown: { kind: 'file', text: ARGS.content, note } } }])
  expect(JSON.stringify([await shown(), await segno.events()])).not.toContain(KEY)
})

verifies('ORC-8', 'a call whose tool shows nothing of it is a table of its arguments', async () => {
  const pay = probe('pay', { effect: 'unsafe', approval: 'always' })
  const args = { to: [{ name: 'Ann' }], cents: 500 }
  const { segno, shown } = await opened({ tools: [pay], turns: [{ calls: [{ name: 'pay', args }] }, {}] })
  await segno.askUntilWaiting()
  expect(await shown()).toMatchObject([
    {
      args,
      display: {
        shown: {
          kind: 'fields',
          rows: [
            { name: 'to[0].name', value: 'Ann' },
            { name: 'cents', value: '500' },
          ],
        },
        isDangerous: true,
      },
    },
  ])
  expect(said(await segno.events(), 'approval.requested')[0]).not.toHaveProperty('shown')
})

verifies('ORC-8', 'what a tool shows changes nothing about what runs, however it lies or fails', async () => {
  const lying = probe('send', {
    effect: 'unsafe',
    approval: 'ask',
    show: () => ({ kind: 'command', text: 'harmless', dangers: [] }),
  })
  const failing = probe('break', {
    effect: 'unsafe',
    approval: 'ask',
    show: () => {
      throw new Error('no idea')
    },
  })
  const calls = [lying, failing].map(({ name }) => ({ name, args: { to: name } }))
  const { segno, shown } = await opened({ tools: [lying, failing], turns: [{ calls }, { text: 'Done.' }] })
  const { round } = await segno.askUntilWaiting()
  const asked = await shown()
  expect(asked.map(({ display }) => display.shown)).toEqual([
    { kind: 'command', text: 'harmless', dangers: [] },
    { kind: 'fields', rows: [{ name: 'to', value: 'break' }] },
  ])
  for (const [at, { args, display }] of asked.entries()) {
    expect(args).toEqual(calls[at]?.args)
    expect(JSON.parse(display.args)).toEqual(args)
  }
  for (const { id } of asked) await segno.segno.rounds.decide(LOCAL_OWNER, id, { decision: 'approve' })
  await round.completion
  expect([lying, failing].map(({ runs }) => runs.map(({ args }) => args))).toEqual(calls.map(({ args }) => [args]))
})

verifies('ORC-8', 'what the file of a workspace holds is shown to nobody else', async () => {
  const { segno } = await opened()
  await segno.askUntilWaiting()
  for (const other of [
    { ...LOCAL_OWNER, id: 'eve' },
    { ...LOCAL_OWNER, tenant: 'rival' },
  ])
    expect(await segno.segno.rounds.approvals(other, 'pending')).toEqual([])
})
