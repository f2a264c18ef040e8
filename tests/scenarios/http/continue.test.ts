import { expect } from 'vitest'
import { probe } from '../../support/probe-tool.ts'
import { said } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { asking } from './asking.ts'

/** A round that used up its turns. */
async function limited() {
  const it = await asking({
    tools: [probe('look')],
    turns: [{ calls: [{ name: 'look' }] }, { text: 'Enough.' }],
    limits: { MAX_ITERATIONS: 1 },
  })
  const { requestId } = await it.ask('Look.')
  return { it, requestId, path: `/api/rounds/${requestId}/continue` }
}

verifies('GOV-7', 'continuing a round over HTTP is 202 with the new one, twice the same', async () => {
  const { it, requestId, path } = await limited()
  const first = await it.http('POST', path)
  const second = await it.http('POST', path)
  expect([first.status, second.status]).toEqual([202, 202])
  expect(second.body['requestId']).toBe(first.body['requestId'])
  await it.until('round.ended', 2)
  expect(said(await it.events(), 'round.started')).toMatchObject([{}, { continues: requestId, channel: 'http' }])
})

verifies('GOV-7', 'a round that cannot be continued is 409 with a sentence', async () => {
  const { it, path } = await limited()
  await it.ask('Something else.')
  expect(await it.http('POST', path)).toMatchObject({
    status: 409,
    body: { detail: 'Something came after this round, so it cannot be continued. Send a message instead.' },
  })
})

const others: Record<string, [scopes: readonly string[], whose: { userId?: string; tenant?: string }, status: number]> =
  {
    'who may only read': [['chat:read'], {}, 403],
    'somebody else of the same tenant': [['*'], { userId: 'eve' }, 404],
    'somebody of the same name in another tenant': [['*'], { tenant: 'rival' }, 404],
  }
for (const [who, [scopes, whose, status]] of Object.entries(others))
  verifies(['GOV-7', 'GOV-32'], `${who} cannot continue a round`, async () => {
    const { it, path } = await limited()
    expect((await it.http('POST', path, undefined, await it.keyFor(scopes, whose))).status).toBe(status)
    expect(said(await it.events(), 'round.started')).toHaveLength(1)
  })

verifies('GOV-7', 'an export shows people that the conversation went on, and not what the model was told', async () => {
  const { it, path } = await limited()
  await it.http('POST', path)
  await it.until('round.ended', 2)
  const { body } = await it.http('GET', `/api/sessions/${it.sessionId}/export?as=markdown`)
  const { text } = body as { text: string }
  expect(text).toContain('\n*Continued.*\n')
  expect(text).not.toContain('wants you to go on')
})
