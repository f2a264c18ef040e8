import { describe, expect, test } from 'vitest'
import { readSources } from './support/read-sources.ts'
import { breaches, browserBreaches, importsOf, pageBreaches } from './support/rooms.ts'

test('every file of src keeps to its room', () => {
  expect(breaches(readSources(['src/**/*.ts'])).join('\n')).toBe('')
})

test('a room asks for the roles of the store it uses, and never for the whole store', () => {
  const sources = Object.entries(readSources(['src/**/*.ts'])).filter(
    ([path]) => !/^src\/(store\/|app[-.])|\.test\.ts$/.test(path),
  )
  expect(sources.filter(([, text]) => /\{[^}]*\bStore\b[^}]*\} from '[./]+store\/index\.ts'/.test(text))).toEqual([])
})

test('the client, and whatever it reaches, can be loaded by a browser', () => {
  expect(browserBreaches(readSources(['src/**/*.ts'])).join('\n')).toBe('')
  const sources = {
    'src/client/index.ts': `export { delay } from '../lib/delay.ts'`,
    'src/lib/delay.ts': `import { setTimeout } from 'node:timers/promises'`,
  }
  expect(browserBreaches(sources)).toEqual(['src/lib/delay.ts imports node:timers/promises, which no browser has'])
})

test('the page shares with the server what both must mean the same by, and nothing else', () => {
  expect(pageBreaches(readSources(['web/src/**/*.ts', 'web/src/**/*.tsx'])).join('\n')).toBe('')
})

test.each([
  ['web/src/app.tsx', `import { visible } from '../../src/lib/visible.ts'`],
  ['web/src/app.tsx', `import { follow } from '../../src/client/follow.ts'`],
  ['web/src/state/me.ts', `import { z } from 'zod'`],
  ['web/src/state/me.ts', `import { readFileSync } from 'node:fs'`],
])('a page that reaches further is caught: %s: %s', (path, source) => {
  expect(pageBreaches({ [path]: source })).toHaveLength(1)
})

test('every form of import is seen, and none in comments', () => {
  const source = `
    import type { A } from './a.ts'
    import b, {
      type B,
      c as d,
    } from "./b.ts"
    import * as e from './e.ts'
    import{f}from'./f.ts'
    import './side-effect.ts'
    export { g } from './g.ts'
    export * from './star.ts'
    export type { H } from './h.ts'
    const i = await import('./i.ts')
    type J = import('./j.ts').J
    const k = process.getBuiltinModule('node:sqlite')
    const address = 'http://example.org' // import './comment.ts'
    /* import './block.ts' */
    export const l = 'not/an/import'
  `
  const letters = ['a', 'b', 'e', 'f', 'side-effect', 'g', 'star', 'h', 'i', 'j'].map((name) => `./${name}.ts`)
  expect(importsOf(source).sort()).toEqual([...letters, 'node:sqlite'].sort())
})

describe('allowed', () => {
  test.each([
    ['src/round/run-round.ts', `import { judge } from '../policy/index.ts'`],
    ['src/round/run-round.ts', `import type { Event } from '../contract/event.ts'`],
    ['src/round/deep/er.ts', `import { now } from '../../lib/clock.ts'; import './est.ts'`],
    ['src/policy/judge.ts', `import { inspect } from 'node:util'; import { permission } from './rules/permission.ts'`],
    ['src/session/state.ts', `const at = new Date(event.at) // never Date.now()`],
    ['src/session/state.test.ts', `import fc from 'fast-check'; import { test } from 'vitest'; const t = Date.now()`],
    ['src/session/state.test.ts', `import { verifies } from '../../tests/support/verifies.ts'`],
    [
      'src/store/sqlite/open.ts',
      `import { DatabaseSync } from 'node:sqlite'; import type { Store } from '../store.ts'`,
    ],
    ['src/model/call.ts', `import type { LanguageModelV4 } from '@ai-sdk/provider'`],
    ['src/tool/local/datetime.ts', `import { z } from 'zod/v4'`],
    ['src/channel/http/app.ts', `import { Hono } from 'hono/tiny'; import { follow } from '../../stream/index.ts'`],
    ['src/channel/cli/reach.ts', `import { createClient } from '../../client/index.ts'`],
    ['src/app.ts', `import './store/sqlite/index.ts'; import './store/postgres/index.ts'; import './round/index.ts'`],
    ['src/index.ts', `export { createSegno } from './app.ts'; export type { Actor } from './contract/actor.ts'`],
  ])('%s: %s', (path, source) => {
    expect(breaches({ [path]: source })).toEqual([])
  })
})

describe('caught', () => {
  test.each([
    ['src/contract/event.ts', `import { newId } from '../lib/id.ts'`, 'contract may not import lib'],
    ['src/session/state.ts', `import type { Store } from '../store/index.ts'`, 'session may not import store'],
    ['src/round/run-round.ts', `import { limits } from '../config/index.ts'`, 'round may not import config'],
    ['src/tool/registry.ts', `export { judge } from '../policy/index.ts'`, 'tool may not import policy'],
    ['src/tool/registry.ts', `const m = await import('../model/index.ts')`, 'tool may not import model'],
    ['src/tool/registry.test.ts', `import { judge } from '../policy/index.ts'`, 'tool may not import policy'],
    ['src/client/follow.ts', `import type { Store } from '../store/index.ts'`, 'client may not import store'],
    ['src/round/run-round.ts', `import { createClient } from '../client/index.ts'`, 'round may not import client'],
    [
      'src/channel/http/app.ts',
      `import { createClient } from '../../client/index.ts'`,
      'channel may not import client',
    ],
    ['src/index.ts', `export { nextStep } from './session/index.ts'`, 'index.ts may not import session'],
    ['src/round/run-round.ts', `import { judge } from '../policy/judge.ts'`, 'past its door'],
    ['src/app.ts', `import { judge } from './policy/judge.ts'`, 'past its door'],
    ['src/app.ts', `import { open } from './store/sqlite/open.ts'`, 'past its door'],
    ['src/store/index.ts', `export { open } from './sqlite/index.ts'`, 'only app.ts chooses store/sqlite'],
    ['src/round/run-round.ts', `import { open } from '../store/sqlite/index.ts'`, 'only app.ts chooses store/sqlite'],
    [
      'src/channel/http/app.ts',
      `import { open } from '../../store/sqlite/index.ts'`,
      'only app.ts chooses store/sqlite',
    ],
    ['src/channel/http/app.ts', `import { print } from '../cli/index.ts'`, 'only app.ts chooses channel/cli'],
    ['src/workflow/index.ts', `import './n8n/index.ts'; import './temporal/index.ts'`, 'imports several adapters'],
    ['src/round/run-round.ts', `import { start } from '../app.ts'`, 'stands above all rooms'],
    ['src/round/run-round.ts', `import { scripted } from '../../tests/support/scripted.ts'`, 'outside src'],
    ['src/round/run-round.test.ts', `import { plan } from '../../bench/plan.ts'`, 'outside src'],
    ['src/store/port.ts', `import { DatabaseSync } from 'node:sqlite'`, 'whose home is store/sqlite'],
    ['src/round/run-round.ts', `import type { LanguageModelV4 } from '@ai-sdk/provider'`, 'whose home is model'],
    ['src/session/signature.ts', `import canonicalize from 'canonicalize'`, 'whose home is lib'],
    ['src/round/run-round.ts', `import { z } from 'zod'`, 'whose home is contract, config, tool, channel'],
    ['src/round/run-round.ts', `import chalk from 'chalk'`, 'has no home'],
    ['src/round/run-round.ts', `import { test } from 'vitest'`, 'has no home'],
    ['src/session/state.ts', `import { readFileSync } from 'node:fs'`, 'session is pure'],
    ['src/policy/judge.ts', `import { setTimeout } from 'node:timers/promises'`, 'policy is pure'],
    ['src/session/state.ts', `const now = Date.now()`, 'uses Date.now'],
    ['src/session/state.ts', `const now = new Date()`, 'uses new Date()'],
    ['src/policy/judge.ts', `const dice = Math.random()`, 'uses Math.random'],
    ['src/policy/judge.ts', `const home = process.env.HOME`, 'uses process'],
    ['src/policy/judge.ts', `setTimeout(() => {}, 1)`, 'uses a timer'],
    ['src/helpers/pad.ts', `export const pad = 1`, 'is in no room'],
    ['src/helpers.ts', `export const pad = 1`, 'is in no room'],
  ])('%s: %s', (path, source, reason) => {
    expect(breaches({ [path]: source }).join('\n')).toContain(reason)
  })
})
