import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Problem } from '../contract/problem.ts'
import { readConfig, type Settings } from './config.ts'
import { LIMITS } from './limits.ts'

function faultsOf(env: Settings, given?: object): string {
  try {
    readConfig(env, given)
  } catch (error) {
    expect(error).toBeInstanceOf(Problem)
    expect(error).toMatchObject({ code: 'CONFIG_ERROR' })
    return (error as Problem).message
  }
  throw new Error('nothing is wrong with these settings')
}

describe('without settings', () => {
  test('every limit has its default', () => {
    const defaults = Object.fromEntries(Object.entries(LIMITS).map(([name, limit]) => [name, limit.default]))
    expect(readConfig({}).limits).toEqual(defaults)
  })

  test('it is safe, and in the home of the user', () => {
    expect(readConfig({})).toMatchObject({
      home: join(homedir(), '.segno'),
      durability: 'full',
      protocol: 'unified',
      model: undefined,
      script: undefined,
    })
  })

  test('it cannot be changed afterwards', () => {
    const config = readConfig({})
    expect(Object.isFrozen(config)).toBe(true)
    expect(Object.isFrozen(config.limits)).toBe(true)
  })

  test('other variables of the environment do not matter', () => {
    expect(readConfig({ PATH: '/bin', SEGNOX: '1', segno_home: 'x' })).toEqual(readConfig({}))
  })
})

describe('quiet hours', () => {
  test.each([
    [undefined, { from: 2, to: 5 }],
    ['22-4', { from: 22, to: 4 }],
    ['0-24', { from: 0, to: 24 }],
    ['off', undefined],
  ])('%s', (text, hours) => {
    expect(readConfig({ SEGNO_QUIET_HOURS: text }).quietHours).toEqual(hours)
  })

  test.each(['5', '2-2', '24-3', '2-25', '2:00-5:00', 'night'])('%s is none', (text) => {
    expect(() => readConfig({ SEGNO_QUIET_HOURS: text })).toThrow(`SEGNO_QUIET_HOURS is "${text}", expected two hours`)
  })
})

describe('the environment', () => {
  test('sets everything', () => {
    const env = {
      SEGNO_HOME: '/data',
      SEGNO_DURABILITY: 'normal',
      SEGNO_PROTOCOL: 'triggered',
      SEGNO_MODEL: 'a:b',
      SEGNO_SCRIPT: 'script.json',
      SEGNO_LIMITS_MAX_ROUNDS: '3',
    }
    expect(readConfig(env)).toMatchObject({
      home: '/data',
      durability: 'normal',
      protocol: 'triggered',
      model: 'a:b',
      script: 'script.json',
      limits: { MAX_ROUNDS: 3, QUEUE_LENGTH: LIMITS.QUEUE_LENGTH.default },
    })
  })

  test('an empty variable is one that is not set', () => {
    const empty = ['HOME', 'DURABILITY', 'PROTOCOL', 'MODEL', 'SCRIPT', 'LIMITS_TOTAL_MS', 'HOST', 'PORT']
    expect(readConfig(Object.fromEntries(empty.map((name) => [`SEGNO_${name}`, ''])))).toEqual(readConfig({}))
  })

  test('every limit can be set to the least it may be, and not to less', () => {
    for (const [name, limit] of Object.entries(LIMITS)) {
      const least = 'least' in limit ? limit.least : 0
      const setting = `SEGNO_LIMITS_${name}`
      expect(readConfig({ [setting]: String(least) }).limits).toMatchObject({ [name]: least })
      expect(() => readConfig({ [setting]: String(least - 1) })).toThrow(setting)
    }
  })

  test('nobody can be left without a slot or a place in memory', () => {
    for (const name of ['MAX_ROUNDS', 'MAX_COORDINATORS']) {
      expect(() => readConfig({ [`SEGNO_LIMITS_${name}`]: '0' })).toThrow('from 1 up')
    }
  })
})

describe('options given in code', () => {
  test('win over the environment', () => {
    const env = { SEGNO_HOME: '/a', SEGNO_DURABILITY: 'full', SEGNO_MODEL: 'a', SEGNO_LIMITS_MAX_ROUNDS: '1' }
    const given = { home: '/b', durability: 'normal', model: 'b', limits: { MAX_ROUNDS: 2 } } as const
    expect(readConfig(env, given)).toMatchObject({ ...given })
  })

  test('are checked like the environment', () => {
    expect(faultsOf({}, { durability: 'maybe' })).toContain('durability is "maybe", expected full or normal')
    expect(faultsOf({}, { protocol: 'thrice' })).toContain('protocol is "thrice", expected unified or triggered')
    expect(faultsOf({}, { limits: { MAX_ROUNDS: -1 } })).toContain('limits.MAX_ROUNDS is "-1"')
    expect(faultsOf({}, { limits: { maxRounds: 1 } })).toContain('limits.maxRounds is not a limit')
    expect(faultsOf({}, { limits: { toString: 1 } })).toContain('limits.toString is not a limit')
  })
})

describe('a mistake', () => {
  test.each(['many', '-1', '1.5', ' ', '1 0', '0x10', '1e3', 'NaN', 'Infinity', '9'.repeat(20)])(
    'a limit of "%s" is named',
    (value) => {
      const said = faultsOf({ SEGNO_LIMITS_TOOL_MS: value })
      expect(said).toContain(`SEGNO_LIMITS_TOOL_MS is "${value}", expected a whole number from 0 up`)
    },
  )

  test.each(['x', '-1', '65536', '1.5', ' '])('a port of "%s" is named', (value) => {
    expect(faultsOf({ SEGNO_PORT: value })).toContain(`SEGNO_PORT is "${value}"`)
  })

  test('in a choice is named with what there is to choose', () => {
    expect(faultsOf({ SEGNO_PROTOCOL: 'Unified' })).toContain(
      'SEGNO_PROTOCOL is "Unified", expected unified or triggered',
    )
  })

  test.each([
    ['SEGNO_DURABILTY', 'SEGNO_DURABILITY'],
    ['SEGNO_LIMIT_MAX_ROUNDS', 'SEGNO_LIMITS_MAX_ROUNDS'],
    ['SEGNO_LIMITS_MAX_ROUND', 'SEGNO_LIMITS_MAX_ROUNDS'],
    ['SEGNO_LIMITS_QUEUE_LENGHT', 'SEGNO_LIMITS_QUEUE_LENGTH'],
    ['SEGNO_MODELL', 'SEGNO_MODEL'],
  ])('%s is taken for %s', (wrong, right) => {
    expect(faultsOf({ [wrong]: '1' })).toContain(`${wrong} is not a setting (did you mean ${right}?)`)
  })

  test('that looks like nothing known is named without a guess', () => {
    expect(faultsOf({ SEGNO_COLOUR: 'red' })).toBe('Segno cannot start: SEGNO_COLOUR is not a setting.')
    expect(faultsOf({ SEGNO_LIMITS_toString: '1' })).toContain('SEGNO_LIMITS_toString is not a setting')
  })

  test('does not hide the others', () => {
    const said = faultsOf(
      { SEGNO_COLOUR: 'red', SEGNO_PROTOCOL: 'thrice', SEGNO_LIMITS_TOOL_MS: 'x' },
      { limits: { FUN: 1 } },
    )
    for (const name of ['SEGNO_COLOUR', 'SEGNO_PROTOCOL', 'SEGNO_LIMITS_TOOL_MS', 'limits.FUN']) {
      expect(said).toContain(name)
    }
  })
})

test('a known host is named without a port, and what can be done instead is said', () => {
  const read = (hosts: string) => readConfig({ SEGNO_KNOWN_HOSTS: hosts }).knownHosts
  expect(read('docs.example.org, *.Example.com, [2001:db8::1], 192.0.2.1')).toEqual([
    'docs.example.org',
    '*.example.com',
    '[2001:db8::1]',
    '192.0.2.1',
  ])
  for (const host of ['docs.example.org:8443', '*.example.org:443', 'example.org:', '[2001:db8::1]:80'])
    expect(() => read(host), host).toThrow(/with a port, expected the host alone.*SEGNO_POLICY/)
  for (const host of ['https://example.org', 'example.org/docs', 'a b', '*', '*.*.org', 'user@example.org'])
    expect(() => read(host), host).toThrow(/SEGNO_KNOWN_HOSTS has/)
})

test('JSON that is nested past any use stops the start with a sentence', () => {
  for (const name of ['SEGNO_MODELS', 'SEGNO_POLICY', 'SEGNO_MCP', 'SEGNO_ASSUMED_PRICES', 'SEGNO_FOLDER_ROOTS'])
    expect(() => readConfig({ [name]: '['.repeat(900_000) }), name).toThrow(
      `${name} is nested more than 200 levels deep`,
    )
})

describe('SEGNO_FOLDER_ROOTS', () => {
  const roots = (value: unknown) => ({ SEGNO_FOLDER_ROOTS: typeof value === 'string' ? value : JSON.stringify(value) })

  test('lists folders for tenants, whether or not they are there yet', () => {
    const { folderRoots } = readConfig(roots({ acme: ['/srv/acme/', '/data/../data/acme'], local: [] }))
    expect([...folderRoots]).toEqual([
      ['acme', ['/srv/acme', '/data/acme']],
      ['local', []],
    ])
    expect(readConfig({}).folderRoots.size).toBe(0)
  })

  test('a root in another one of the same tenant is none: who works in the outer one could make it lead anywhere', () => {
    const { folderRoots } = readConfig(roots({ acme: ['/srv/acme/deep/x', '/srv/acme', '/srv/acme/', '/srv/acme2'] }))
    expect(folderRoots.get('acme')).toEqual(['/srv/acme', '/srv/acme2'])
  })

  test.each([
    ['/srv', 'cannot be read, expected JSON such as {"acme": ["/srv/acme"]}'],
    [['/srv'], 'cannot be read'],
    [{ acme: '/srv' }, 'has no list of folders for "acme"'],
    [{ acme: ['srv'] }, 'has "srv" for "acme", expected the full path of a folder'],
    [{ acme: [1] }, 'has 1 for "acme"'],
    [{ acme: ['/etc/acme'] }, 'has "/etc/acme" for "acme", which belongs to the system'],
    [{ acme: ['/srv/..'] }, 'has "/" for "acme", which is the whole machine'],
    [{ acme: ['/srv'], rival: ['/srv/rival'] }, 'gives "/srv/rival" to "rival" and "/srv" to "acme"'],
    [{ acme: ['/srv'], rival: ['/srv/'] }, 'roots of two tenants cannot lie in one another'],
  ])('%j is a mistake that is named', (value, said) => {
    expect(faultsOf(roots(value))).toContain(`SEGNO_FOLDER_ROOTS`)
    expect(faultsOf(roots(value))).toContain(said)
  })
})
