import { setTimeout } from 'node:timers/promises'
import { expect } from 'vitest'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

/** Tools that note when they begin and end; `look` only reads, `mail` does not. */
function noting(notes: string[]) {
  const run = async ({ n, ms }: { n?: unknown; ms?: unknown }): Promise<string> => {
    notes.push(`${Number(n)} begins`)
    await setTimeout(Number(ms ?? 5))
    notes.push(`${Number(n)} ends`)
    return `result ${Number(n)}`
  }
  return [probe('look', { run }), probe('mail', { effect: 'unsafe', run }), probe('peek', { approval: 'ask', run })]
}

async function notesOf(calls: readonly { name: string; args: { n: number; ms?: number } }[], limits: object = {}) {
  const notes: string[] = []
  const segno = await segnoUnderTest({ tools: noting(notes), turns: [{ calls }, { text: 'Done.' }] })
  const { events } = await segno.ask('Go.', { attended: false, limits })
  return { notes, results: said(events, 'tool.result').map(({ content }) => content) }
}

const look = (n: number, ms?: number) => ({ name: 'look', args: { n, ...(ms !== undefined && { ms }) } })
const mail = (n: number) => ({ name: 'mail', args: { n } })

verifies('LIN-2', 'calls of one message that only read run at the same time', async () => {
  const { notes } = await notesOf([look(1), look(2), look(3)])
  expect(notes.slice(0, 3)).toEqual(['1 begins', '2 begins', '3 begins'])
})

verifies('LIN-2', 'their results are stored in the order asked, whoever ends first', async () => {
  const { notes, results } = await notesOf([look(1, 60), look(2, 30), look(3, 1)])
  expect(notes.slice(3)).toEqual(['3 ends', '2 ends', '1 ends'])
  expect(results).toEqual(['result 1', 'result 2', 'result 3'])
})

verifies('LIN-2', 'a call that does more than read runs alone and in its place', async () => {
  const { notes, results } = await notesOf([look(1), look(2), mail(3), mail(4), look(5), look(6)])
  expect(notes.slice(0, 2)).toEqual(['1 begins', '2 begins'])
  expect(notes.slice(4, 8)).toEqual(['3 begins', '3 ends', '4 begins', '4 ends'])
  expect(notes.slice(8, 10)).toEqual(['5 begins', '6 begins'])
  expect(results).toEqual([1, 2, 3, 4, 5, 6].map((n) => `result ${n}`))
})

verifies('LIN-2', 'a call that is refused in between keeps its place among the results', async () => {
  const { results } = await notesOf([
    look(1),
    { name: 'gone', args: { n: 2 } },
    look(3),
    { name: 'peek', args: { n: 4 } },
  ])
  expect(results.map((text) => text.split(' ')[0])).toEqual(['result', 'There', 'result', 'Denied:'])
})

verifies('GOV-7', 'calls that run at the same time do not overrun the limit of calls', async () => {
  const { notes, results } = await notesOf([look(1), look(2), look(3), look(4)], { maxToolCalls: 3 })
  expect(notes.filter((note) => note.endsWith('begins'))).toHaveLength(3)
  expect(results[3]).toContain('has used its 3 calls')
})

verifies('LIN-3', 'one that fails or hangs does not keep the others from their results', async () => {
  const tools = [
    probe('look'),
    probe('fail', { run: () => Promise.reject(new Error('broken')) }),
    probe('hang', { timeoutMs: 10, run: () => new Promise(() => {}) }),
  ]
  const calls = ['hang', 'look', 'fail'].map((name) => ({ name }))
  const segno = await segnoUnderTest({ tools, turns: [{ calls }, { text: 'Done.' }] })
  const { events } = await segno.ask()
  expect(said(events, 'tool.result').map(({ outcome }) => outcome)).toEqual(['timeout', 'ok', 'error'])
})
