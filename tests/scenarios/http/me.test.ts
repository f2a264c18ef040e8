import { expect, test } from 'vitest'
import { asking } from './asking.ts'

test('tells who asks what they may and what is used where they ask for nothing else', async () => {
  const it = await asking({
    limits: { FILE_BYTES: 1234, MESSAGE_FILES: 3, SYSTEM_TOKENS: 900, DOCUMENT_BYTES: 5000 },
    env: { SEGNO_PROTOCOL: 'triggered' },
  })
  const { status, body } = await it.http('GET', '/api/me')
  expect(status).toBe(200)
  expect(body).toMatchObject({
    id: 'owner',
    tenant: 'local',
    permissions: ['*', 'operator'],
    model: it.segno.model,
    modelChosenBecause: it.segno.modelChosenBecause,
    protocol: 'triggered',
    requireKey: false,
    limits: { fileBytes: 1234, messageFiles: 3, promptTokens: 900, documentBytes: 5000 },
  })

  const key = await it.keyFor(['memory:read'], { userId: 'ada', tenant: 'acme' })
  expect((await it.http('GET', '/api/me', undefined, key)).body).toMatchObject({
    id: 'ada',
    tenant: 'acme',
    permissions: ['memory:read'],
  })
})
