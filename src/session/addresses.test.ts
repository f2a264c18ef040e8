import { describe, expect, test } from 'vitest'
import { draftEvent, type EventDraft } from '../contract/event.ts'
import {
  called,
  decided,
  givenLog,
  modelSays,
  requested,
  result,
  roundStarted,
  use,
  userSays,
} from '../../tests/support/given-log.ts'
import { builtChars, hrefsIn, MOST_NAMED } from './addresses.ts'
import { fold } from './session-state.ts'
import { threadTime } from '../../tests/support/own-time.ts'

const state = (...drafts: EventDraft[]) => fold(givenLog(roundStarted(), ...drafts))
const isNamed = (href: string, ...drafts: EventDraft[]): boolean => builtChars(state(...drafts).addresses, [href]) === 0

describe('an address is named', () => {
  const href = 'https://docs.example.org/a/b'
  const fetched = (content: string, more: object = {}): EventDraft =>
    result('c', 'ok', { name: 'web_fetch', content, ...more })

  test.each([
    ['a sentence', `Look at ${href}.`],
    ['brackets', `(see ${href})`],
    ['markdown', `[this](${href}), and more`],
    ['JSON', JSON.stringify({ href })],
    ['HTML', `<a href="${href}">x</a>`],
    ['another spelling', 'https://DOCS.example.org:443/x/../a/b#part'],
    ['a line of its own', `first\n${href}\nlast`],
  ])('by a message of the user and by a fetched page, in %s', (_, text) => {
    expect(isNamed(href, userSays(text))).toBe(true)
    expect(isNamed(href, fetched(text))).toBe(true)
  })

  test('with brackets in it, written either way', () => {
    const written = 'https://en.wikipedia.org/wiki/Segno_(music)'
    for (const text of [`see ${written}.`, `[x](${written.replace('(', '%28').replace(')', '%29')})`])
      expect(isNamed(written, userSays(text)), text).toBe(true)
    expect(isNamed(written.replace('(', '%28').replace(')', '%29'), userSays(written))).toBe(true)
  })

  test('never by files, commands, MCP servers, errors, the model or an attached file', () => {
    for (const name of ['read_file', 'bash', 'odd__look', 'search_files', 'deep_reasoning'])
      expect(isNamed(href, result('c', 'ok', { name, content: href })), name).toBe(false)
    for (const outcome of ['error', 'timeout', 'cancelled', 'refused', 'denied', 'unknown'] as const)
      expect(isNamed(href, result('c', outcome, { name: 'web_fetch', content: href })), outcome).toBe(false)
    const file = { type: 'file', mediaType: 'text/plain', name: href, blob: 'b', bytes: 1 } as const
    expect(isNamed(href, draftEvent('message.user', { content: [file as never] }))).toBe(false)
  })

  test('not by the answer to a call that a person let through once', () => {
    const asking = [modelSays(1, [use('c', 'web_fetch', { url: href })]), called('c', 1, 'web_fetch')]
    const answer = fetched(`${href} — 200 OK, see https://docs.example.org/next`)
    expect(isNamed(href, ...asking, answer)).toBe(true)
    const approved = [...asking, requested('c'), decided('c', 'approve'), answer]
    expect(isNamed(href, ...approved)).toBe(false)
    expect(isNamed('https://docs.example.org/next', ...approved)).toBe(true)
    expect(isNamed(href, userSays(href), ...approved)).toBe(true)
  })

  test('exactly: not what is longer, shorter, of another case or host', () => {
    const said = userSays(`Look at ${href}, please.`)
    for (const other of [`${href}/`, `${href}c`, 'https://docs.example.org/a', 'https://docs.example.org/A/b'])
      expect(isNamed(other, said), other).toBe(false)
    expect(isNamed('https://dox.example.org/a/b', said)).toBe(false)
  })

  test('until the conversation is cleared, and in forks', () => {
    const actor = { id: 'owner', tenant: 'local' }
    const parent = { sessionId: 'p', seq: 1 }
    const fork = draftEvent('session.forked', { actor, workspaceId: 'w', title: '', parent })
    expect(isNamed(href, userSays(href), fork)).toBe(true)
    expect(isNamed(href, userSays(href), draftEvent('context.cleared', { by: 'owner' }))).toBe(false)
  })

  test('until many others were named since', () => {
    const many = (count: number): string => Array.from({ length: count }, (_, at) => `https://a.test/${at}`).join(' ')
    expect(isNamed(href, userSays(href), fetched(many(MOST_NAMED - 1)))).toBe(true)
    const { addresses } = state(userSays(href), fetched(many(MOST_NAMED)))
    expect(addresses.named.size).toBe(MOST_NAMED)
    expect(builtChars(addresses, [href])).toBe('/a/b'.length)
  })
})

describe('characters of paths', () => {
  const started = (chars: number): EventDraft =>
    draftEvent('tool.started', { callId: 'c', idempotencyKey: 'k', effect: 'pure', reserved: 0, builtChars: chars })

  test('are summed over calls and rounds, until the conversation is cleared', () => {
    expect(state(started(40), roundStarted({ id: 'r2' }), started(2)).addresses.builtChars).toBe(42)
    expect(state(started(40), draftEvent('context.cleared', { by: 'owner' })).addresses.builtChars).toBe(0)
  })

  test('are those that are sent: of letters outside ASCII there are more', () => {
    expect(builtChars({ named: new Set() }, ['https://a.test/', 'https://b.test/é'])).toBe(1 + '/%C3%A9'.length)
    expect(builtChars({ named: new Set() }, ['nonsense'])).toBe(8)
  })
})

test('a long text without end is read once', () => {
  for (const text of ['https://'.repeat(40_000), 'https://a/'.repeat(40_000), `https://a/${'('.repeat(400_000)}`]) {
    expect(threadTime(() => hrefsIn(text))).toBeLessThan(1000)
  }
})
