import { afterAll, expect, test } from 'vitest'
import { verifies } from '../support/verifies.ts'
import { openStage } from './support/stage.ts'

const stage = await openStage()
afterAll(() => stage.close())

/** Without a key, from an address, with headers. */
async function statusFrom(remoteAddress: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const request = new Request('http://127.0.0.1:4747/api/sessions', { headers })
  return (await stage.segno.fetch(request, { incoming: { socket: { remoteAddress } } })).status
}

test.each([
  ['127.0.0.1', 'localhost:4747'],
  ['127.0.0.1', '127.0.0.1'],
  ['127.8.7.6', 'LOCALHOST'],
  ['::1', '[::1]:4747'],
  ['::ffff:127.0.0.1', '127.0.0.1:80'],
])('from %s to %s the person at this machine needs no key', async (address, host) => {
  expect(await statusFrom(address, { host })).toBe(200)
})

verifies('GOV-32', 'everybody who comes from elsewhere needs a key, whatever they say of themselves', async () => {
  const elsewhere = ['10.0.0.5', '192.168.1.7', '::ffff:10.0.0.5', 'fe80::1', '1270.0.0.1', '::11', '']
  for (const address of elsewhere)
    expect([address, await statusFrom(address, { host: 'localhost' })]).toEqual([address, 401])
})

verifies('GOV-32', 'a name that only looks like this machine is another one', async () => {
  const hosts = [
    'localhost.evil.example',
    'evil.example:4747',
    '127.0.0.1.evil.example',
    '127.1',
    '0.0.0.0',
    'localhost.',
    '',
  ]
  for (const host of hosts) expect([host, await statusFrom('127.0.0.1', { host })]).toEqual([host, 401])
})

test('what a proxy passed on needs a key, however the proxy says so', async () => {
  const names = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']
  for (const name of names)
    expect([name, await statusFrom('127.0.0.1', { host: 'localhost', [name]: 'x' })]).toEqual([name, 401])
})
