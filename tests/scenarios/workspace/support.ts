import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Actor } from '../../../src/contract/actor.ts'
import type { JsonObject } from '../../../src/contract/message.ts'
import type { Script } from '../../../src/model/index.ts'
import { said, type SegnoUnderTest } from '../../support/segno-under-test.ts'

export const ada: Actor = { id: 'ada', kind: 'user', tenant: 'acme', permissions: ['*'] }
/** The same name in another tenant. */
export const rival: Actor = { ...ada, tenant: 'rival' }

/** A model that calls a tool when it is told a word: `{ look: ['read_file', { path: 'a' }] }`. */
export function calling(words: Readonly<Record<string, readonly [tool: string, args: JsonObject]>>): Script {
  return {
    scenarios: Object.entries(words).map(([word, [name, args]]) => ({
      when: `^${word}$`,
      turns: [{ calls: [{ name, args }] }, { text: 'Done.' }],
    })),
  }
}

export function tempFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'segno-files-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The settings under which Ada's tenant may use these folders. */
export const rootsOfAcme = (...folders: readonly string[]): { readonly env: Readonly<Record<string, string>> } => ({
  env: { SEGNO_FOLDER_ROOTS: JSON.stringify({ acme: folders }) },
})

/** Says a word in a new conversation of a workspace, approves what is asked, and gives the result of the call. */
export async function result(
  { segno }: SegnoUnderTest,
  actor: Actor,
  workspaceId: string,
  word: string,
): Promise<{ outcome: string; content: string }> {
  const { id } = await segno.createSession({ workspaceId }, { actor })
  const round = await segno.streamRequest(id, word, { actor })
  const approving = (async () => {
    for await (const frame of segno.followRound(id, round.requestId, { actor })) {
      if (frame.kind !== 'event' || frame.event.type !== 'approval.requested') continue
      await segno.rounds.decide(actor, frame.event.data.approvalId, { decision: 'approve' })
    }
  })()
  await round.completion
  await approving
  const [found] = said(await segno.sessions.events(actor, id), 'tool.result')
  if (!found) throw new Error(`${word} led to no call`)
  return { outcome: found.outcome, content: found.content }
}
