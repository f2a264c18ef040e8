import { expect, test } from 'vitest'
import { Problem, type ProblemCode } from '../../../contract/problem.ts'
import type { Asked } from './approval-text.ts'
import { createDialog } from './dialog.ts'
import { plain } from './paint.ts'

const call: Asked = {
  id: 'a1',
  callId: 'c1',
  tool: 'write_file',
  args: {},
  sessionId: 's',
  requestId: 'r',
  reason: 'it writes',
  expiresAt: '2030-01-01T00:00:00Z',
  rememberable: true,
  isQuestion: false,
  display: {
    target: 'notes.txt',
    shown: { kind: 'file', path: 'notes.txt', text: 'one' },
    args: '{}',
    warnings: [],
    isDangerous: false,
  },
}
const schema = { type: 'object', properties: { age: { type: 'integer' } }, required: ['age'] }
const question: Asked = { ...call, isQuestion: true, args: { schema } }

/** A dialog with a server that refuses each decision in the way that is next, or takes it. */
function asking(asked: Asked, ...refusals: ProblemCode[]) {
  const said: string[] = []
  const sent: object[] = []
  const decide = (_: string, decision: object): Promise<undefined> => {
    sent.push(decision)
    const code = refusals.shift()
    return code === undefined ? Promise.resolve(undefined) : Promise.reject(new Problem(code, `Refused: ${code}.`))
  }
  const say = (text: string): void => void said.push(text)
  const dialog = createDialog(
    asked,
    {
      api: { decide, tools: () => Promise.resolve([]) },
      isLive: false,
      paint: plain,
      width: () => 60,
      say,
      put: (lines) => void said.push(...lines),
    },
    () => ({ place: undefined, several: 0 }),
  )
  return { dialog, said, sent, inLog: { approvalId: 'a1', callId: 'c1', by: 'me' } }
}

test('nothing is called decided before it is in the log', async () => {
  const { dialog, said, inLog } = asking(call)
  await dialog.choose('s')
  expect(dialog.isAnswered).toBe(true)
  expect(said.join('\n')).not.toContain('decided')
  const before = said.length
  dialog.decided({ ...inLog, decision: 'approve', remember: 'session' })
  expect(said).toHaveLength(before)
})

test('a decision that differs from ours was made by somebody else', async () => {
  const { dialog, said, inLog } = asking(call)
  await dialog.choose('y')
  dialog.decided({ ...inLog, decision: 'deny' })
  expect(said.at(-1)).toBe('Somebody else decided that, or it was too late.')
})

test('what is not asked any more was decided by nobody', () => {
  const { dialog, said, inLog } = asking(call)
  const before = said.length
  dialog.decided({ ...inLog, decision: 'stale' })
  expect(said).toHaveLength(before)
})

test.each(['STORE_UNAVAILABLE', 'INTERNAL_ERROR', 'PERMISSION_DENIED'] as const)(
  'a decision that does not arrive (%s) is asked for again',
  async (code) => {
    const { dialog, said, sent } = asking(call, code)
    const before = said.length
    await dialog.choose('y')
    expect(dialog.isAnswered).toBe(false)
    expect(said.slice(before).join('\n')).toMatch(
      /Refused.*\nNothing is decided yet:\n\? write_file wants to write: notes\.txt\n {2}│ one\n[^]*\[y\]/,
    )
    await dialog.choose('n')
    expect([sent, dialog.isAnswered]).toEqual([[{ decision: 'approve' }, { decision: 'deny' }], true])
  },
)

test.each(['CONFLICT', 'NOT_FOUND'] as const)('what is decided already (%s) is not asked again', async (code) => {
  const { dialog, said } = asking(call, code)
  await dialog.choose('y')
  expect([dialog.isAnswered, said.at(-1)]).toEqual([true, `Refused: ${code}.`])
})

test('an answer that is not taken is filled in anew', async () => {
  const { dialog, sent } = asking(question, 'VALIDATION_ERROR')
  for (const age of ['7', '18']) {
    await dialog.choose('y')
    expect(dialog.field?.name).toBe('age')
    await dialog.fill(age)
  }
  expect(sent).toEqual([
    { decision: 'approve', content: { age: 7 } },
    { decision: 'approve', content: { age: 18 } },
  ])
  expect(dialog.isAnswered).toBe(true)
})
