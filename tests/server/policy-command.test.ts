import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newHome, segno, serving } from '../scenarios/account/support/cli.ts'
import { verifies } from '../support/verifies.ts'

interface Explained {
  readonly verdict: { readonly kind: string; readonly code?: string }
  readonly decidedBy: string
  readonly because: string
  readonly fitting: readonly number[]
}

const POLICY = {
  rules: [
    { decide: 'deny', tool: 'web_fetch', host: '*.evil.example', because: 'they sell what they hear' },
    { decide: 'allow', tool: 'web_fetch', host: 'www.evil.example' },
    { decide: 'always', tool: 'write_file', path: 'secret/**' },
  ],
}
const SEGNO_POLICY = JSON.stringify(POLICY)
const fetching = (url: string): string => JSON.stringify({ url })

verifies(
  'GOV-8',
  'segno policy explain says what is decided about a call, by which rule and why, and calls nothing',
  async () => {
    const home = newHome()
    const explain = (...args: string[]) => segno(home, ['policy', 'explain', ...args], { SEGNO_POLICY })

    const allowed = await explain('calculator', '{"expression": "1+1"}')
    expect(allowed).toMatchObject({ code: 0, err: '' })
    expect(allowed.out).toMatch(
      /^calculator: allowed\n {2}because .*no rule of the policy fits.*\n.*\n {2}costs +\$0, within 30\.0 s\n {2}rules +none fits$/,
    )

    // A refusal that is explained is no failure of the command; of two rules that fit the first one counts.
    const denied = await explain('web_fetch', fetching('https://www.evil.example/page'), '--json')
    expect([denied.code, denied.err]).toEqual([0, ''])
    const told = JSON.parse(denied.out) as Explained
    expect(told).toMatchObject({ verdict: { kind: 'refuse' }, decidedBy: 'denied', fitting: [1, 2] })
    expect(told.because).toContain('they sell what they hear')

    const text = '{"path": "secret/a.txt", "content": "x"}'
    const asked = await explain('write_file', text)
    expect(asked.out).toMatch(/^write_file: a person is asked, each time\n/)
    expect(asked.out).toMatch(/rules +3 fits$/)
    expect(existsSync(join(home, 'workspace', 'secret'))).toBe(false)
  },
  60_000,
)

test('segno policy explain goes by mode and taint, and through a server that runs', async () => {
  const home = newHome()
  await serving(home, { SEGNO_POLICY })
  const kindOf = async (...args: string[]): Promise<string> => {
    const { code, out, err } = await segno(home, ['policy', 'explain', ...args, '--json'])
    // On a busy machine it says that it still waits, and then goes on.
    return code === 0 ? (JSON.parse(out) as Explained).verdict.kind : err
  }
  const write = ['write_file', '{"path": "a.txt", "content": "x"}']
  const kinds = await Promise.all([
    kindOf(...write),
    kindOf(...write, '--mode', 'plan'),
    kindOf('web_fetch', fetching('https://en.wikipedia.org/w/index.php?search=segno')),
    kindOf('web_fetch', fetching('https://en.wikipedia.org/w/index.php?search=segno'), '--tainted'),
    kindOf('web_fetch', fetching('https://www.evil.example/')),
    kindOf('no_such_tool'),
  ])
  expect(kinds).toEqual(['ask', 'refuse', 'allow', 'ask', 'refuse', 'refuse'])
}, 60_000)

test.each([
  ['arguments that are no JSON', ['calculator', '{expression'], 1, 'must be a JSON object'],
  ['a workspace that is not there', ['calculator', '{}', '--workspace', 'attic'], 1, 'attic'],
  ['a mode that is none', ['calculator', '{}', '--mode', 'dream'], 2, 'dream'],
  ['no tool', [], 2, 'tool'],
])('segno policy explain says what is wrong with %s', async (_, args, code, named) => {
  const ran = await segno(newHome(), ['policy', 'explain', ...args])
  expect([ran.code, ran.out]).toEqual([code, ''])
  expect(ran.err).toContain(named)
  expect(ran.err).not.toMatch(/\n\s+at /)
})
