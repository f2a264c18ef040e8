import { expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { segnoUnderTest } from '../../support/segno-under-test.ts'

test('a title is not made of a message that was deleted meanwhile', async () => {
  const it = await segnoUnderTest({
    env: { SEGNO_TITLE_MODEL: 'scripted' },
    script: { otherwise: { text: 'Noted.' } },
  })
  await it.ask('My number is 12345.')
  const said = (await it.events()).find(({ type }) => type === 'message.user')
  await it.segno.sessions.deleteMessage(LOCAL_OWNER, it.sessionId, said?.id ?? '')
  const asked = it.requests.length
  // The job becomes an input, and a second message waits until that is dealt with.
  await expect.poll(async () => (await it.segno.jobs.list(LOCAL_OWNER)).items.length, { timeout: 5000 }).toBe(0)
  await it.ask('And now?')
  expect(JSON.stringify(it.requests.slice(asked))).not.toContain('12345')
  expect(await it.segno.sessions.get(LOCAL_OWNER, it.sessionId)).toMatchObject({ title: 'New conversation' })
})
