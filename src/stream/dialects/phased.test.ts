import { describe, expect, test } from 'vitest'
import { brief, Story } from './telling.suite.ts'

const FIELDS = ['phase', 'requestId', 'projectId', 'phaseIndex', 'cycleIndex']
const live = (text: string) => new Story().delta(text, 0).frames

test('every frame has the five fields, null where there are no phases', () => {
  const story = new Story().begin().turn(1).delta('hm', 0, { kind: 'reasoning' }).delta('Hi.', 0).reset()
  for (const { data } of story.told('phased')) {
    for (const field of FIELDS) expect(data).toHaveProperty(field)
    expect(data).toMatchObject({ phase: null, phaseIndex: null, cycleIndex: null, requestId: 'r', projectId: 'p' })
  }
})

test('frames of a triggered round say its phase', () => {
  const story = new Story()
    .begin('triggered')
    .event('phase.started', { phase: 'action_phase', phaseIndex: 2, cycleIndex: 2 })
    .turn(1)
    .delta('Hi.', 0)
    .ended()
  const told = story.told('phased').map(({ data }) => [data['phase'], data['phaseIndex']])
  expect(told).toEqual([
    ['tool_phase', 1],
    ['tool_phase', 1],
    ['action_phase', 2],
    ['action_phase', 2],
    ['action_phase', 2],
    ['complete', 3],
  ])
})

test('a text delta has the number of its turn and the characters after it as its id; others have none', () => {
  const story = new Story()
    .begin()
    .turn(1)
    .delta('hm', 0, { kind: 'reasoning' })
    .delta('So ', 0)
    .delta('far.', 3)
    .delta('{}', 0, { kind: 'args', callId: 'c', name: 'look' })
    .message(1, 'So far.')
  expect(brief(story.told('phased')).slice(2)).toEqual([
    '3 turn.started',
    '- delta',
    '3.3 delta',
    '3.7 delta',
    '- delta',
    '4 message.assistant',
  ])
})

describe('who comes back inside a turn', () => {
  const running = new Story().begin().turn(1)
  const over = new Story().begin().turn(1).message(1, 'So far, so good.').turnEnded(1)

  test('gets the live text from its offset on', () => {
    const [delta] = running.toldAfter('phased', '3.3', live('So far.'))
    expect(delta).toMatchObject({ id: '3.7', data: { offset: 3, text: 'far.' } })
  })

  test('gets nothing while there is nothing new', () => {
    expect(running.toldAfter('phased', '3.7', live('So far.'))).toEqual([])
  })

  test('gets the rest of the text before its message, once that is stored', () => {
    const [delta, message] = over.toldAfter('phased', '3.7')
    expect(delta).toMatchObject({ id: '3.16', event: 'delta', data: { turn: 1, offset: 7, text: ' so good.' } })
    expect(message).toMatchObject({ id: '4', event: 'message.assistant' })
  })

  test('gets no delta when it has all', () => {
    expect(brief(over.toldAfter('phased', '3.16'))).toEqual(['4 message.assistant', '5 turn.ended'])
  })

  test('gets the whole new text after a retry it has not heard of', () => {
    const story = new Story().begin().turn(1).retried(true).message(1, 'New.')
    expect(brief(story.toldAfter('phased', '3.2'))).toEqual(['4 turn.retried', '4.4 delta', '5 message.assistant'])
  })

  test('goes on after a retry it has heard of, and does not hear of it again', () => {
    const story = new Story().begin().turn(1).retried(true).message(1, 'New.')
    expect(brief(story.toldAfter('phased', '4.2'))).toEqual(['4.4 delta', '5 message.assistant'])
  })
})

test('an event in the middle of the text does not make a reader get the text twice', () => {
  const story = new Story().begin().turn(1).delta('So ', 0).event('session.changed', { title: 'x' }, null)
  expect(brief(story.told('phased')).at(-1)).toBe('4.3 session.changed')
  expect(story.toldAfter('phased', '4.3', live('So far.'))).toMatchObject([{ id: '4.7', data: { text: 'far.' } }])
})

test("Segno's own last words come as a delta after those of the turn", () => {
  const story = new Story()
    .begin()
    .turn(1)
    .delta('half', 0)
    .message(1, 'half', { final: false, interrupted: true })
    .turnEnded(1, 'cancelled')
    .message(1, '(Stopped.)', { own: true })
  expect(story.told('phased').at(-2)).toMatchObject({ id: '5.14', data: { turn: 1, offset: 4, text: '(Stopped.)' } })
  expect(brief(story.toldAfter('phased', '5.14'))).toEqual(['6 message.assistant'])
})

test('a delta that does not go on from what was shown is left to the message', () => {
  const story = new Story().begin().turn(1).delta('later', 9).message(1, 'Something later')
  expect(story.told('phased').slice(3)).toMatchObject([
    { id: '3.15', data: { offset: 0, text: 'Something later' } },
    { id: '4' },
  ])
})
