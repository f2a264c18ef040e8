import { LOCAL_OWNER, type Actor, type Role } from '../../../src/contract/actor.ts'
import type { GovernedPrompt } from '../../../src/contract/governed-prompt.ts'
import type { Segno } from '../../../src/segno.ts'
import type { SegnoUnderTest } from '../../support/segno-under-test.ts'
import { ask, type Answer } from '../http/ask.ts'

export const ada: Actor = { id: 'ada', kind: 'user', tenant: 'acme', permissions: ['*'] }
export const bob: Actor = { ...ada, id: 'bob' }
export const eve: Actor = { ...ada, id: 'eve' }
/** The same name in another tenant. */
export const rival: Actor = { ...ada, tenant: 'rival' }

export const WORDS = 'You are kind.\nYou are brief.'

/** A draft of Ada's, of `system` unless another workspace is named. */
export const draft = ({ prompts }: Segno, wanted: { content?: string; workspaceId?: string; name?: string } = {}) =>
  prompts.create(ada, { name: 'House rules', content: WORDS, ...wanted })

/** A prompt that Ada wrote and Bob approved. */
export async function approved(segno: Segno, wanted: Parameters<typeof draft>[1] = {}): Promise<GovernedPrompt> {
  const { id } = await draft(segno, wanted)
  await segno.prompts.submit(ada, id)
  return segno.prompts.approve(bob, id)
}

/** Which prompts of a tenant are active. */
export async function activeOnes({ prompts }: Segno, actor: Actor = ada): Promise<string[]> {
  return (await prompts.list(actor, { status: 'active', limit: 200 })).items.map(({ id }) => id)
}

/** What somebody who holds a key with a role asks over HTTP. */
export async function holder(it: SegnoUnderTest, userId: string, role: Role, tenant = 'acme') {
  const { secret = '' } = await it.segno.keys.add(LOCAL_OWNER, { name: `key of ${userId}`, userId, role, tenant })
  return (method: string, path: string, body?: unknown, more: Record<string, string> = {}): Promise<Answer> =>
    ask(it, method, path, body, { authorization: `Bearer ${secret}`, ...more })
}
