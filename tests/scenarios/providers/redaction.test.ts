import { expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

const STORED = 'sk-stored-0123456789abcdef'
const HEADER = 'header-0123456789abcdef'
const NAMED = 'of-no-usual-name-0123456789'

verifies('GOV-6', 'no tool returns a key or a header that is stored, or a key that SEGNO_PROVIDERS names', async () => {
  const it = await segnoUnderTest({
    tools: [probe('read', { run: async () => `found ${STORED}, ${HEADER} and ${NAMED}` })],
    turns: [{ calls: [{ name: 'read' }] }, { text: 'Done.' }],
    env: {
      SEGNO_PROVIDERS: JSON.stringify({ mine: { baseURL: 'http://127.0.0.1:9/v1', keyEnv: 'HOUSE' } }),
      HOUSE: NAMED,
    },
  })
  await it.segno.providers.set(LOCAL_OWNER, 'anthropic', {
    kind: 'anthropic',
    key: STORED,
    headers: { Authorization: `Bearer ${HEADER}` },
  })
  const { events } = await it.ask()
  expect(said(events, 'tool.result')).toMatchObject([
    { outcome: 'ok', content: 'found [REDACTED], [REDACTED] and [REDACTED]' },
  ])
})

verifies('GOV-6', 'a key that was replaced or removed while somebody uses it is still not returned', async () => {
  const found = ['sk-first-0123456789abcdef', 'sk-second-0123456789abcdef']
  const it = await segnoUnderTest({
    tools: [probe('read', { run: async () => `found ${found.join(' and ')}` })],
    turns: [{ calls: [{ name: 'read' }] }, { text: 'Done.' }],
  })
  for (const key of found) await it.segno.providers.set(LOCAL_OWNER, 'anthropic', { kind: 'anthropic', key })
  await it.segno.providers.remove(LOCAL_OWNER, 'anthropic')
  const { events } = await it.ask()
  expect(said(events, 'tool.result')).toMatchObject([{ content: 'found [REDACTED] and [REDACTED]' }])
})

verifies('GOV-6', 'no tool returns a secret that SEGNO_PROVIDERS has in a header, a query or an option', async () => {
  const secrets = ['header-0123456789', 'of-a-variable-0123', 'query-0123456789', 'option-0123456789']
  const [header = '', variable = '', query = '', option = ''] = secrets
  const it = await segnoUnderTest({
    tools: [probe('read', { run: async () => `found ${secrets.join(', ')} for the red-team` })],
    turns: [{ calls: [{ name: 'read' }] }, { text: 'Done.' }],
    env: {
      SEGNO_PROVIDERS: JSON.stringify({
        mine: {
          baseURL: 'http://127.0.0.1:9/v1',
          headers: { 'x-api-key': header, Authorization: 'Bearer ${LOGIN}', 'x-team': 'red-team' },
          query: { token: query },
        },
        other: { package: '@ai-sdk/anthropic', options: { credentials: [{ secretAccessKey: option }] } },
      }),
      LOGIN: variable,
    },
  })
  const { events } = await it.ask()
  const gone = secrets.map(() => '[REDACTED]').join(', ')
  expect(said(events, 'tool.result')).toMatchObject([{ content: `found ${gone} for the red-team` }])
})
