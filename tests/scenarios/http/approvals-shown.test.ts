import { expect } from 'vitest'
import type { JsonObject } from '../../../src/contract/message.ts'
import { probe, text } from '../../support/probe-tool.ts'
import { said, type Opening } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { asking } from './asking.ts'

const mail = () => probe('mail', { effect: 'unsafe', approval: 'ask', target: ({ to }) => text(to) })
const opening = (args: object) => ({
  tools: [mail()],
  turns: [{ calls: [{ name: 'mail', args: args as Record<string, string> }] }, { text: 'Done.' }],
})

/** Each of them can make a text look like another one. */
const HOSTILE: Readonly<Record<string, string>> = {
  'turns the direction': '\u202e',
  'isolates a direction': '\u2066',
  'has no width': '\u200b',
  'joins without width': '\u2060',
  'is a soft hyphen': '\u00ad',
  'is a byte order mark': '\ufeff',
  'is a tag': '\u{e0041}',
  'chooses a variant': '\ufe0f',
  'is a blank letter': '\u3164',
  'is a space of another width': '\u2003',
  'is a space that does not break': '\u00a0',
  'separates lines': '\u2028',
  'is private': '\ue000',
  'starts a terminal sequence': '\u001b',
  'goes back to the start of the line': '\r',
  deletes: '\u007f',
  'is a control of the upper half': '\u009b',
}
for (const protocol of ['unified', 'triggered'] as const) {
  verifies('ORC-8', `${protocol}: 200 kB of arguments and their destination are shown whole`, async () => {
    const to = `${'recipient '.repeat(20_000)}and the last one`
    const body = `${'all of it '.repeat(20_000)}to the end`
    const it = await asking(opening({ to, body }))
    const [approval] = await it.sendUntilWaiting('Go.', { protocol })
    expect(approval?.args).toEqual({ to, body })
    expect(approval?.target).toBe(to)
    expect(approval?.display.target).toBe(to)
    expect(JSON.parse(approval?.display.args ?? '')).toEqual({ to, body })
    expect(said(await it.events(), 'approval.requested')).toMatchObject([{ args: { to, body }, target: to }])
    await it.decideOverHttp(approval?.id, { decision: 'approve' })
    await it.until('round.ended')
    expect(await it.outcomes()).toEqual(['ok'])
  })
}

for (const [what, hostile] of Object.entries(HOSTILE)) {
  verifies('ORC-8', `a character that ${what} is written as its number, and runs as it is`, async () => {
    const to = `ann${hostile}@example.org`
    const args = { to, [`cc${hostile}`]: 'bob', inside: [{ deep: to }] }
    const { tools, turns } = opening(args)
    const it = await asking({ tools, turns })
    const [approval] = await it.sendUntilWaiting()
    const { display } = approval ?? { display: { target: '', args: '', warnings: [] } }
    const written = `\\u{${(hostile.codePointAt(0) ?? 0).toString(16)}}`
    expect(display.target).toBe(`ann${written}@example.org`)
    expect(display.args.match(/[^\n -~]/u)).toBeNull()
    expect(timesWritten(hostile, written, display.args)).toBe(3)
    expect(display.warnings.join()).toContain(written)
    expect(approval?.args).toEqual(args)
    expect(approval?.target).toBe(to)
    await it.decideOverHttp(approval?.id, { decision: 'approve' })
    await it.until('round.ended')
    expect(tools[0]?.runs.map((run) => run.args)).toEqual([args])
  })
}

/** As we write it, or as JSON already does. */
function timesWritten(character: string, written: string, shown: string): number {
  const inJson = JSON.stringify(character).slice(1, -1)
  return shown.replaceAll(inJson, written).split(written).length - 1
}

verifies(
  'ORC-8',
  'letters of two alphabets in one word are named, ordinary words of any language are not',
  async () => {
    const it = await asking(opening({ to: 'раypal.example', body: 'Grüße, привет, γειά, 你好, naïve' }))
    const [approval] = await it.sendUntilWaiting()
    expect(approval?.display.warnings).toHaveLength(1)
    expect(approval?.display.warnings[0]).toMatch(/Latin.*Cyrillic/)
  },
)

verifies('ORC-8', 'an approval says when it was asked, until when, and whether it can be remembered', async () => {
  const before = Date.now()
  const it = await asking(opening({ to: 'ann' }))
  const [approval] = await it.sendUntilWaiting()
  const [asked, until] = [Date.parse(approval?.requestedAt ?? ''), Date.parse(approval?.expiresAt ?? '')]
  expect(asked).toBeGreaterThanOrEqual(before)
  expect(until - asked).toBe(86_400_000)
  expect(approval).toMatchObject({ tool: 'mail', rememberable: true, isQuestion: false, status: 'pending' })
})

verifies(
  'ORC-8',
  'what is shown is what runs, also where an argument is named like a part of every object',
  async () => {
    const args = JSON.parse('{ "to": "ann", "__proto__": { "bcc": "eve" }, "constructor": "eve" }') as object
    const { tools, turns } = opening(args)
    const it = await asking({ tools, turns })
    const [approval] = await it.sendUntilWaiting()
    await it.decideOverHttp(approval?.id, { decision: 'approve' })
    await it.until('round.ended')
    expect(JSON.stringify(tools[0]?.runs[0]?.args, null, 2)).toBe(approval?.display.args)
    expect(approval?.display.args).toContain('"constructor": "eve"')
  },
)

verifies('ORC-8', 'spaces in a row are shown, so that nothing stands out of sight behind them', async () => {
  const to = `ann@example.org${' '.repeat(100)}, eve@evil.test `
  const it = await asking(opening({ to, body: 'a  b' }))
  const [approval] = await it.sendUntilWaiting()
  const shown = `ann@example.org${'\u2423'.repeat(100)}, eve@evil.test`
  expect(approval?.display.target).toBe(`${shown}\u2423`)
  expect(approval?.display.args).toBe(`{\n  "to": "${shown} ",\n  "body": "a\u2423\u2423b"\n}`)
  expect(approval?.display.warnings).toEqual(['there are 100 spaces in a row: look at what follows'])
  expect(approval?.args).toEqual({ to, body: 'a  b' })
})

verifies('ORC-8', 'what an approval for the session would cover is said', async () => {
  const coversOf = async (name: string, args: object, more: Opening = {}) => {
    const it = await asking({ turns: [{ calls: [{ name, args: args as JsonObject }] }, { text: 'Done.' }], ...more })
    return (await it.sendUntilWaiting())[0]?.display.remembers
  }
  const builtIn = { builtInTools: true }
  const after = 'once text from outside was read, only exactly these arguments'
  expect(await coversOf('write_file', { path: 'a/../notes.txt', content: 'x' }, builtIn)).toBe(
    `every write_file of this target, whatever content and mode will be; ${after}`,
  )
  expect(await coversOf('write_file', { content: 'notes.txt', path: 'notes.txt' }, builtIn)).toContain(
    'content and mode',
  )
  const post = { url: 'https://example.org/api', method: 'POST', body: '{"a":1}', contentType: 'application/json' }
  expect(await coversOf('web_fetch', post, builtIn)).toContain('of this target, whatever as will be;')
  const tools = [
    probe('post', { effect: 'unsafe', approval: 'ask' }),
    probe('always', { effect: 'unsafe', approval: 'always' }),
  ]
  expect(await coversOf('post', { to: 'ann' }, { tools })).toBe('post with exactly these arguments')
  expect(await coversOf('always', { to: 'ann' }, { tools })).toBeUndefined()
})
