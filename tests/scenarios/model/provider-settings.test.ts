import { expect, test } from 'vitest'
import { readConfig } from '../../../src/config/index.ts'
import { PROVIDERS } from '../../../src/model/providers/provider-table.ts'

test('every setting of a provider is one the configuration knows and hands on', () => {
  const names = PROVIDERS.flatMap(({ keySettings, urlSetting }) => [...keySettings, urlSetting])
  const env = Object.fromEntries(names.map((name) => [name, name.endsWith('_KEY') ? 'k' : 'http://127.0.0.1:9']))
  expect(readConfig(env).providers).toEqual(env)
})
