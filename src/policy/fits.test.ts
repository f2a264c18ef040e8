import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../contract/message.ts'
import type { PolicyRule } from '../contract/policy.ts'
import type { Facts } from './facts.ts'
import { fits } from './fits.ts'
import { callOf, callWith, someCall } from './some-call.suite.ts'

type Named = Omit<PolicyRule, 'decide'>

/** Which rules with these conditions speak of a call. */
function speak(named: Named, facts: Facts) {
  const of = (decide: PolicyRule['decide']) => fits({ decide, ...named }, facts)
  const wide = new Set([of('ask'), of('always'), of('deny')])
  expect(wide.size, 'ask, always and deny are read alike').toBe(1)
  return { allow: of('allow'), deny: of('deny') }
}
const BOTH = { allow: true, deny: true }
const NEITHER = { allow: false, deny: false }
const DENY = { allow: false, deny: true }

test('a rule without conditions speaks of every call', () => {
  expect(speak({}, someCall())).toEqual(BOTH)
})

test('all that a rule names must fit', () => {
  const call = someCall({ name: 'fetch', tool: { fields: { url: ['https://a.test/'] } }, args: { method: 'GET' } })
  const rule = { tool: 'fetch', host: 'a.test', args: { method: 'GET' }, mode: 'act', workspace: 'system' } as const
  expect(speak(rule, call)).toEqual(BOTH)
  for (const other of [
    { tool: 'x' },
    { host: 'b.test' },
    { args: { method: 'PUT' } },
    { mode: 'plan' },
    { workspace: 'x' },
  ])
    expect(speak({ ...rule, ...(other as Named) }, call), JSON.stringify(other)).toEqual(NEITHER)
})

test('of several patterns one is enough', () => {
  expect(speak({ tool: ['x', 's*d'] }, someCall())).toEqual(BOTH)
  expect(speak({ tool: ['x', 'y'] }, someCall())).toEqual(NEITHER)
})

test('a tool is named as it is called', () => {
  const of = (tool: string, name: string) => speak({ tool }, someCall({ name }))
  expect(of('github__*', 'github__create_issue')).toEqual(BOTH)
  for (const name of ['github_create', 'my_github__x', 'GitHub__x']) expect(of('github__*', name)).toEqual(NEITHER)
})

describe('mode, permission, workspace and taint', () => {
  test('fit the round', () => {
    const call = someCall({ round: { mode: 'plan', workspaceId: 'team-a', permissions: ['tool:bash'] } })
    expect(speak({ mode: 'plan' }, call)).toEqual(BOTH)
    expect(speak({ mode: 'act' }, call)).toEqual(NEITHER)
    expect(speak({ workspace: 'team-*' }, call)).toEqual(BOTH)
    expect(speak({ workspace: 'team' }, call)).toEqual(NEITHER)
    expect(speak({ permission: 'tool:bash' }, call)).toEqual(BOTH)
    expect(speak({ permission: 'tool:mail' }, call)).toEqual(NEITHER)
    expect(speak({ tainted: false }, call)).toEqual(BOTH)
    expect(speak({ tainted: true }, call)).toEqual(NEITHER)
    expect(speak({ tainted: true }, someCall({ round: { taintedBy: 'web_fetch' } }))).toEqual(BOTH)
    expect(speak({ tainted: false }, someCall({ round: { taintedBy: 'web_fetch' } }))).toEqual(NEITHER)
  })

  test.each([
    [['*'], true],
    [['tool:*'], true],
    [['tool:bash'], true],
    [['chat:*', 'tool:bas', 'bash', 'tool:'], false],
    [[], false],
  ])('who has %j has tool:bash: %s', (permissions, expected) => {
    const named = speak({ permission: 'tool:bash' }, someCall({ round: { permissions } }))
    expect(named).toEqual({ allow: expected, deny: expected })
  })
})

describe('hosts', () => {
  test('of several all must be allowed, one denied is enough', () => {
    const both = callWith({ url: ['https://a.test/', 'https://b.test/'] })
    expect(speak({ host: 'a.test' }, both)).toEqual(DENY)
    expect(speak({ host: ['a.test', 'b.test'] }, both)).toEqual(BOTH)
    expect(speak({ host: 'a.test' }, callWith({ url: ['https://a.test/'], host: ['b.test'] }))).toEqual(DENY)
  })

  test.each(['not a url', 'file:///etc/passwd', 'data:text/plain,x', 'mailto:a@a.test', ''])(
    '%j beside an allowed one has no host to allow',
    (url) => {
      expect(speak({ host: 'a.test' }, callWith({ url: ['https://a.test/', url] })).allow).toBe(false)
      expect(speak({ host: '*' }, callWith({ url: ['https://a.test/', url] })).allow).toBe(false)
      expect(speak({ host: '*' }, callWith({ url: [url] })).allow).toBe(false)
    },
  )

  test.each([
    ['a.test', BOTH],
    ['A.Test', BOTH],
    ['a.test:443', BOTH],
    ['a.test:8443', DENY],
    ['a.test/x', DENY],
    ['a.test#.b.test', DENY],
    ['a.test?.b.test', DENY],
    ['a.test\\.b.test', DENY],
    ['x@a.test', DENY],
    ['a.test@b.test', NEITHER],
    ['b.test', NEITHER],
  ])('declared as %j', (value, expected) => {
    expect(speak({ host: 'a.test' }, callWith({ host: [value] }))).toEqual(expected)
  })

  test.each([
    [{ url: 'https://a.test/x' }],
    [{ host: 'a.test' }],
    [{ host: 'A.TEST.' }],
    [{ host: 'www.a.test:8443/x' }],
    [{ to: 'somebody@a.test' }],
    [{ target: '//a.test/x' }],
    [{ note: 'please read https://a.test/x, it is good' }],
    [{ note: '<a href="https://a.test">' }],
    [{ many: [{ deep: ['x', 'ftp://a.test/'] }] }],
  ] as [JsonObject][])('of a tool that does not say what its arguments are: %j is denied and never allowed', (args) => {
    expect(speak({ host: 'a.test' }, callOf(args))).toEqual(DENY)
  })

  test('a word is no host only because it could be one', () => {
    for (const args of [{ expression: '1+1' }, { path: 'notes.md' }, {}])
      expect(speak({ host: '*' }, callOf(args)), JSON.stringify(args)).toEqual(NEITHER)
    expect(speak({ host: '*' }, callOf({ note: 'see https://b.test/' }))).toEqual(DENY)
  })
})

describe('paths and commands', () => {
  test('of several all must be allowed, one denied is enough', () => {
    expect(speak({ path: 'docs/**' }, callWith({ path: ['docs/a', 'etc/b'] }))).toEqual(DENY)
    expect(speak({ path: 'docs/**' }, callWith({ path: ['docs/a', 'docs/b'] }))).toEqual(BOTH)
    expect(speak({ command: 'ls' }, callWith({ command: ['ls', 'rm x'] }))).toEqual(DENY)
  })

  test('of a tool that does not say what its arguments are may be any text: denied, never allowed', () => {
    expect(speak({ path: 'secrets/**' }, callOf({ from: 'docs/../secrets/key' }))).toEqual(DENY)
    expect(speak({ path: 'secrets/**' }, callOf({ files: [{ name: '/srv/secrets/key' }] }))).toEqual(DENY)
    expect(speak({ command: 'rm *' }, callOf({ script: 'sudo rm -rf /' }))).toEqual(DENY)
    expect(speak({ path: '**' }, callOf({}))).toEqual(NEITHER)
  })
})

describe('other arguments', () => {
  const of = (name: string, wanted: string | string[], args: JsonObject) =>
    speak({ args: { [name]: wanted } }, callOf(args))

  test('are found by name, also within another', () => {
    expect(of('method', 'GET', { method: 'GET' })).toEqual(BOTH)
    expect(of('a.b.c', 'x', { a: { b: { c: 'x' } } })).toEqual(BOTH)
    expect(of('a.b.c', 'x', { a: { b: 'x' } })).toEqual(NEITHER)
    expect(of('method', '*', {})).toEqual(NEITHER)
    for (const name of ['constructor', '__proto__', 'toString', 'a.constructor.name', 'length'])
      expect(of(name, '*', { a: {} }), name).toEqual(NEITHER)
  })

  test('are compared by their JSON where they are no text', () => {
    expect(of('n', '5', { n: 5 })).toEqual(BOTH)
    expect(of('n', '1000', { n: 1e3 })).toEqual(BOTH)
    expect(of('n', '5', { n: 50 })).toEqual(NEITHER)
    expect(of('n', 'true', { n: true })).toEqual(BOTH)
    expect(of('n', 'null', { n: null })).toEqual(BOTH)
    expect(of('n', '*"x"*', { n: { a: 'x' } })).toEqual(BOTH)
  })

  test('in other letters are denied, not allowed', () => {
    expect(of('method', 'DELETE', { method: 'delete' })).toEqual(DENY)
  })

  test('in a list: all must be allowed, one denied is enough, an empty one says nothing', () => {
    expect(of('to', '*@a.test', { to: ['x@a.test', 'y@a.test'] })).toEqual(BOTH)
    expect(of('to', '*@a.test', { to: ['x@a.test', 'y@b.test'] })).toEqual(DENY)
    expect(of('to', ['*@a.test', '*@b.test'], { to: ['x@a.test', 'y@b.test'] })).toEqual(BOTH)
    expect(of('to', '*', { to: [] })).toEqual(NEITHER)
  })

  test('in members of a list: all must be allowed and have one, one denied is enough', () => {
    expect(of('to.mail', '*@a.test', { to: [{ mail: 'x@a.test' }, { mail: 'y@a.test' }] })).toEqual(BOTH)
    expect(of('to.mail', '*@a.test', { to: [{ mail: 'x@a.test' }, { mail: 'y@b.test' }] })).toEqual(DENY)
    expect(of('to.mail', '*@a.test', { to: [{ mail: 'x@a.test' }, { fax: '1' }] })).toEqual(DENY)
    expect(of('to.mail', '*@a.test', { to: [{ mail: ['x@a.test', 'y@b.test'] }] })).toEqual(DENY)
  })
})
