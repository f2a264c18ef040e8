import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { roomsOf } from './rooms.ts'

const temporal = (said: unknown, env = {}) => readConfig({ SEGNO_TEMPORAL: JSON.stringify(said), ...env }).temporal

test('Temporal servers have a name, and a key from the variable that they name', () => {
  const read = temporal(
    {
      main: { address: '127.0.0.1:7233' },
      cloud: { address: 't.example:7233', namespace: 'a', tls: true, apiKeyEnv: 'K' },
    },
    { K: 'secret' },
  )
  expect(Object.fromEntries(read)).toEqual({
    main: { address: '127.0.0.1:7233', namespace: 'default', tls: false },
    cloud: { address: 't.example:7233', namespace: 'a', tls: true, apiKey: 'secret' },
  })
})

test.each([
  [[], /cannot be read/],
  [{ 'a b': {} }, /has "a b", expected a name/],
  [{ main: 'x' }, /has no connection for "main"/],
  [{ main: { address: 'nowhere' } }, /has no address/],
  [{ main: { address: 'a:1', namespace: 1 } }, /namespace that is no text/],
  [{ main: { address: 'a:1', tls: 'yes' } }, /neither true nor false/],
  [{ main: { address: 'a:1', adress: 'b' } }, /has adress, expected only/],
  [{ main: { address: 'a:1', apiKeyEnv: 'NOT_SET' } }, /names an apiKeyEnv that is not set/],
])('the start is refused for %j', (said, why) => {
  expect(() => temporal(said)).toThrow(why)
})

test('results are reported to the public address, and without one to a loopback server that needs no key', () => {
  const url = (env: Record<string, string>) => roomsOf(readConfig(env)).workflows.url
  expect(url({ SEGNO_PUBLIC_URL: 'https://segno.example/x/' })).toBe('https://segno.example/x')
  expect(url({ SEGNO_PORT: '4800' })).toBe('http://127.0.0.1:4800')
  expect(url({ SEGNO_HOST: '0.0.0.0' })).toBeUndefined()
  for (const bad of ['segno.example', 'ftp://segno.example', 'https://a:b@segno.example', 'https://segno.example?a=b'])
    expect(() => url({ SEGNO_PUBLIC_URL: bad })).toThrow(/SEGNO_PUBLIC_URL is not an address/)
})

test('a signed message is remembered for as long as its signature is good, whatever else is set', () => {
  const { jobs, workflows } = roomsOf(
    readConfig({
      SEGNO_LIMITS_CLAIM_MS: '1000',
      SEGNO_LIMITS_INVOCATION_KEEP_MS: '3600000',
      SEGNO_LIMITS_SIGNED_MS: '7200000',
    }),
  )
  expect([jobs.claimMs, workflows.keepMs]).toEqual([14_400_000, 14_400_000])
  expect(roomsOf(readConfig({})).jobs.claimMs).toBe(2_592_000_000)
})
