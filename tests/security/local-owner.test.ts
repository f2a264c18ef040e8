import { afterAll, expect, onTestFinished, test } from 'vitest'
import { serve } from '../../src/channel/http/index.ts'
import { sendRaw } from '../chaos/fuzz-socket.ts'
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
    '127.256.0.1',
    '127.0.0.1:99999',
    '0.0.0.0',
    'localhost.',
    '',
  ]
  for (const host of hosts) expect([host, await statusFrom('127.0.0.1', { host })]).toEqual([host, 401])
})

verifies('GOV-32', 'what a proxy passed on needs a key, however the proxy says so', async () => {
  const names = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via', 'cf-connecting-ip', 'tailscale-user-login']
  for (const name of names)
    expect([name, await statusFrom('127.0.0.1', { host: 'localhost', [name]: 'x' })]).toEqual([name, 401])
})

verifies('GOV-32', 'over a socket too: a browser needs no key, and what a proxy sends does', async () => {
  const server = await serve(stage.segno.fetch, { host: '127.0.0.1', port: 0, requestMs: 10_000 })
  onTestFinished(() => server.stop())
  const statusOf = async (target: string, version: string, ...headers: string[]) => {
    const lines = [`GET ${target} HTTP/${version}`, 'host: 127.0.0.1', 'connection: close', ...headers]
    return (await sendRaw(Number(new URL(server.url).port), Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), false)).status
  }
  const status = (version: string, ...headers: string[]) => statusOf('/api/sessions', version, ...headers)
  const browser = [
    'user-agent: Mozilla/5.0',
    'accept: */*',
    'sec-fetch-site: same-origin',
    'accept-language: en',
    'dnt: 1',
  ]
  expect(await status('1.1', ...browser)).toBe(200)
  expect(await statusOf('http://elsewhere.example/api/sessions', '1.1', ...browser), 'as one asks a proxy').toBe(401)
  for (const header of [
    'Fly-Client-IP',
    'Sec-Forwarded-For',
    'X-Envoy-Peer-Metadata',
    'X_Forwarded_For',
    'X-Whatever-This-Is',
  ])
    expect([header, await status('1.1', ...browser, `${header}: x`)]).toEqual([header, 401])
  expect(await status('1.0', ...browser), 'some proxies speak HTTP/1.0 and say nothing else').toBe(401)
})
