import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ENTRIES } from './entries.ts'
import { LOOKED_AT } from './looked-at.ts'

/** An installed package: its version, and the models its types name. */
function installed(name: string): { version: string; models: Set<string> } {
  const file = findPackageJSON(name, import.meta.url) ?? ''
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string }
  const types = readFileSync(join(dirname(file), 'dist/index.d.ts'), 'utf8')
  const lists = types.match(/type \w*ModelId = [^;]*;/g) ?? []
  return {
    version,
    models: new Set(lists.flatMap((list) => [...list.matchAll(/'([^']+)'/g)].map(([, id]) => id ?? ''))),
  }
}

describe.each(Object.entries(LOOKED_AT))('the entries of %s', (provider, { package: name, version, pricesAsOf }) => {
  const found = installed(name)

  test('are models that its package knows', () => {
    const ids = ENTRIES.filter((entry) => entry.provider === provider).map(({ modelId }) => modelId)
    expect(ids).not.toEqual([])
    expect(ids.filter((id) => !found.models.has(id))).toEqual([])
  })

  test('are not older than its package', () => {
    const what = `${name} is ${found.version}: compare its models and prices with entries.ts, then note it in looked-at.ts`
    expect(version, what).toBe(found.version)
    expect(pricesAsOf).toMatch(/^\d{4}-\d{2}-\d{2}$/)
  })
})

test('every provider with entries was looked at', () => {
  expect([...new Set(ENTRIES.map(({ provider }) => provider))].sort()).toEqual(Object.keys(LOOKED_AT).sort())
})
