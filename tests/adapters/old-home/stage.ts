import type { Actor } from '../../../src/contract/actor.ts'
import { withFiles, type Tool, type ToolContext } from '../../../src/contract/tool.ts'
import type { Clock } from '../../../src/lib/clock.ts'
import type { Script } from '../../../src/model/index.ts'

/** People of other tenants; some names have spaces, so that two of them are the same words in a row. */
export const PEOPLE: readonly Actor[] = [
  ['acme', 'ada'],
  ['a b', 'c'],
  ['a', 'b c'],
].map(([tenant = '', id = '']) => ({ id, kind: 'user', tenant, permissions: ['chat:*', 'tool:invoke', 'user:read'] }))

/** The days of the home: it was made on two of them, and goes on later on the second. */
export const FIRST_DAY = Date.UTC(2026, 10, 2, 10)
export const SECOND_DAY = Date.UTC(2026, 10, 3, 9)
export const LATER = Date.UTC(2026, 10, 3, 11)

export function clockFrom(start: number): Clock {
  const began = performance.now()
  return { now: () => Math.floor(start + performance.now() - began), ticks: () => performance.now() }
}

/** Prices and lengths of prompts must not matter: every answer says what it used. */
const usage = { input: 100, output: 10 }
const say = (text: string) => ({ text, usage })
const use = (...calls: { name: string; args?: { readonly [key: string]: string | number } }[]) => ({ calls, usage })
const look = (item: string | number) => ({ name: 'look', args: { item: String(item) } })

/** What the model says. While the home is made some answers never end. */
export function scriptOf(hangs: boolean): Script {
  const stalled = { ...say('And so on.'), ...(hangs && { fault: { kind: 'stall' as const, afterDeltas: 0 } }) }
  const one = (name: string, args: { readonly [key: string]: string | number } = {}) => use({ name, args })
  const scenarios: [when: string, ...turns: NonNullable<Script['otherwise']>[]][] = [
    ['^look$', use(look('a'), look('b')), say('Seen.')],
    ['^each$', one('keyed', { item: '1' }), one('lookable', { item: '2' }), one('unsafe', { item: '3' }), say('Done.')],
    ['^again$', one('look', { item: 'x' }), one('look', { item: 'x' }), say('The same.')],
    ['^print$', one('print'), say('Printed.')],
    ['^picture$', one('picture'), say('Shown.')],
    ['^mail$', one('mail', { to: 'bob' }), say('Mailed.')],
    ['^mails$', use({ name: 'mail', args: { to: 'bob' } }, { name: 'mail', args: { to: 'eve' } }), say('Mailed both.')],
    ['^lost$', one('lossy'), say('Nobody knows.')],
    ['^odd$', { calls: [{ name: 'look', rawArgs: '{"item":' }], usage }, one('nothing'), say('Odd.')],
    ['^broken$', { fault: { kind: 'error', status: 400 } }],
    ['^endless$', ...[1, 2, 3, 4, 5, 6].map((n) => use(look(n)))],
    ['^many', ...[1, 2, 3, 4, 5].map((n) => use(look(n), look(n + 10))), say('Many.')],
    ['^latch', one('latch', { item: '1' }), one('look', { item: '2' }), say('Through.')],
    ['^stall$', stalled],
    ['^look and stall$', use(look('a')), stalled],
    ['^hang pure$', one('hang_pure'), say('It went on.')],
    ['^hang keyed$', one('hang_keyed'), say('It went on.')],
    ['^hang lookable$', one('hang_lookable', { item: 'there' }), say('It went on.')],
    ['^hang absent$', one('hang_lookable', { item: 'absent' }), say('It went on.')],
    ['^hang unsafe$', one('hang_unsafe'), say('It went on.')],
    ['^hang paid$', one('hang_paid'), say('It went on.')],
    ['^pay$', one('paid'), say('Paid.')],
    ['^wonder$', one('wonder'), say('Answered.')],
  ]
  return {
    scenarios: scenarios.map(([when, ...turns]) => ({ when, turns })),
    otherwise: say('Answer to {{message}}.'),
  }
}

const ANY = { type: 'object' } as const
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
export const picture = { type: 'file', mediaType: 'image/png', name: 'dot.png', data: PNG } as const

/** `inside` is called with the name of a call that hangs, and never resolves while the home is made. */
export function toolsOf(inside: (name: string, ctx: ToolContext) => Promise<void>): Tool[] {
  const tool = (name: string, more: Partial<Tool>): Tool => ({
    name,
    description: `Does ${name}.`,
    input: ANY,
    effect: 'pure',
    approval: 'auto',
    reach: [],
    own: true,
    run: (args) => `${name} ${JSON.stringify(args)}`,
    ...more,
  })
  const hanging = (name: string, more: Partial<Tool>): Tool =>
    tool(name, {
      ...more,
      async run(_args, ctx) {
        await inside(name, ctx)
        return `${name} again`
      },
    })
  const verify: NonNullable<Tool['verify']> = async ({ item }) =>
    item === 'there' ? { happened: true, output: 'it was there' } : { happened: false }
  return [
    tool('look', { own: false }),
    tool('keyed', { effect: 'keyed', quota: { perHour: 1000, concurrent: 5 } }),
    tool('lookable', { effect: 'verifiable', verify }),
    tool('unsafe', { effect: 'unsafe' }),
    tool('print', { outputChars: 200, run: () => 'a line that is printed\n'.repeat(100) }),
    tool('picture', { run: () => withFiles('a dot', [{ mediaType: 'image/png', data: PNG, name: 'dot.png' }]) }),
    tool('mail', { effect: 'unsafe', approval: 'ask' }),
    tool('paid', { effect: 'unsafe', cost: 500 }),
    tool('lossy', {
      effect: 'unsafe',
      run: () => Promise.reject(Object.assign(new Error('the line went dead'), { effect: 'unknown' })),
    }),
    tool('wonder', {
      effect: 'unsafe',
      timeoutMs: 60_000,
      async run(_args, ctx) {
        const answer = await ctx.ask({ message: 'Shall I?' })
        return `answered with ${answer.action}`
      },
    }),
    hanging('latch', { effect: 'keyed', timeoutMs: 60_000 }),
    hanging('hang_pure', { timeoutMs: 60_000 }),
    hanging('hang_keyed', { effect: 'keyed', timeoutMs: 60_000 }),
    hanging('hang_lookable', { effect: 'verifiable', verify, timeoutMs: 60_000 }),
    hanging('hang_unsafe', { effect: 'unsafe', timeoutMs: 60_000 }),
    hanging('hang_paid', { effect: 'unsafe', cost: 700, timeoutMs: 60_000 }),
  ]
}
