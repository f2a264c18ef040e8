import { expect, test } from 'vitest'
import { Problem, type ProblemCode } from '../../../contract/problem.ts'
import type { Asked } from './approval-text.ts'
import { createDialog } from './dialog.ts'

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
  display: { target: 'notes.txt', args: '{}', warnings: [] },
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
  const dialog = createDialog(asked, { api: { decide, tools: () => Promise.resolve([]) }, isLive: false, say })
  return { dialog, said, sent, inLog: { approvalId: 'a1', callId: 'c1', by: 'me' } }
}

test('nothing is called decided before it is in the log', async () => {
  const { dialog, said, inLog } = asking(call)
  await dialog.choose('s')
  expect(dialog.isAnswered).toBe(true)
  expect(said.join('\n')).not.toContain('decided')
  dialog.decided({ ...inLog, decision: 'approve', remember: 'session' })
  expect(said.at(-1)).toBe('  decided    yes, for this session')
})

test('a decision that differs from ours was made by somebody else', async () => {
  const { dialog, said, inLog } = asking(call)
  await dialog.choose('y')
  dialog.decided({ ...inLog, decision: 'deny' })
  expect(said.at(-1)).toBe('  decided    by somebody else, or too late')
})

test('what is not asked any more was decided by nobody', () => {
  const { dialog, said, inLog } = asking(call)
  dialog.decided({ ...inLog, decision: 'stale' })
  expect(said.at(-1)).toBe('  decided    nothing: it is not asked any more')
})

test.each(['STORE_UNAVAILABLE', 'INTERNAL_ERROR', 'PERMISSION_DENIED'] as const)(
  'a decision that does not arrive (%s) is asked for again',
  async (code) => {
    const { dialog, said, sent } = asking(call, code)
    const before = said.length
    await dialog.choose('y')
    expect(dialog.isAnswered).toBe(false)
    expect(said.slice(before).join('\n')).toMatch(
      /Refused.*\nNothing is decided yet:\n\? write_file wants to run[^]*\[y\]/,
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
