import { expect, onTestFinished } from 'vitest'
import { compose } from '../../src/app.ts'
import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import { tempHome } from '../scenarios/library/support/open-segno.ts'
import { strictProvider, WIRE_MODELS } from '../support/compose-under-test.ts'
import { FORMAT_NAMES } from '../support/strict-provider/names.ts'
import { verifies } from '../support/verifies.ts'

for (const format of FORMAT_NAMES) {
  verifies('LIN-5', `what a user says twice in a row reaches ${format} as two things`, async () => {
    const { env, requests } = await strictProvider({})
    const segno = await compose({ home: tempHome(), env, durability: 'normal' }, {})
    onTestFinished(() => segno.close())
    const say = async (id: string, content: string) =>
      (await segno.streamRequest(id, content, { model: WIRE_MODELS[format] })).completion

    const { id } = await segno.createSession()
    await say(id, 'This is the first.')
    const asked = (await segno.sessions.events(LOCAL_OWNER, id)).find(({ type }) => type === 'message.user')
    // The copy begins before there was an answer.
    const fork = await segno.sessions.fork(LOCAL_OWNER, id, asked?.seq ?? 0)
    await say(fork.id, 'This is the second.')

    const last = JSON.stringify(requests.at(-1)?.body)
    expect(last).toMatch(/This is the first\..+This is the second\./)
    expect(last).not.toContain('This is the first.This is the second.')
  })
}
