import { expect } from 'vitest'
import { verifies } from '../../../tests/support/verifies.ts'
import { PROVIDERS } from '../providers/provider-table.ts'
import { render, type ModelRequest } from './render.ts'

const request: ModelRequest = {
  prompt: {
    parts: [{ layer: 'core', id: 'core', text: 'The core.', hash: '' }],
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Said first.' }], eventIds: [] },
      { role: 'assistant', content: [{ type: 'text', text: 'Answered.' }], eventIds: [] },
      { role: 'user', content: [{ type: 'text', text: 'Said last.' }], eventIds: [] },
    ],
    notes: ['First note.', 'Second note.'],
  },
  tools: [],
  mayUseTools: true,
  sessionId: 's',
  requestId: 'r',
  files: new Map(),
}

/** What the real package of a provider sends. */
async function sentBy(name: string): Promise<string> {
  const provider = PROVIDERS.find((one) => one.name === name) as (typeof PROVIDERS)[number]
  const { connect } = await provider.load()
  let body = ''
  const fetch = (async (_: unknown, init: RequestInit) => {
    body = init.body as string
    return new Response('{}', { status: 400 })
  }) as typeof globalThis.fetch
  const model = connect({ apiKey: 'k', baseURL: 'http://127.0.0.1:9/v1', fetch })('m', { window: 1000 })
  const entry = { key: 'k', provider: name, modelId: 'm', window: 1000, maxOutput: 100 }
  const sending = model.doStream(render(request, entry, 1, new AbortController().signal))
  await expect(sending).rejects.toMatchObject({ statusCode: 400 })
  return body
}

verifies('PHA-7', 'no package drops the notes, or moves them from their place', async () => {
  const order = ['Said first.', 'Answered.', 'First note.', 'Second note.', 'Said last.']
  for (const { name } of PROVIDERS) {
    const body = await sentBy(name)
    const places = order.map((text) => body.indexOf(text))
    expect(places, name).toEqual([...places].sort((a, b) => a - b))
    expect(places, name).not.toContain(-1)
  }
})
