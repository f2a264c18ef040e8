import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { newHome, segno as command, serving } from '../scenarios/account/support/cli.ts'
import { eventually } from '../scenarios/library/support/eventually.ts'
import { verifies } from '../support/verifies.ts'
import { workReceiver } from '../support/work-receiver.ts'

const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/

/** A server whose workflows run on another side, and the commands of its owner. */
async function opened() {
  const home = newHome()
  const other = await workReceiver()
  await serving(home, { SEGNO_WORKFLOW_ORIGINS: other.origin })
  const text = (name: string, words: string): void => writeFileSync(join(home, name), words)
  const file = (name: string, value: unknown): void => text(name, JSON.stringify(value))
  file('in.json', { type: 'object', properties: { file: { type: 'string' } }, required: ['file'] })
  file('any.json', { type: 'object' })

  async function told(...args: string[]): Promise<string> {
    const { code, out, err } = await command(home, args)
    expect({ args, code, err }).toEqual({ args, code: 0, err: '' })
    return out
  }
  const json = async <T = Record<string, unknown>>(...args: string[]): Promise<T> =>
    JSON.parse(await told(...args, '--json')) as T
  /** What it says where it ends with this code. */
  async function ends(code: 1 | 2, ...args: string[]): Promise<string> {
    const ran = await command(home, args)
    expect({ args, code: ran.code }).toEqual({ args, code })
    return `${ran.out}${ran.err}`
  }
  function register(name: string, path: string, ...more: string[]): Promise<{ id: string }> {
    const about = ['--url', `${other.origin}${path}`, '--description', 'Makes it smaller']
    const input = more.includes('--input') ? [] : ['--input', 'in.json']
    return json('workflows', 'add', name, '--engine', 'http', ...about, ...input, ...more)
  }
  return { other, file, text, told, json, ends, register }
}

verifies(
  'GOV-12',
  'segno workflows registers one from a file, starts it once per key and tells what came of it',
  async () => {
    const { other, file, told, json, ends } = await opened()
    expect(await told('workflows', 'ls')).toBe(
      'There are no workflows. Register one with: segno workflows add <name> (--help tells how)',
    )
    const target = { url: `${other.origin}/resize` }
    const input = { type: 'object', properties: { file: { type: 'string' } }, required: ['file'] }
    file('resize.json', { description: 'Makes it smaller', engine: 'http', target, input, effect: 'keyed' })
    const added = await told('workflows', 'add', 'resize', '--file', 'resize.json', '--per-hour', '20')
    expect(added.split('\n')[0]).toMatch(SECRET)
    expect(added).toContain('This secret is shown only now.')
    expect(added).toContain('Try it: segno workflows invoke resize')
    const shown = await told('workflows', 'show', 'resize')
    expect(shown).not.toContain('whsec_')
    expect(shown).toContain(`http at ${other.origin}/resize\n  for models: workflow_resize`)
    expect(shown).toContain('at most 20 an hour')
    expect(shown).toMatch(/runs since .*: none\n/)
    expect(await told('workflows', 'change', 'resize', '--cost', '0.0005')).toContain('costs $0.0005 each time')
    expect(await told('workflows', 'change', 'resize', '--cost', '0')).toContain('costs $0 each time')
    expect(await told('workflows', 'ls', '--status', 'disabled')).toBe('There is none with the status disabled.')

    const run = await json('workflows', 'invoke', 'resize', '--input', '{"file": "a.png"}')
    expect(run).toMatchObject({ status: 'success', output: { file: 'a.small.png' }, attempts: 1 })
    expect(await json('workflows', 'invoke', 'resize', '--input', '{"file": "a.png"}')).toEqual(run)
    expect(other.received.map(({ path, body }) => [path, body])).toEqual([['/resize', { file: 'a.png' }]])

    file('b.json', { file: 'b.png' })
    other.answer('/resize', 422, { error: 'There is no b.png.' })
    const failed = await ends(1, 'workflows', 'invoke', 'resize', '--input-file', 'b.json')
    expect(failed).toMatch(/ {2}resize {2}failed, [^]*\n {2}REFUSED: /)
    expect(failed).toContain('The same input within five minutes is this run again; a new --key starts another.')
    expect(await told('workflows', 'runs', 'resize')).toMatch(
      /^\S+ {2}resize {2}failed.*\n {2}It was answered with the status 422.*\n\S+ {2}resize {2}succeeded.*$/,
    )
    expect(await told('workflows', 'show', 'resize')).toMatch(
      /runs since .*: 1 succeeded, 1 failed; half of them took less than [\d.]+ m?s\n/,
    )
    expect(await told('workflows', 'cancel', String(run['id']))).toContain('It had ended already; nothing was stopped.')
    expect(await json('workflows', 'runs', '--status', 'success')).toMatchObject([{ id: run['id'] }])
  },
)

test('segno workflows changes one, and starts none that is disabled, telling why', async () => {
  const { told, json, ends, register } = await opened()
  await register('resize', '/resize')
  expect(await json('workflows', 'change', 'resize', '--timeout', '60', '--cost', '0.01')).toMatchObject({
    timeoutMs: 60_000,
    cost: 10_000,
    revision: 2,
  })
  expect(await ends(1, 'workflows', 'change', 'resize', '--timeout', '5', '--revision', '1')).toContain(
    'Somebody changed this workflow meanwhile; look at it again.',
  )
  expect(await ends(1, 'workflows', 'change', 'resize')).toContain('Say what to change')
  expect(await told('workflows', 'change', 'resize', '--rename', 'shrink', '--status', 'deprecated')).toMatch(
    /^\S+ {2}shrink {2}http, unsafe {2}deprecated\n/,
  )
  expect(await ends(2, 'workflows', 'disable', 'shrink')).toContain('--reason')
  expect(await told('workflows', 'disable', 'shrink', '--reason', 'It moves.')).toContain('disabled: It moves.')
  expect(await json('workflows', 'ls', '--status', 'disabled')).toMatchObject([{ name: 'shrink' }])
  expect(await ends(1, 'workflows', 'invoke', 'shrink', '--input', '{"file": "a"}')).toBe(
    'segno: The workflow shrink is disabled: It moves.',
  )
  expect(await told('workflows', 'enable', 'shrink')).not.toContain('disabled')
  const { secret } = await json<{ secret: string }>('workflows', 'secret', 'shrink')
  expect(secret).toMatch(SECRET)
})

test('segno workflows waits for no late result, and a person says what became of a run that nobody knows', async () => {
  const { told, json, ends, register } = await opened()
  await register('slow', '/later', '--wait', '3600')
  const start = ['workflows', 'invoke', 'slow', '--input', '{"file": "a"}', '--no-wait', '--key', 'one']
  const started = await told(...start)
  expect(started).toContain('It goes on without this command: segno workflows run ')
  expect(started).not.toContain('again at')
  const { id } = await json<{ id: string }>(...start)
  await eventually(async () => (await json('workflows', 'run', id))['status'] === 'running')
  expect(await told('workflows', 'run', id.slice(0, 18))).toMatch(/ {2}slow {2}runs, since /)
  const cancelled = await told('workflows', 'cancel', id)
  expect(cancelled).toContain('may have happened: nobody knows')
  expect(cancelled).toContain(`say what became of it: segno workflows settle ${id} success`)
  expect(await ends(1, 'workflows', 'settle', id, 'maybe')).toContain('Say success or failure after its id.')
  expect(await ends(1, 'workflows', 'settle', id, 'success', '--output', '{a')).toContain('The output must be JSON')
  expect(await told('workflows', 'settle', id, 'success', '--output', '{"ok": true}')).toContain('output {"ok":true}')
  expect(await told('workflows', 'settle', id, 'success', '--output', '{"ok": true}')).toContain('succeeded')
  expect(await ends(1, 'workflows', 'settle', id, 'failure', '--error', 'No.')).toContain(
    'Another result of this run is stored already',
  )
})

test('segno triggers starts a workflow for events that fit, each once', async () => {
  const { told, json, ends, register } = await opened()
  await register('welcome', '/welcome', '--input', '{"type": "object"}')
  await register('narrow', '/narrow')
  expect(await told('triggers', 'ls')).toContain('Add one with: segno triggers add <event> --workflow <name>')
  const added = await told('triggers', 'add', 'user.signup', '--workflow', 'welcome', '--where', 'plan=pro', 'seats=5')
  expect(added).toMatch(/^\S+ {2}user\.signup where plan is "pro" and seats is 5\n {2}runs workflow welcome$/)
  const [trigger] = await json<{ id: string }[]>('triggers', 'ls')
  const id = trigger?.id ?? ''

  const payload = '{"plan": "pro", "seats": 5}'
  await told('events', 'report', 'user.signup', '--payload', '{"plan": "free", "seats": 5}')
  expect(await told('events', 'report', 'user.signup', '--payload', payload, '--id', 's-1')).toMatch(/^Reported as /)
  await told('events', 'report', 'user.signup', '--payload', payload, '--id', 's-1')
  await told('events', 'report', 'user.signup', '--payload', payload, '--id', 's-2')
  const runs = () => json<{ status: string; input: unknown }[]>('workflows', 'runs', 'welcome')
  await eventually(async () => (await runs()).filter(({ status }) => status === 'success').length === 2)
  expect((await runs())[0]?.input).toMatchObject({ event: 'user.signup', payload: { plan: 'pro', seats: 5 } })

  expect(await told('triggers', 'change', id.slice(0, 18), '--anywhere', '--event', 'order.paid')).toMatch(
    /^\S+ {2}order\.paid \(a name of your own\)\n/,
  )
  expect(await told('triggers', 'disable', id, '--reason', 'Not now.')).toContain('disabled: Not now.')
  expect(await told('triggers', 'enable', id)).not.toContain('disabled')
  expect(await told('triggers', 'rm', id)).toBe(`The trigger ${id} is removed.`)
  const refusals = [
    [['add', 'user.signup'], 'Say which workflow it starts: --workflow <name>'],
    [['add', 'user.signup', '--workflow', 'nobody'], 'There is no workflow nobody. segno workflows ls lists them.'],
    [['add', 'user.signup', '--workflow', 'narrow'], 'is given {event, payload, timestamp}'],
    [['add', 'User Signup', '--workflow', 'welcome'], 'or a name of your own such as order.paid'],
    [['add', 'user.signup', '--workflow', 'welcome', '--where', 'plan'], 'expected path=value, such as plan=pro'],
    [['show', id], 'There is no trigger'],
  ] as const
  await Promise.all(refusals.map(async ([args, why]) => expect(await ends(1, 'triggers', ...args)).toContain(why)))
  expect(await ends(1, 'events', 'report', 'approval.requested')).toContain('told by Segno itself')
  expect(await ends(1, 'events', 'report', 'order.paid', '--payload', '[1]')).toContain(
    'The payload must be a JSON object',
  )
})

test('segno schedules tells when each is next, and refuses times that never come', async () => {
  const { told, json, ends, register } = await opened()
  await register('report', '/report')
  const nine = ['schedules', 'add', '0 9 * * 1-5', '--time-zone', 'Europe/Berlin', '--workflow', 'report']
  const added = await told(...nine, '--input', '{"file": "x"}')
  expect(added).toMatch(
    /^\S+ {2}0 9 \* \* 1-5 {2}Europe\/Berlin, next (?:[\d-]+ )?\d\d:\d\d\n {2}runs workflow report with \{"file":"x"\}$/,
  )
  const [schedule] = await json<{ id: string; nextAt: string }[]>('schedules', 'ls')
  const id = schedule?.id ?? ''
  expect(new Date(schedule?.nextAt ?? '').toLocaleTimeString('de', { timeZone: 'Europe/Berlin' })).toBe('09:00:00')
  expect(await json('schedules', 'change', id, '--cron', '30 8 * * *')).toMatchObject({ cron: '30 8 * * *' })
  expect(await told('schedules', 'disable', id)).not.toContain('next')
  expect(await told('schedules', 'rm', id)).toBe(`The schedule ${id} is removed.`)
  const refusals = [
    [['0 9 31 2 *', '--workflow', 'report'], 'cron would never fire'],
    [['every day', '--workflow', 'report'], 'cron must have five fields: minute, hour, day of the month, month'],
    [['0 9 * * *', '--workflow', 'report', '--time-zone', 'Mars/X'], 'timeZone must be the name of a time zone'],
    [['0 9 * * *'], 'Say what it starts: --workflow <name>, or --session <id> --say "…".'],
    [['0 9 * * *', '--say', 'Hello'], 'Give --session and --say together.'],
    [['0 9 * * *', '--workflow', 'report', '--input', 'x'], 'The input must be a JSON object'],
  ] as const
  await Promise.all(
    refusals.map(async ([args, why]) => expect(await ends(1, 'schedules', 'add', ...args)).toContain(why)),
  )
})

test('segno hooks shows the secret of an address once, and says what it does', async () => {
  const { told, json, ends, register } = await opened()
  await register('ship', '/ship', '--input', 'any.json')
  const added = await told('hooks', 'add', 'orders', '--event', 'order.paid')
  expect(added.split('\n')[0]).toMatch(SECRET)
  expect(await told('hooks', 'ls')).toBe('orders  POST /api/hooks/orders\n  reports the event order.paid')
  const changed = await told('hooks', 'change', 'orders', '--rename', 'ship', '--workflow', 'ship')
  expect(changed).toBe('ship  POST /api/hooks/ship\n  runs workflow ship with what it is sent')
  expect((await json<{ secret: string }>('hooks', 'secret', 'ship')).secret).toMatch(SECRET)
  expect(await told('hooks', 'disable', 'ship', '--reason', 'Noise.')).toContain('disabled: Noise.')
  expect(await told('hooks', 'rm', 'ship')).toBe('The hook ship is removed.')
  const refusals = [
    [['show', 'ship'], 'There is no hook ship. segno hooks ls lists them.'],
    [['add', 'orders'], 'Say what it does: --event <type>, --workflow <name>'],
    [['add', 'orders', '--event', 'order.paid', '--workflow', 'ship'], 'Say one thing to do'],
    [['add', 'or ders', '--event', 'order.paid'], 'name'],
  ] as const
  await Promise.all(refusals.map(async ([args, why]) => expect(await ends(1, 'hooks', ...args)).toContain(why)))
})

test('segno webhooks tells what did not arrive and why, and sends it again', async () => {
  const { other, told, json, ends } = await opened()
  other.answer('/told', 503)
  const added = await told('webhooks', 'add', `${other.origin}/told`, '--event', 'order.paid')
  expect(added.split('\n')[0]).toMatch(SECRET)
  const [webhook] = await json<{ id: string }[]>('webhooks', 'ls')
  const id = webhook?.id ?? ''
  expect(await told('webhooks', 'deliveries', id)).toBe('It was told nothing so far.')
  await told('events', 'report', 'order.paid', '--id', 'o-1')
  const deliveries = () => json<{ id: string; status: string; attempts: number }[]>('webhooks', 'deliveries', id)
  await eventually(async () =>
    (await deliveries()).some(({ attempts, status }) => attempts > 0 && status === 'pending'),
  )
  expect(await told('webhooks', 'deliveries', id)).toMatch(
    /^\S+ {2}order\.paid {2}is sent again at \d\d:\d\d, sent .*: .*\b503\b/,
  )
  const [delivery] = await deliveries()
  expect(await ends(1, 'webhooks', 'send-again', delivery?.id ?? '')).toContain(
    'is on its way; wait until it has ended',
  )
  expect(await told('webhooks', 'change', id, '--event', '*', '--content')).toMatch(/, with content\n {2}every event$/)
  const refusals = [
    [
      ['add', 'http://10.1.1.1/x', '--event', 'order.paid'],
      'It may be private if SEGNO_WORKFLOW_ORIGINS names its origin, http://10.1.1.1.',
    ],
    [['add', `${other.origin}/x`], 'Say which events it is told of: --event <type>'],
    [['change', id], 'Say what to change: --url, --event, --content or --no-content.'],
    [['send-again', 'nothing'], 'There is no delivery nothing'],
  ] as const
  await Promise.all(refusals.map(async ([args, why]) => expect(await ends(1, 'webhooks', ...args)).toContain(why)))
})

describe('wrong usage ends with', () => {
  test('2 where a command is misspelt, and what is meant', async () => {
    const { ends } = await opened()
    expect(await ends(2, 'workflows', 'add', 'x', '--engine', 'make')).toContain(
      'Allowed choices are n8n, temporal, http.',
    )
    expect(await ends(2, 'workflows', 'ad', 'x')).toContain('unknown command')
    expect(await ends(2, 'workflows', 'settle', '0199a5c1')).toContain("missing required argument 'outcome'")
  })

  test('1 where what is given cannot be used, naming it', async () => {
    const { ends, file, text, register } = await opened()
    await register('resize', '/resize')
    file('list.json', [1])
    text('comma.json', '{"engine": "http", }')
    const refusals = [
      [['add', 'x', '--file', 'none.json'], 'none.json is not there'],
      [['add', 'x', '--file', 'list.json'], 'What is in list.json must be a JSON object'],
      [
        ['add', 'x', '--engine', 'http', '--input', 'in.json'],
        'Say also --description, --url (of Temporal --connection, --type and --queue), or all of it in a --file',
      ],
      [['add', 'x', '--file', 'comma.json'], 'in JSON at position 19'],
      [['add', 'x', ...HTTP, 'http://n8n:5678/x'], 'if SEGNO_WORKFLOW_ORIGINS names its origin, http://n8n:5678.'],
      [['add', 'x', '--engine', 'n8n', '--auth-header', 'x-segno'], 'Give --auth-header and --auth-env together.'],
      [['add', 'x', '--engine', 'n8n', '--auth-header', 'x-segno', '--auth-env', 'NOT_SET'], 'NOT_SET'],
      [['add', 'Big Name', ...HTTP, 'https://example.org'], 'name'],
      [['add', 'resize', ...HTTP, 'https://example.org'], 'there is a workflow called resize already'],
      [['invoke', 'nobody'], 'There is no workflow nobody. segno workflows ls lists them.'],
      [['invoke', 'resize', '--input', '{"file": 5}'], 'input does not fit the schema of resize: file'],
      [['invoke', 'resize', '--input', '{a'], 'The input must be a JSON object'],
      [['invoke', 'resize', '--input', '{}', '--input-file', 'in.json'], 'Say the input once'],
      [['run', '0199a5c1'], 'There is no run 0199a5c1. segno workflows runs lists them.'],
    ] as const
    await Promise.all(refusals.map(async ([args, why]) => expect(await ends(1, 'workflows', ...args)).toContain(why)))
  })
})

test('who starts one where no server runs is told that it goes on while one does', async () => {
  const home = newHome()
  const other = await workReceiver()
  const env = { SEGNO_WORKFLOW_ORIGINS: other.origin }
  const about = ['--description', 'd', '--input', '{"type": "object"}', '--effect', 'pure', '--engine', 'http']
  await command(home, ['workflows', 'add', 'busy', ...about, '--url', `${other.origin}/busy`], env)
  const { out } = await command(home, ['workflows', 'invoke', 'busy', '--no-wait'], env)
  expect(out).toContain('It goes on while Segno runs (segno serve): segno workflows run ')
})

const HTTP = ['--description', 'd', '--input', 'in.json', '--engine', 'http', '--url'] as const

test.each(['workflows', 'triggers', 'schedules', 'hooks', 'webhooks', 'events'])(
  'segno %s --help tells what they are, with commands to copy',
  async (topic) => {
    const { code, out } = await command(newHome(), [topic, '--help'])
    expect(code).toBe(0)
    expect(out).toMatch(/segno \w+ (?:add|report) \S+|segno triggers/)
  },
)
