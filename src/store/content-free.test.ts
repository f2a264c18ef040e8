import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { verifies } from '../../tests/support/verifies.ts'
import { auditRecord, AUDIT_ACTIONS, AUDIT_FIELDS, type AuditMetadata, type AuditRecord } from '../contract/audit.ts'
import { sha256 } from '../lib/hash.ts'
import { contentFree } from './content-free.ts'
import { threadTime } from '../../tests/support/own-time.ts'

const CANARY = 'The canary sings at midnight'
const record = auditRecord(
  'tool_executed',
  { id: 'r1', at: 1_700_000_000_000, userId: 'ada', tenant: 'local', sessionId: 's1', requestId: 'q1' },
  { tool: 'web_fetch', callId: 'c1', outcome: 'ok', durationMs: 12, inputHash: sha256('x') },
)
const hostile = (more: object): AuditRecord => ({ ...record, ...more })
const meta = (metadata: object): AuditMetadata => contentFree(hostile({ metadata })).metadata

test('a record that says only what it may is kept as it is', () => {
  expect(contentFree(record)).toEqual(record)
})

describe('content does not get in', () => {
  for (const field of ['message.content', 'tool.output', 'file.content', 'memory.content', 'response.text']) {
    const [outer = '', inner = ''] = field.split('.')
    verifies('ORC-11', `as ${field}, dotted or nested, in the record or in its metadata`, () => {
      for (const metadata of [
        { [field]: CANARY },
        { [outer]: { [inner]: CANARY } },
        { [outer]: [{ [inner]: CANARY }] },
        { [outer]: CANARY, [inner]: CANARY },
        { tool: { [field]: CANARY } },
      ]) {
        const kept = contentFree(hostile({ ...metadata, metadata }))
        expect(JSON.stringify(kept)).not.toContain('canary')
        expect(Object.keys(kept)).toEqual(Object.keys(record))
      }
    })
  }

  verifies('ORC-11', 'in any field but that of an error, which takes a text and redacts it', () => {
    for (const field of Object.keys(AUDIT_FIELDS)) {
      for (const value of [CANARY, [CANARY], { text: CANARY }, { toJSON: () => CANARY }]) {
        if (field === 'error' && value === CANARY) continue
        expect(JSON.stringify(meta({ [field]: value })), field).not.toContain('canary')
      }
    }
  })

  verifies('ORC-11', 'in the place of an id, a word or a time', () => {
    for (const field of Object.keys(record)) {
      for (const value of [CANARY, [CANARY], { text: CANARY }, { toJSON: () => CANARY }]) {
        expect(JSON.stringify(contentFree(hostile({ [field]: value }))), field).not.toContain('canary')
      }
    }
  })

  test('as metadata that is no object', () => {
    for (const metadata of [CANARY, [CANARY], null, undefined, () => CANARY]) {
      expect(contentFree(hostile({ metadata })).metadata).toEqual({})
    }
  })

  test('through names that every object has', () => {
    const given = JSON.parse(
      `{"__proto__":{"tool":"${CANARY}"},"constructor":"${CANARY}","toString":"x","toJSON":"x"}`,
    ) as object
    expect(meta(given)).toEqual({})
    expect(contentFree(hostile({ action: 'constructor' })).action).toBe('unrecognised')
  })

  verifies('ORC-11', 'whatever a record holds: only known fields, each with what it is for', () => {
    const fields = fc.constantFrom(...Object.keys(AUDIT_FIELDS), 'content', 'text', 'message.content', '__proto__')
    const values = fc.oneof(
      fc.string(),
      fc.string().map((s) => `${s} ${CANARY}`),
      fc.jsonValue(),
      fc.double(),
    )
    fc.assert(
      fc.property(
        fc.dictionary(
          fields.filter((field) => field !== 'error'),
          values,
        ),
        (metadata) => {
          const kept = contentFree(hostile({ metadata, action: metadata['tool'], userId: metadata['callId'] }))
          expect(JSON.stringify(kept)).not.toContain('canary')
          expect(Object.keys(kept.metadata).filter((field) => !Object.hasOwn(AUDIT_FIELDS, field))).toEqual([])
          expect(Object.keys(AUDIT_ACTIONS)).toContain(kept.action)
        },
      ),
    )
  })
})

describe('what a field is for', () => {
  test('an id or a name that is a sentence is known by its hash', () => {
    expect(meta({ callId: CANARY, tool: CANARY })).toEqual({
      callId: `sha256:${sha256(CANARY)}`,
      tool: `sha256:${sha256(CANARY)}`,
    })
    expect(contentFree(hostile({ userId: 'x'.repeat(201) })).userId).toMatch(/^sha256:/)
  })

  test('a word is one of its list', () => {
    expect(meta({ outcome: 'ok', effect: 'ok', mode: 'Act', protocol: 'unified', decision: ['approve'] })).toEqual({
      outcome: 'ok',
      protocol: 'unified',
    })
  })

  test('a number is finite, a boolean is one, a hash looks like one', () => {
    expect(meta({ chars: Number.NaN, cost: Infinity, turns: '3', estimated: 1, inputHash: 'abc' })).toEqual({})
  })

  test('a category is that of the action, whatever the record says', () => {
    expect(contentFree(hostile({ category: CANARY, action: 'message_error' })).category).toBe('channel')
  })

  test('a record of nothing at all is still a record', () => {
    expect(contentFree({} as AuditRecord)).toEqual({
      id: 'unknown',
      at: 0,
      category: 'access',
      action: 'unrecognised',
      severity: 'warning',
      requestId: null,
      sessionId: null,
      userId: 'unknown',
      tenant: 'unknown',
      metadata: {},
    })
  })
})

describe('an error', () => {
  const error = (text: string): unknown => meta({ error: text }).error

  verifies('ORC-11', 'is cut to 500 characters', () => {
    expect(error('so it goes '.repeat(1000))).toHaveLength(500)
  })

  test.each([
    ['e-mail addresses', 'mail to ada@example.org failed', 'mail to [email] failed'],
    ['URLs', 'GET https://example.org/a?token=b failed', 'GET [url] failed'],
    ['URLs of other kinds', 'cannot reach postgres://u:p@db', 'cannot reach [url]'],
    ['long tokens', 'key sk-abcdefghijklmnopqrstuvwxyz is bad', 'key [token] is bad'],
    ['text in quotes', `expected "my diary" or 'your diary' here`, 'expected [quoted] or [quoted] here'],
    ['text in other quotes', '`a b` “c d” «e f» ‘g h’', '[quoted] [quoted] [quoted] [quoted]'],
    ['text in a quote that never ends', 'unexpected "my diary and all', 'unexpected [quoted]'],
  ])('loses %s', (_, text, expected) => {
    expect(error(text)).toBe(expected)
  })

  test('of a hundred million characters is cut in a moment', () => {
    const novel = 'a@'.repeat(50_000_000)
    expect(threadTime(() => error(novel))).toBeLessThan(1000)
  })

  test('holds no half of a character', () => {
    expect(String(error(`${'x '.repeat(249)}x😀`)).isWellFormed()).toBe(true)
  })
})
