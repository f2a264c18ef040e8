import { describe, expect, test } from 'vitest'
import { draftEvent, type EventDraft } from '../contract/event.ts'
import type { FilePart, Message } from '../contract/message.ts'
import { charsOfFiles } from '../lib/token-guess.ts'
import { anthropicFault } from '../../tests/support/acceptors/anthropic.ts'
import { openAiFault } from '../../tests/support/acceptors/openai.ts'
import { toAnthropic } from '../../tests/support/acceptors/to-anthropic.ts'
import { toOpenAi } from '../../tests/support/acceptors/to-openai.ts'
import { called, givenLog, modelSays, result, text, use, userSays } from '../../tests/support/given-log.ts'
import { verifies } from '../../tests/support/verifies.ts'
import { toMessages, type Presenting } from './to-messages.ts'
import { fold } from './session-state.ts'

const deleted = (target: string): EventDraft => draftEvent('message.deleted', { target, by: 'owner' })
const cleared = (): EventDraft => draftEvent('context.cleared', { by: 'owner' })
const summary = (words: string, upTo: number): EventDraft => draftEvent('compact.summary', { text: words, upTo })

/** The rebuilt conversation, one line a message: `U hello | result a`, `A hi | use a`. Providers must take it. */
function rebuilt(...drafts: EventDraft[]): string[] {
  const { history } = fold(givenLog(...drafts))
  const messages = toMessages(history)
  const next: Message = { role: 'user', content: [{ type: 'text', text: 'next' }], eventIds: [] }
  const last = messages.at(-1)
  const list: Message[] =
    last?.role === 'user'
      ? [...messages.slice(0, -1), { ...last, content: [...last.content, ...next.content] }]
      : [...messages, next]
  expect(anthropicFault(toAnthropic(list))).toBeUndefined()
  expect(openAiFault(toOpenAi(list))).toBeUndefined()
  return messages.map(spell)
}

function spell({ role, content }: Message): string {
  const parts = content.map((part) => {
    if (part.type === 'tool_use') return `use ${part.id}`
    if (part.type === 'tool_result') return `result ${part.tool_use_id}`
    if (part.type === 'file') return `file ${part.hash}`
    return part.type === 'reasoning' ? `(${part.text})` : part.text
  })
  return `${role === 'user' ? 'U' : 'A'} ${parts.join(' | ')}`
}

describe('a conversation', () => {
  verifies('ORC-7', 'holds the user message, every answer, every result and the final answer', () => {
    const exchange = [userSays('hello'), modelSays(1, [text('wait'), use('a')]), called('a'), result('a')]
    expect(rebuilt(...exchange, modelSays(2, [text('done')]))).toEqual([
      'U hello',
      'A wait | use a',
      'U result a',
      'A done',
    ])
  })

  verifies('LIN-5', 'joins results with the user message that follows them', () => {
    expect(rebuilt(userSays('hello'), modelSays(1, [use('a')]), result('a'), userSays('stop'))).toEqual([
      'U hello',
      'A use a',
      'U result a | stop',
    ])
  })

  verifies('LIN-5', 'merges neighbours of the same role', () => {
    expect(
      rebuilt(userSays('one'), userSays('two'), modelSays(1, [text('half')]), modelSays(1, [text('(Stopped.)')])),
    ).toEqual(['U one | two', 'A half | (Stopped.)'])
  })

  verifies('LIN-5', 'puts results in the order asked, however they were stored', () => {
    expect(rebuilt(userSays('hello'), modelSays(1, [use('a'), use('b')]), result('b'), result('a'))).toEqual([
      'U hello',
      'A use a | use b',
      'U result a | result b',
    ])
  })

  verifies('LIN-5', 'rebuilds from older orders: results before their assistant message', () => {
    const old = [userSays('hello'), called('a'), result('a'), result('b'), modelSays(1, [use('a'), use('b')])]
    expect(rebuilt(...old, modelSays(2, [text('done')]))).toEqual([
      'U hello',
      'A use a | use b',
      'U result a | result b',
      'A done',
    ])
    expect(rebuilt(result('a'), userSays('hello'), modelSays(1, [use('a')]))).toEqual([
      'U hello',
      'A use a',
      'U result a',
    ])
  })

  verifies('LIN-3', 'never shows a use without its result, nor a result without its use', () => {
    expect(rebuilt(userSays('hello'), modelSays(1, [text('wait'), use('a')]))).toEqual(['U hello', 'A wait'])
    expect(rebuilt(userSays('hello'), modelSays(1, [use('a'), use('b')]), result('b'))).toEqual([
      'U hello',
      'A use b',
      'U result b',
    ])
    expect(rebuilt(userSays('hello'), result('a'))).toEqual(['U hello'])
  })

  test('leaves out text no provider takes back, and what consists of nothing else', () => {
    expect(rebuilt(userSays('hello'), modelSays(1, [text(' \n'), use('a')]), result('a'))).toEqual([
      'U hello',
      'A use a',
      'U result a',
    ])
    expect(rebuilt(userSays('hello'), modelSays(1, [text('\n\n')]), userSays('and?'))).toEqual(['U hello | and?'])
    const thought = { type: 'reasoning' as const, text: 'hm' }
    expect(rebuilt(userSays('hello'), modelSays(1, [thought]))).toEqual(['U hello'])
    expect(rebuilt(userSays('hello'), modelSays(1, [thought, text('hi')]))).toEqual(['U hello', 'A (hm) | hi'])
  })

  test('shows a made-up tool name so that a provider can be reminded of it', () => {
    const names = ['do it.now', 'löschen', 'x'.repeat(100)]
    const { history } = fold(
      givenLog(
        userSays('hello'),
        modelSays(
          1,
          names.map((name, at) => use(`u${at}`, name)),
        ),
        result('u0'),
        result('u1'),
        result('u2'),
      ),
    )
    const shown = toMessages(history)[1]?.content.map((part) => (part.type === 'tool_use' ? part.name : ''))
    expect(shown).toEqual(['do_it_now', 'l_schen', 'x'.repeat(64)])
  })

  test('says which results are no success, and shows them as the reader wants', () => {
    const events = givenLog(
      userSays('hello'),
      modelSays(1, [use('a'), use('b')]),
      result('a'),
      result('b', 'refused', { code: 'INVALID' }),
    )
    const results = toMessages(
      fold(events).history,
      undefined,
      presenting((content, tool, callId, outcome) => [content, tool, callId, outcome].join('/')),
    ).at(-1)?.content
    expect(results).toEqual([
      { type: 'tool_result', tool_use_id: 'a', content: 'result of a/look/a/ok', is_error: false },
      { type: 'tool_result', tool_use_id: 'b', content: 'result of b/look/b/refused', is_error: true },
    ])
  })

  test('names the events each message was made of', () => {
    const { history } = fold(
      givenLog(userSays('hello'), modelSays(1, [use('a'), use('b')]), result('a'), result('b'), userSays('and?')),
    )
    expect(toMessages(history).map(({ eventIds }) => eventIds)).toEqual([['e1'], ['e2'], ['e3', 'e4', 'e5']])
  })
})

const presenting = (result: Presenting['result']): Presenting => ({
  result,
  summary: (text) => text,
  added: (text) => text,
  retrieved: () => [],
})

describe('a deleted message is gone', () => {
  // e1 … e7
  const said = [
    userSays('one'),
    modelSays(1, [text('wait'), use('a'), use('b')]),
    result('a'),
    result('b'),
    modelSays(2, [text('done')]),
    userSays('two'),
    modelSays(1, [text('fine')]),
  ]
  test.each<[string, string[], string[]]>([
    ['a user message', ['e6'], ['U one', 'A wait | use a | use b', 'U result a | result b', 'A done | fine']],
    [
      'the first one',
      ['e1'],
      [REMOVED(), 'A wait | use a | use b', 'U result a | result b', 'A done', 'U two', 'A fine'],
    ],
    ['an answer', ['e5'], ['U one', 'A wait | use a | use b', 'U result a | result b | two', 'A fine']],
    ['an assistant message, with its calls and their results', ['e2'], ['U one', 'A done', 'U two', 'A fine']],
    ['a result, with its call', ['e3'], ['U one', 'A wait | use b', 'U result b', 'A done', 'U two', 'A fine']],
    ['all results, with their calls', ['e3', 'e4'], ['U one', 'A wait | done', 'U two', 'A fine']],
    [
      'everything the user said',
      ['e1', 'e6'],
      [REMOVED(), 'A wait | use a | use b', 'U result a | result b', 'A done | fine'],
    ],
    ['everything', ['e1', 'e2', 'e5', 'e6', 'e7'], []],
    ['something that is not there', ['e99'], rebuiltAll()],
  ])('%s', (_, targets, then) => {
    expect(rebuilt(...said, ...targets.map(deleted))).toEqual(then)
  })

  test('also when the conversation was rebuilt before', () => {
    const state = fold(givenLog(...said))
    expect(toMessages(state.history).map(spell)).toEqual(rebuiltAll())
    fold(givenLog(...said, deleted('e3')).slice(-1), state)
    expect(toMessages(state.history).map(spell)).not.toContain('A wait | use a | use b')
    expect(
      toMessages(
        state.history,
        undefined,
        presenting(() => 'other'),
      ).map(({ content }) => content[0]),
    ).toContainEqual(expect.objectContaining({ type: 'tool_result', content: 'other' }))
  })

  function REMOVED(): string {
    return 'U (An earlier message was removed.)'
  }

  function rebuiltAll(): string[] {
    return ['U one', 'A wait | use a | use b', 'U result a | result b', 'A done', 'U two', 'A fine']
  }
})

describe('a redacted message is left out', () => {
  test('of the user', () => {
    const given = [userSays('secret', { redacted: true }), modelSays(1, [text('no')]), userSays('two')]
    expect(rebuilt(...given)).toEqual(['U (An earlier message was removed.)', 'A no', 'U two'])
    expect(rebuilt(userSays('one'), modelSays(1, [text('hi')]), ...given)).toEqual(['U one', 'A hi | no', 'U two'])
  })

  test('of the model, with its calls and their results', () => {
    const redacted = modelSays(1, [text('secret'), use('a')], { redacted: true })
    expect(rebuilt(userSays('one'), redacted, result('a'), modelSays(2, [text('done')]))).toEqual(['U one', 'A done'])
  })
})

describe('clearing and compaction', () => {
  const exchange = (name: string): EventDraft[] => [
    userSays(name),
    modelSays(1, [use(name)]),
    result(name),
    modelSays(2, [text(`${name} done`)]),
  ]

  verifies('ORC-5', 'a cleared context begins anew', () => {
    expect(rebuilt(...exchange('one'), cleared())).toEqual([])
    expect(rebuilt(...exchange('one'), cleared(), ...exchange('two'))).toEqual([
      'U two',
      'A use two',
      'U result two',
      'A two done',
    ])
  })

  verifies('LIN-5', 'a summary stands for the exchanges it covers, and only whole ones', () => {
    const after = [
      'U Summary of the conversation so far:\nit went well | two',
      'A use two',
      'U result two',
      'A two done',
    ]
    expect(rebuilt(...exchange('one'), ...exchange('two'), summary('it went well', 4))).toEqual(after)
    // In the middle of an exchange: the whole of it goes, never half a pair.
    expect(rebuilt(...exchange('one'), ...exchange('two'), summary('it went well', 2))).toEqual(after)
    expect(rebuilt(...exchange('one'), ...exchange('two'), summary('it went well', 6))).toEqual([
      'U Summary of the conversation so far:\nit went well',
    ])
  })

  test('a later summary takes the place of the earlier one, and clearing takes both', () => {
    const twice = [...exchange('one'), summary('first', 4), ...exchange('two'), summary('second', 9)]
    expect(rebuilt(...twice)).toEqual(['U Summary of the conversation so far:\nsecond'])
    expect(rebuilt(...twice, cleared(), userSays('new'))).toEqual(['U new'])
  })

  test('a round goes on after the exchange it belongs to was summarised', () => {
    const given = [userSays('one'), modelSays(1, [use('a')]), result('a'), summary('so far', 3)]
    expect(rebuilt(...given, modelSays(2, [use('b')]), result('b'))).toEqual([
      'U Summary of the conversation so far:\nso far',
      'A use b',
      'U result b',
    ])
  })
})

test('files stay with the message they were sent in, and with the result that returned them', () => {
  const picture: FilePart = { type: 'file', mediaType: 'image/png', hash: 'one', bytes: 7 }
  const page: FilePart = { type: 'file', mediaType: 'text/html', name: 'a.html', hash: 'two', bytes: 12 }
  const log = givenLog(
    draftEvent('message.user', { content: [{ type: 'text', text: 'see' }, picture] }),
    modelSays(1, [use('a')]),
    result('a', 'ok', { files: [page] }),
  )
  const { history } = fold(log)
  expect(toMessages(history).map(({ content }) => content)).toEqual([
    [{ type: 'text', text: 'see' }, picture],
    [use('a')],
    [{ type: 'tool_result', tool_use_id: 'a', content: 'result of a', is_error: false, files: [page] }],
  ])
  const [said, , returned] = history.exchanges[0]?.sizes ?? []
  expect([said, returned]).toEqual([
    'see'.length + charsOfFiles([picture]),
    'result of a'.length + charsOfFiles([page]),
  ])
})

verifies('LIN-5', 'as of any earlier event the conversation is what it was then', () => {
  const log = [
    userSays('one'),
    modelSays(1, [use('a')]),
    result('a'),
    modelSays(2, [text('done')]),
    cleared(),
    userSays('two'),
    deleted('e6'),
  ]
  const asOf = log.map((_, at) => rebuilt(...log.slice(0, at + 1)))
  expect(asOf).toEqual([
    ['U one'],
    ['U one'],
    ['U one', 'A use a', 'U result a'],
    ['U one', 'A use a', 'U result a', 'A done'],
    [],
    ['U two'],
    [],
  ])
})

test('sizes are counted message by message, for cutting', () => {
  const { exchanges } = fold(
    givenLog(userSays('hello'), modelSays(1, [text('abc'), use('a', 'look', { x: 1 })]), result('a'), userSays('two')),
  ).history
  expect(exchanges.map(({ sizes, chars }) => [sizes, chars])).toEqual([
    [[5, 3 + 'look'.length + '{"x":1}'.length, 'result of a'.length], 30],
    [[3], 3],
  ])
})

test('many messages in a row that nobody answered are put together in time that grows with their number', () => {
  const many = 60_000
  const { history } = fold(givenLog(...Array.from({ length: many }, (_, i) => userSays(`${i}`))))
  const before = process.threadCpuUsage()
  const messages = toMessages(history)
  const { user, system } = process.threadCpuUsage(before)
  expect(messages.map(({ content, eventIds }) => [content.length, eventIds.length])).toEqual([[many, many]])
  // Copying what is there for each of them takes several seconds.
  expect((user + system) / 1000).toBeLessThan(500)
})
