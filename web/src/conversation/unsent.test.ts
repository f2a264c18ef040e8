import { expect, test } from 'vitest'
import { foldRound } from '../log/fold-round.ts'
import { answeredRound, someLog } from '../log/some-log.suite.ts'
import { contentOf, notInLog, titleOf, type Unsent } from './unsent.ts'

const unsent = (more: Partial<Unsent> = {}): Unsent => ({
  key: 'k',
  owner: 'here/ada',
  at: 0,
  place: { kind: 'session', sessionId: 's' },
  text: 'hello',
  files: [],
  mode: 'act',
  onBusy: 'queue',
  after: 0,
  state: 'sending',
  ...more,
})
const event = someLog()
const rounds = [
  foldRound('r1', answeredRound(event, 'r1', 'hello')),
  foldRound('r2', answeredRound(event, 'r2', 'hello')),
]

test('a message is on its way until the log has its round', () => {
  expect(notInLog([unsent({ state: 'accepted', requestId: 'r3' })], rounds)).toHaveLength(1)
  expect(notInLog([unsent({ state: 'accepted', requestId: 'r2' })], rounds)).toEqual([])
})

test('a message that the log has before the answer to it has come is not shown twice', () => {
  expect(notInLog([unsent()], rounds)).toEqual([])
})

test('an equal message from before is not taken for the new one', () => {
  expect(notInLog([unsent({ after: rounds[1]?.lastSeq ?? 0 })], rounds)).toHaveLength(1)
})

test('two equal messages need two rounds', () => {
  const three = ['a', 'b', 'c'].map((key) => unsent({ key }))
  expect(notInLog(three, rounds).map(({ key }) => key)).toEqual(['c'])
})

test('a round that is known to be of another message is not taken', () => {
  const two = [unsent({ key: 'a', state: 'accepted', requestId: 'r1' }), unsent({ key: 'b' }), unsent({ key: 'c' })]
  expect(notInLog(two, rounds).map(({ key }) => key)).toEqual(['c'])
})

test('what was refused or goes elsewhere is shown whatever the log says', () => {
  const some = [
    unsent({ state: 'refused' }),
    unsent({ place: { kind: 'fork', sessionId: 's', seq: 1 } }),
    unsent({ place: { kind: 'new', key: 'n', title: 'hello' } }),
  ]
  expect(notInLog(some, rounds)).toEqual(some)
})

test('a message whose answer was lost is not shown twice while it is tried again', () => {
  expect(notInLog([unsent({ state: 'kept' })], rounds)).toEqual([])
})

test('a message of which only the names of its files are left is looked for in the log', () => {
  const files = [{ name: 'a.png', mediaType: 'image/png', data: '', bytes: 1 }]
  const lost = unsent({ state: 'refused', files })
  expect(notInLog([lost], rounds)).toEqual([lost])
  const part = { type: 'file', mediaType: 'image/png', name: 'a.png', bytes: 1, hash: 'f' } as const
  const withFile = rounds.map((round) => ({
    ...round,
    ...(round.user && { user: { ...round.user, content: [...round.user.content, part] } }),
  }))
  expect(notInLog([lost], withFile)).toEqual([])
  // Without its file it is another message.
  expect(notInLog([unsent()], withFile)).toHaveLength(1)
})

test('a conversation is named by the first words of its first line', () => {
  expect(titleOf('  What is\tthis?\nMore of it')).toBe('What is this?')
  expect(titleOf('a'.repeat(100))).toBe(`${'a'.repeat(59)}…`)
  expect(titleOf('word '.repeat(30))).toMatch(/^(word )+word…$/)
  expect(titleOf('   ', [{ name: 'plan.pdf' }])).toBe('plan.pdf')
  expect(titleOf('')).toBe('New conversation')
})

test('a title never ends with half a character', () => {
  for (let before = 50; before < 60; before++)
    expect(titleOf('a'.repeat(before) + '🎼'.repeat(20)).isWellFormed()).toBe(true)
})

test('a message without files is sent as text, with files as parts', () => {
  expect(contentOf({ text: 'hi', files: [] })).toBe('hi')
  const file = { name: 'a.png', mediaType: 'image/png', data: 'AA==', bytes: 1 }
  expect(contentOf({ text: ' ', files: [file] })).toEqual([
    { type: 'file', mediaType: 'image/png', name: 'a.png', data: 'AA==' },
  ])
})
