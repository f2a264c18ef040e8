import { expect } from 'vitest'
import type { Channel } from '../../../src/contract/channel.ts'
import { probe, type Probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest, type SegnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { channelMessage, recordingChannel } from './support/recording-channel.ts'

const turns = [{ calls: [{ name: 'mail', args: { to: 'bob' } }] }, { text: 'Done.' }]

async function withMail(): Promise<{ mail: Probe; u: SegnoUnderTest }> {
  const mail = probe('mail', { effect: 'unsafe', approval: 'ask', target: ({ to }) => `mail to ${to as string}` })
  return { mail, u: await segnoUnderTest({ tools: [mail], turns }) }
}

const tell = (u: SegnoUnderTest, channel: Channel) =>
  u.segno.handleMessage(channelMessage('send it'), channel, { id: u.sessionId })

verifies('ORC-4', 'a channel is asked once, and its yes lets the call go on', async () => {
  const { mail, u } = await withMail()
  const asked: string[] = []
  const channel = recordingChannel(async ({ tool, target }) => {
    asked.push(`${tool}: ${target}`)
    return true
  })
  expect((await tell(u, channel)).calls).toMatchObject([{ name: 'mail', outcome: 'ok' }])
  expect(asked).toEqual(['mail: mail to bob'])
  expect(mail.runs).toHaveLength(1)
})

verifies('ORC-4', 'a channel that says no stops the call, and the model is told', async () => {
  const { mail, u } = await withMail()
  const completion = await tell(
    u,
    recordingChannel(async () => false),
  )
  expect(completion).toMatchObject({ finishReason: 'complete', calls: [{ outcome: 'denied' }] })
  expect(mail.runs).toHaveLength(0)
})

verifies('ORC-4', 'a channel that cannot be asked means denied', async () => {
  const { mail, u } = await withMail()
  expect((await tell(u, recordingChannel())).calls).toMatchObject([{ outcome: 'denied' }])
  expect(said(await u.events(), 'tool.result')).toMatchObject([{ code: 'UNATTENDED' }])
  expect(mail.runs).toHaveLength(0)
})

verifies('ORC-4', 'a channel whose question fails means denied', async () => {
  const { mail, u } = await withMail()
  const channel = recordingChannel(() => Promise.reject(new Error('nobody at the desk')))
  expect((await tell(u, channel)).calls).toMatchObject([{ outcome: 'denied' }])
  expect(mail.runs).toHaveLength(0)
})

verifies('ORC-4', 'a channel that throws instead of asking means denied', async () => {
  const { mail, u } = await withMail()
  const channel = recordingChannel(() => {
    throw new Error('nobody at the desk')
  })
  expect((await tell(u, channel)).calls).toMatchObject([{ outcome: 'denied' }])
  expect(mail.runs).toHaveLength(0)
})

verifies('ORC-4', 'an answer that is neither yes nor no means denied', async () => {
  const { mail, u } = await withMail()
  const channel = recordingChannel((async () => 'no, please') as unknown as NonNullable<Channel['requestApproval']>)
  expect((await tell(u, channel)).calls).toMatchObject([{ outcome: 'denied' }])
  expect(mail.runs).toHaveLength(0)
})

verifies('ORC-4', 'somebody else may decide before the channel does', async () => {
  const { mail, u } = await withMail()
  const deciding = Promise.withResolvers<boolean>()
  const telling = tell(
    u,
    recordingChannel(() => deciding.promise),
  )
  await u.until('round.waiting')
  const [approval] = await u.pending()
  await u.decide(approval, 'approve')
  expect((await telling).calls).toMatchObject([{ outcome: 'ok' }])
  deciding.resolve(false)
  expect(mail.runs).toHaveLength(1)
})

verifies('ORC-4', 'a message delivered again while its round waits is asked about at the new place too', async () => {
  const { mail, u } = await withMail()
  const first = tell(
    u,
    recordingChannel(() => new Promise(() => {})),
  )
  await u.until('round.waiting')
  const second = tell(
    u,
    recordingChannel(async () => true),
  )
  expect((await second).calls).toMatchObject([{ outcome: 'ok' }])
  expect((await first).calls).toMatchObject([{ outcome: 'ok' }])
  expect(mail.runs).toHaveLength(1)
})
