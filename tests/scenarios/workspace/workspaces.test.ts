import { describe, expect, test } from 'vitest'
import { permissionsOf } from '../../../src/account/index.ts'
import type { Actor } from '../../../src/contract/actor.ts'
import { canonicalJson } from '../../../src/lib/canonical-json.ts'
import { sha256 } from '../../../src/lib/hash.ts'
import { createScriptedModel } from '../../../src/model/index.ts'
import { composeUnderTest } from '../../support/compose-under-test.ts'
import { said, segnoUnderTest, type SegnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { ask } from '../http/ask.ts'
import { ada, rival, tempFolder } from './support.ts'

const eve: Actor = { ...ada, id: 'eve' }

/** The system text the model was given in its last call. */
const told = ({ requests }: SegnoUnderTest): string =>
  JSON.stringify(requests.at(-1)?.prompt.filter(({ role }) => role === 'system'))

describe('the instructions of a workspace', () => {
  test('are told to the model in every conversation there, and in no other', async () => {
    const u = await segnoUnderTest({ turns: [{ text: 'Yes.' }] })
    const { id: workspaceId } = await u.segno.workspaces.create(ada, { instructions: 'Answer in rhymes.' })
    for (const actor of [ada, eve]) {
      const { id } = await u.segno.createSession({ workspaceId }, { actor })
      await u.ask('hi', { sessionId: id, actor })
      expect(told(u)).toContain('Answer in rhymes.')
    }
    const { id } = await u.segno.createSession({}, { actor: ada })
    await u.ask('hi', { sessionId: id, actor: ada })
    expect(told(u)).not.toContain('rhymes')
  })

  test('change for the next answer when they are changed', async () => {
    const u = await segnoUnderTest({ turns: [{ text: 'Yes.' }] })
    const { id: workspaceId } = await u.segno.workspaces.create(ada, { instructions: 'Answer in rhymes.' })
    const { id } = await u.segno.createSession({ workspaceId }, { actor: ada })
    await u.ask('hi', { sessionId: id, actor: ada })
    await u.segno.workspaces.change(ada, workspaceId, { instructions: 'Answer in prose.' })
    await u.ask('hi', { sessionId: id, actor: ada })
    expect(told(u)).toContain('prose')
    expect(told(u)).not.toContain('rhymes')
  })

  verifies('COO-9', 'stand in a layer of their own among all that would be sent, which is what is sent', async () => {
    const u = await segnoUnderTest({ turns: [{ text: 'Yes.' }], systemPrompt: 'You are Segno.' })
    const wanted = { instructions: 'Answer in rhymes.' }
    const { body: made } = await ask(u, 'POST', '/api/workspaces', wanted)
    const { body: session } = await ask(u, 'POST', '/api/sessions', { workspaceId: made['id'] })
    const path = `/api/sessions/${String(session['id'])}`
    const { body } = await ask(u, 'GET', `${path}/prompt`)
    const { layers, systemPrompt } = body as unknown as {
      systemPrompt: string
      layers: { name: string; text: string; tokens: number; hash: string }[]
    }
    expect(layers.map(({ name }) => name)).toEqual(['core', 'system', 'workspace'])
    expect(layers[2]?.text).toContain('Answer in rhymes.')
    expect(systemPrompt).toBe(layers.map(({ text }) => text).join('\n\n'))
    for (const { text, tokens } of layers) {
      expect(tokens).toBeGreaterThan(text.length / 10)
      expect(tokens).toBeLessThan(text.length)
    }
    const { body: answer } = await ask(u, 'POST', `${path}/messages?wait=1`, { content: 'hi' })
    const sent = u.requests[0]?.prompt.filter(({ role }) => role === 'system').map(({ content }) => content)
    expect(sent).toEqual(layers.map(({ text }) => text))
    const { body: events } = await ask(u, 'GET', `${path}/events?round=${String(answer['requestId'])}`)
    const [turn] = (events['items'] as { type: string; data: { sent: { parts: { hash: string }[] } } }[]).filter(
      ({ type }) => type === 'turn.started',
    )
    expect(turn?.data.sent.parts.map(({ hash }) => hash)).toEqual(layers.map(({ hash }) => hash))
  })

  test('cannot be read, used or changed from another tenant', async () => {
    const u = await segnoUnderTest({ turns: [{ text: 'Yes.' }] })
    const { workspaces, createSession } = u.segno
    const { id } = await workspaces.create(ada, { name: 'Zanzibar', instructions: 'Zanzibar' })
    const absent = { code: 'NOT_FOUND', message: `There is no workspace ${id}.` }
    await expect(workspaces.get(rival, id)).rejects.toMatchObject(absent)
    await expect(workspaces.change(rival, id, { instructions: '' })).rejects.toMatchObject(absent)
    await expect(createSession({ workspaceId: id }, { actor: rival })).rejects.toMatchObject(absent)
    expect(JSON.stringify(await workspaces.list(rival))).not.toContain('Zanzibar')
    expect((await workspaces.get(eve, id)).instructions).toBe('Zanzibar')
  })
})

describe('the models of a workspace', () => {
  /** Segno with two models. */
  async function twoModels() {
    const model = { ...createScriptedModel({}), provider: 'acme', modelId: 'first' }
    const segno = await composeUnderTest({
      home: tempFolder(),
      env: {},
      durability: 'normal',
      model,
      builtInTools: false,
    })
    const modelOf = async (workspaceId: string, more: { model?: string } = {}, sessionModel?: string) => {
      const wanted = { workspaceId, ...(sessionModel !== undefined && { model: sessionModel }) }
      const { id } = await segno.createSession(wanted, { actor: ada })
      const { requestId, completion } = await segno.streamRequest(id, 'hi', { actor: ada, ...more })
      await completion
      const [turn] = said(await segno.sessions.events(ada, id), 'turn.started')
      expect((await segno.rounds.get(ada, requestId)).model).toBe(turn?.model)
      return turn?.model
    }
    return { segno, modelOf }
  }

  test('restrict what may be used there, and the first is used where nobody says', async () => {
    const { segno, modelOf } = await twoModels()
    try {
      const usable = (await segno.models()).filter(({ missing }) => missing === undefined)
      expect(usable.map(({ key }) => key)).toEqual(['acme:first', 'scripted'])
      const only = await segno.workspaces.create(ada, { models: ['scripted'] })
      const both = await segno.workspaces.create(ada, { models: ['scripted', 'acme:first'] })
      const any = await segno.workspaces.create(ada, {})
      expect(await modelOf(any.id)).toBe('acme:first')
      expect(await modelOf(only.id)).toBe('scripted')
      expect(await modelOf(both.id)).toBe('scripted')
      expect(await modelOf(both.id, { model: 'acme:first' })).toBe('acme:first')
      expect(await modelOf(both.id, {}, 'acme:first')).toBe('acme:first')
      const refused = {
        code: 'VALIDATION_ERROR',
        field: 'model',
        message: expect.stringContaining('scripted') as string,
      }
      await expect(modelOf(only.id, { model: 'acme:first' })).rejects.toMatchObject(refused)
      await expect(modelOf(only.id, {}, 'acme:first')).rejects.toMatchObject(refused)
    } finally {
      await segno.close()
    }
  })

  test('must be known', async () => {
    const u = await segnoUnderTest()
    await expect(u.segno.workspaces.create(ada, { models: ['scripted', 'nope'] })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('nope') as string,
    })
  })
})

describe('a workspace', () => {
  test('is listed after the system one, and survives a restart', async () => {
    const u = await segnoUnderTest()
    const made = await u.segno.workspaces.create(ada, { name: 'Garden', instructions: 'Dig.', models: ['scripted'] })
    await u.reopen()
    expect((await u.segno.workspaces.list(ada)).map(({ name }) => name)).toEqual(['System', 'Garden'])
    expect(await u.segno.workspaces.get(ada, made.id)).toEqual(made)
  })

  test('changes only in what is given', async () => {
    const u = await segnoUnderTest()
    const made = await u.segno.workspaces.create(ada, { name: 'Garden', instructions: 'Dig.', models: ['scripted'] })
    const changed = await u.segno.workspaces.change(ada, made.id, { name: 'Yard' })
    expect(changed).toEqual({ ...made, name: 'Yard', updatedAt: changed.updatedAt })
    expect(await u.segno.workspaces.change(ada, made.id, { instructions: '', models: [] })).toMatchObject({
      name: 'Yard',
      instructions: '',
      models: [],
    })
  })

  test('that several change at the same moment has the changes of all', async () => {
    const u = await segnoUnderTest()
    const { id } = await u.segno.workspaces.create(ada, { name: 'Garden' })
    const wishes = [{ name: 'Yard' }, { instructions: 'Dig.' }, { models: ['scripted'] }]
    await Promise.all(wishes.map((wish, i) => u.segno.workspaces.change(i % 2 ? eve : ada, id, wish)))
    expect(await u.segno.workspaces.get(ada, id)).toMatchObject({
      name: 'Yard',
      instructions: 'Dig.',
      models: ['scripted'],
    })
  })

  test('of the system cannot be changed', async () => {
    const u = await segnoUnderTest()
    await expect(u.segno.workspaces.change(ada, 'system', { name: 'Mine' })).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  test.each([
    ['name', { name: ' ' }],
    ['name', { name: 'x'.repeat(201) }],
    ['name', { name: 'half \ud83d' }],
    ['instructions', { instructions: 'x'.repeat(2001) }],
    ['instructions', { instructions: '\udc00' }],
  ])('with a bad %s is refused, and the field is named', async (field, wanted) => {
    const u = await segnoUnderTest()
    await expect(u.segno.workspaces.create(ada, wanted)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field })
    const { id } = await u.segno.workspaces.create(ada, {})
    await expect(u.segno.workspaces.change(ada, id, wanted)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field })
  })

  test('is made once for one Idempotency-Key of one actor', async () => {
    const u = await segnoUnderTest()
    const { workspaces } = u.segno
    const made = await Promise.all([1, 2, 3].map(() => workspaces.create(ada, { name: 'Garden' }, 'once')))
    expect(new Set(made.map(({ id }) => id)).size).toBe(1)
    await expect(workspaces.create(ada, { name: 'Yard' }, 'once')).rejects.toMatchObject({
      code: 'IDEMPOTENCY_MISMATCH',
    })
    await workspaces.create(eve, { name: 'Garden' }, 'once')
    await workspaces.create(rival, { name: 'Garden' }, 'once')
    expect(await workspaces.list(ada)).toHaveLength(3)
  })

  test('is a secret of its tenant in the record too: who changed which one, and nothing it says', async () => {
    const u = await segnoUnderTest()
    const { id } = await u.segno.workspaces.create(ada, { name: 'Zanzibar', instructions: 'Zanzibar' })
    const records = async (actor: Actor) => (await u.segno.audit.page(actor)).items
    expect(new Set((await records(ada)).map(({ action, metadata }) => `${action} ${metadata.workspaceId}`))).toEqual(
      new Set([`workspace_changed ${id}`]),
    )
    expect(JSON.stringify(await records(ada))).not.toContain('Zanzibar')
    expect(await records(rival)).toEqual([])
  })

  verifies('GOV-32', 'is made and changed only by who may manage workspaces', async () => {
    const u = await segnoUnderTest()
    const { id } = await u.segno.workspaces.create(ada, { name: 'Garden' })
    for (const role of ['user', 'editor', 'reviewer', 'auditor'] as const) {
      const actor: Actor = { ...ada, permissions: permissionsOf(role, null) }
      const refused = { code: 'PERMISSION_DENIED', message: expect.stringContaining('workspace:manage') as string }
      await expect(u.segno.workspaces.create(actor, { name: 'Mine' })).rejects.toMatchObject(refused)
      await expect(u.segno.workspaces.change(actor, id, { name: 'Mine' })).rejects.toMatchObject(refused)
    }
    for (const role of ['admin', 'super_admin'] as const) {
      const actor: Actor = { ...ada, permissions: permissionsOf(role, null) }
      const made = await u.segno.workspaces.create(actor, { name: role })
      expect((await u.segno.workspaces.change(actor, made.id, { name: 'Yard' })).name).toBe('Yard')
    }
  })

  test('is changed field by field in the record, each with a fingerprint of its new value', async () => {
    const u = await segnoUnderTest()
    const { id } = await u.segno.workspaces.create(ada, { name: 'Garden' })
    const changed = async () =>
      (await u.segno.audit.page(ada)).items.map(({ metadata: { field, valueHash } }) => [field, valueHash])
    const before = (await changed()).length
    const wishes = { name: 'Zanzibar', instructions: 'Dig.', models: ['scripted'], mcpServers: [] }
    await u.segno.workspaces.change(eve, id, wishes)
    const fields = (await changed()).slice(0, -before)
    expect(Object.fromEntries(fields)).toEqual(
      Object.fromEntries(Object.entries(wishes).map(([field, value]) => [field, sha256(canonicalJson(value))])),
    )
    expect(fields).toHaveLength(4)
  })

  test('can be used by nobody without chat permissions', async () => {
    const u = await segnoUnderTest()
    const nobody: Actor = { ...ada, permissions: ['audit:read', 'tool:manage'] }
    for (const attempt of [
      () => u.segno.workspaces.create(nobody, {}),
      () => u.segno.workspaces.list(nobody),
      () => u.segno.workspaces.get(nobody, 'system'),
      () => u.segno.workspaces.change(nobody, 'system', {}),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
  })
})
