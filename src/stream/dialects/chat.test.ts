import { describe, expect, test } from 'vitest'
import { brief, Story, type Told } from './telling.suite.ts'

/** What a simple client shows: text is added, and `message.start` says with what it starts. */
function shownBy(told: readonly Told[]): string {
  let text = ''
  for (const { event, data } of told) {
    const { content } = data['data'] as { content?: string }
    if (event === 'message.start') text = content ?? ''
    if (event === 'message.delta') text += content
  }
  return text
}

const twoTurns = new Story()
  .begin()
  .turn(1)
  .delta('Let me ', 0)
  .delta('see.', 7)
  .message(1, 'Let me see.', { final: false })
  .turnEnded(1)
  .call('c', 'web_search')
  .result('c', 'web_search')
  .turn(2)
  .delta(' Done.', 0, { turn: 2 })
  .message(2, ' Done.')
  .turnEnded(2)
  .ended()

test('a round is one message that grows, with its tools, its end and nothing after it', () => {
  expect(twoTurns.told('chat').map(({ event, data }) => [event, data['data']])).toEqual([
    ['message.start', { messageId: 'r', content: '' }],
    ['message.delta', { content: 'Let me ', turn: 1, offset: 0 }],
    ['message.delta', { content: 'see.', turn: 1, offset: 7 }],
    ['tool.start', { invocationId: 'c', toolName: 'web_search' }],
    ['tool.complete', { invocationId: 'c', toolName: 'web_search', status: 'success' }],
    ['message.delta', { content: ' Done.', turn: 2, offset: 0 }],
    ['message.complete', { messageId: 'r', content: 'Let me see. Done.', tokenCount: 20, finishReason: 'complete' }],
    ['done', {}],
  ])
})

test('a message that was cancelled behind it neither ends the round nor takes its text', () => {
  const story = new Story().begin().turn(1).delta('Half', 0).cancelledBehind().delta(' and all.', 4)
  const told = story.message(1, 'Half and all.').turnEnded(1).ended().told('chat')
  expect(
    told.map(({ event, data }) => [event, (data['data'] as { messageId?: string; content?: string }).content]),
  ).toEqual([
    ['message.start', ''],
    ['message.delta', 'Half'],
    ['message.complete', ''],
    ['message.delta', ' and all.'],
    ['message.complete', 'Half and all.'],
    ['done', undefined],
  ])
  const alone = new Story().cancelledBehind().told('chat')
  expect(alone.map(({ event }) => event)).toEqual(['message.complete', 'done'])
})

test('the type of a frame is in its data too', () => {
  for (const { event, data } of twoTurns.told('chat')) expect(data['type']).toBe(event)
})

test('ids are of stored events or of characters, and of several frames only the last has one', () => {
  expect(brief(twoTurns.told('chat'))).toEqual([
    '1 message.start',
    '3.7 message.delta',
    '3.11 message.delta',
    '6 tool.start',
    '7 tool.complete',
    '8.6 message.delta',
    '- message.complete',
    '11 done',
  ])
})

test('never tells the output of a tool', () => {
  expect(JSON.stringify(twoTurns.told('chat', { outputs: true }))).not.toContain('raw output')
})

test.each(['refused', 'denied', 'error', 'unknown'] as const)(
  'a call that was %s is told with that word',
  (outcome) => {
    const [told] = new Story().result('c', 'look', outcome).told('chat')
    expect(told?.data).toMatchObject({ data: { status: outcome } })
  },
)

test('text that was not streamed comes as a delta', () => {
  const story = new Story().begin().turn(1).delta('So ', 0).message(1, 'So far.').ended()
  expect(brief(story.told('chat'))).toContain('3.7 message.delta')
  expect(shownBy(story.told('chat'))).toBe('So far.')
})

test('a round that failed says why between its message and the end', () => {
  const told = new Story().begin().ended('error', 'the key was refused').told('chat')
  expect(told.map(({ event }) => event)).toEqual(['message.start', 'message.complete', 'error', 'done'])
  expect(told.at(-2)?.data['data']).toEqual({ code: 'MODEL_ERROR', message: 'the key was refused' })
})

test('who has seen the end of one round gets the next', () => {
  const story = new Story().begin().ended().begin().ended()
  expect(brief(story.toldAfter('chat', '3'))).toEqual(['4 message.start', '- message.complete', '6 done'])
})

describe('text that is to be forgotten', () => {
  const retried = (reset: boolean): Story => {
    const story = new Story().begin().turn(1).message(1, 'One. ', { final: false }).turn(2)
    story.delta('old', 0, { turn: 2 }).retried(true, 2)
    if (reset) story.reset(2)
    return story.delta('new', 0, { turn: 2 }).message(2, 'new').ended()
  }

  test('after a retry makes the message start again with what stays, once', () => {
    const told = retried(true).told('chat')
    expect(told.filter(({ event }) => event === 'message.start')).toMatchObject([
      { id: '1', data: { data: { content: '' } } },
      { id: '6', data: { data: { messageId: 'r', content: 'One. ' } } },
    ])
    expect(shownBy(told)).toBe('One. new')
    expect(retried(false).told('chat')).toEqual(told)
  })

  test('is nothing where nothing was shown before a retry', () => {
    const story = new Story().begin().turn(1).retried(false).message(1, 'new')
    expect(brief(story.told('chat'))).toEqual(['1 message.start', '4.3 message.delta'])
  })

  test('by a reset alone is forgotten as well', () => {
    const story = new Story().begin().turn(1).delta('old', 0).reset().delta('new', 0)
    expect(shownBy(story.told('chat'))).toBe('new')
  })

  test('after a takeover of the turn makes the message start again', () => {
    const story = new Story().begin().turn(1).delta('old', 0)
    story.event('round.resumed', { n: 1, turn: 1, reason: 'takeover' }).delta('new', 0)
    expect(brief(story.told('chat'))).toEqual([
      '1 message.start',
      '3.3 message.delta',
      '4 message.start',
      '4.3 message.delta',
    ])
    expect(shownBy(story.told('chat'))).toBe('new')
  })

  test('is nothing when a round goes on between two turns', () => {
    const story = new Story().begin().turn(1).message(1, 'One.').turnEnded(1)
    story.event('round.resumed', { n: 0, turn: 2, reason: 'decided' })
    expect(shownBy(story.told('chat'))).toBe('One.')
    expect(story.told('chat')).toHaveLength(2)
  })

  test('is that of a turn which ends without its message', () => {
    const story = new Story().begin().turn(1).delta('lost', 0).turnEnded(1, 'cancelled')
    story.message(1, '(This could not be finished.)', { own: true }).ended('error', 'x')
    const told = story.told('chat')
    expect(shownBy(told)).toBe('(This could not be finished.)')
    expect(told.at(-3)?.data['data']).toMatchObject({ content: '(This could not be finished.)' })
  })
})

describe('who comes back', () => {
  test.each([
    ['1', 'Let me see. Done.'],
    ['3.7', 'see. Done.'],
    ['3.11', ' Done.'],
    ['7', ' Done.'],
    ['8.3', 'ne.'],
    ['8.6', ''],
    ['11', ''],
  ])('with %s gets exactly the rest', (id, rest) => {
    const told = twoTurns.toldAfter('chat', id)
    expect(shownBy(told)).toBe(rest)
    expect(told.filter(({ event }) => event === 'message.start')).toEqual([])
    expect(told.filter(({ event }) => event === 'done')).toHaveLength(id === '11' ? 0 : 1)
  })

  test('is told all of the text at the end, also what it had before', () => {
    const complete = twoTurns.toldAfter('chat', '8.3').find(({ event }) => event === 'message.complete')
    expect(complete?.data['data']).toMatchObject({ content: 'Let me see. Done.' })
  })
})
