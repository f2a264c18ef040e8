import { describe, expect, test } from 'vitest'
import { verifies } from '../../support/verifies.ts'
import { newHome, segno, serving } from '../account/support/cli.ts'
import { house, KEY } from './support.ts'

describe('segno providers', () => {
  verifies('GOV-6', 'sets one up with a key from standard input, tries it, lists it and removes it', async () => {
    const at = await house()
    const home = newHome()
    await serving(home, { SEGNO_PRIVATE_ORIGINS: at.origin })
    const run = (args: readonly string[], input?: string, env = {}) => segno(home, ['providers', ...args], env, input)
    expect((await run(['ls'])).out).toMatch(/^No provider is set up/)

    const set = ['set', 'house', '--kind', 'openai-compatible', '--url', at.url]
    const line = `house  openai-compatible at ${at.url}, with a key, set while Segno ran`
    expect(await run([...set, '--key-stdin', '--header', 'x-title=A = B'], `${KEY}\n`)).toEqual({
      code: 0,
      out: `${line}\nDoes it answer? segno providers test house`,
      err: '',
    })
    expect(await run(['test', 'house'])).toMatchObject({ code: 0, out: 'It answers, and lists 2 models.' })
    expect(at.requests.at(-1)?.headers).toMatchObject({ authorization: `Bearer ${KEY}`, 'x-title': 'A = B' })
    expect((await run(['ls'])).out).toBe(line)

    const other = { MINE: 'sk-other-0123456789', TOKEN: 'tok-0123456789' }
    await run([...set, '--key-env', 'MINE', '--header-env', 'x-api-token=TOKEN'], undefined, other)
    await run(['test', 'house'])
    expect(at.requests.at(-1)?.headers).toMatchObject({
      authorization: 'Bearer sk-other-0123456789',
      'x-api-token': 'tok-0123456789',
    })
    expect((await run([...set, '--no-key'])).out).toContain('without a key')

    at.lists = (response) => response.writeHead(401).end()
    expect(await run(['test', 'house'])).toMatchObject({ code: 1, out: 'It does not work: the key was refused.' })
    expect(await run(['rm', 'house'])).toMatchObject({ code: 0 })
    expect(await run(['rm', 'house'])).toMatchObject({ code: 1, err: 'segno: There is no provider house.' })
  })

  test.each([
    [['--key-stdin', '--no-key'], 'Say once where the key is'],
    [['--key-env', 'NOT_THERE'], 'The variable NOT_THERE is not set.'],
    [['--header', 'x-title'], '"x-title" has no value'],
    [['--url', 'http://127.0.0.1:8000'], 'SEGNO_PRIVATE_ORIGINS'],
  ])('says what is wrong with %j', async (flags, why) => {
    const ran = await segno(newHome(), ['providers', 'set', 'a', '--kind', 'openai-compatible', ...flags], {}, '')
    expect([ran.code, ran.err]).toEqual([1, expect.stringContaining(why)])
  })

  test('takes no key as an argument', async () => {
    const ran = await segno(newHome(), ['providers', 'set', 'a', '--key', KEY])
    expect(ran).toMatchObject({ code: 2, err: expect.stringContaining("unknown option '--key'") as string })
  })
})

test('segno secrets rotate says how many were encrypted again', async () => {
  const home = newHome()
  await segno(home, ['providers', 'set', 'anthropic', '--key-env', 'K'], { K: KEY })
  const { out } = await segno(home, ['secrets', 'rotate'])
  expect(out).toMatch(/^1 secret is encrypted with the new key [0-9a-f]{16}\.$/)
  expect((await segno(home, ['providers', 'ls'])).out).not.toContain('cannot be used')
})
