import { describe, expect, test } from 'vitest'
import { LOCAL_OWNER, type Actor } from '../../../src/contract/actor.ts'
import type { Tool } from '../../../src/contract/tool.ts'
import { changeStored } from '../../support/change-stored.ts'
import { said, segnoUnderTest, type SegnoUnderTest } from '../../support/segno-under-test.ts'
import { ada } from './support.ts'

const eve: Actor = { ...ada, id: 'eve' }

/** Sends something out, and asks nobody as long as every word of the conversation is the user's own. */
const mail: Tool = {
  name: 'mail',
  description: 'sends a mail',
  input: { type: 'object' },
  approval: 'auto',
  own: true,
  run: () => 'sent',
}

const stage = (): Promise<SegnoUnderTest> =>
  segnoUnderTest({ tools: [mail], turns: [{ calls: [{ name: 'mail', args: {} }] }, { text: 'Done.' }] })

/** One round in a new conversation where nobody can be asked: whose words the model read, and what came of the mail. */
async function round({ segno }: SegnoUnderTest, actor: Actor, workspaceId: string, sessionId?: string) {
  const id = sessionId ?? (await segno.createSession({ workspaceId }, { actor })).id
  await (
    await segno.streamRequest(id, 'Go.', { actor, attended: false })
  ).completion
  const events = await segno.sessions.events(actor, id)
  const [turn] = said(events, 'turn.started').slice(-2)
  const explained = await segno.explain(actor, { tool: 'mail', args: {}, workspaceId })
  return {
    sessionId: id,
    foreign: turn?.foreign,
    outcome: said(events, 'tool.result').at(-1)?.outcome,
    explained: explained.verdict.kind,
  }
}

const FREE = { foreign: undefined, outcome: 'ok', explained: 'allow' }
const TAINTED = { foreign: 'instructions of the workspace', outcome: 'denied', explained: 'ask' }

/** As a version of Segno left it in which everybody could write instructions. */
async function writtenBy(u: SegnoUnderTest, id: string, author: string | null): Promise<void> {
  await u.segno.close()
  const by = author === null ? 'NULL' : `'${author}'`
  const change = `UPDATE workspaces SET instructions_by = ${by}, instructions_trusted = 0 WHERE id = '${id}'`
  expect(await changeStored(u.home, change)).toBe(1)
  await u.reopen()
}

describe('instructions of a workspace', () => {
  test('are trusted when who wrote them may manage workspaces, and the row says who that was', async () => {
    const u = await stage()
    const { id } = await u.segno.workspaces.create(ada, { instructions: 'Be brief.' })
    for (const actor of [ada, eve]) expect(await round(u, actor, id)).toMatchObject(FREE)
    const changed = await u.segno.workspaces.change(eve, id, { instructions: 'Be kind.' })
    expect(changed).toMatchObject({ instructionsBy: 'eve', instructionsTrusted: true })
    const renamed = await u.segno.workspaces.change(ada, id, { name: 'Garden' })
    expect(renamed).toMatchObject({ instructionsBy: 'eve', instructionsTrusted: true })
  })

  test('of somebody who may not are text from outside for everybody but their author', async () => {
    const u = await stage()
    const { id } = await u.segno.workspaces.create(ada, { instructions: 'Be brief.' })
    await writtenBy(u, id, 'eve')
    expect(await round(u, ada, id)).toMatchObject(TAINTED)
    expect(await round(u, eve, id)).toMatchObject(FREE)
  })

  test('of whom nobody knows are text from outside until they are saved again, and so is what was said before', async () => {
    const u = await stage()
    const { id } = await u.segno.workspaces.create(ada, { instructions: 'Be brief.' })
    await writtenBy(u, id, null)
    const { sessionId, ...before } = await round(u, ada, id)
    expect(before).toEqual(TAINTED)
    expect(await round(u, eve, id)).toMatchObject(TAINTED)
    await u.segno.workspaces.change(ada, id, { instructions: 'Be brief.' })
    expect(await round(u, eve, id)).toMatchObject(FREE)
    expect(await round(u, ada, id, sessionId)).toMatchObject({ ...TAINTED, foreign: undefined, explained: 'allow' })
  })

  test('that say nothing are nobody’s words', async () => {
    const u = await stage()
    const { id } = await u.segno.workspaces.create(ada, {})
    await writtenBy(u, id, null)
    expect(await round(u, eve, id)).toMatchObject(FREE)
  })

  test('of the owner of the machine are trusted', async () => {
    const u = await stage()
    const { id } = await u.segno.workspaces.create(LOCAL_OWNER, { instructions: 'Be brief.' })
    expect(await round(u, { ...eve, tenant: 'local' }, id)).toMatchObject(FREE)
  })
})
