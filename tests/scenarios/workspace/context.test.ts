import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Actor } from '../../../src/contract/actor.ts'
import { WORKSPACE_CONTEXT } from '../../../src/contract/sent-prompt.ts'
import type { ContextCall } from '../../../src/contract/workspace.ts'
import { fold } from '../../../src/session/index.ts'
import { said } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { ask } from '../http/ask.ts'
import { ada, rival, tempFolder } from './support.ts'
import { times, TOOLS, toldUnderTest } from './told.ts'

const HOUR = 3_600_000
const look = (file: string, more: Partial<ContextCall> = {}): ContextCall => ({
  name: `What ${file} says`,
  server: 'board',
  tool: 'look',
  args: { file },
  everyMs: HOUR,
  ...more,
})

describe('the files of a workspace', () => {
  verifies('COO-3', 'are told once in a conversation, and once more after they changed', async () => {
    const u = await toldUnderTest()
    const notes = join(u.workspace.folder, 'notes.md')
    writeFileSync(notes, 'Zanzibar is closed.')
    await u.change({ files: ['notes.md'] })
    const first = await u.say()
    expect(times(first.prompt, 'Zanzibar is closed.')).toBe(1)
    expect(JSON.stringify(first.prompt)).toContain('notes.md')
    const second = await u.say(first.sessionId)
    expect(times(second.prompt, 'Zanzibar is closed.')).toBe(1)
    writeFileSync(notes, 'Zanzibar is open.')
    const third = await u.say(first.sessionId)
    expect([times(third.prompt, 'Zanzibar is closed.'), times(third.prompt, 'Zanzibar is open.')]).toEqual([1, 1])
    writeFileSync(notes, 'Zanzibar is closed.')
    expect(times((await u.say(first.sessionId)).prompt, 'Zanzibar is closed.')).toBe(2)
    writeFileSync(notes, 'Zanzibar is open.')
    // What was sent only grows at its end.
    expect(second.prompt.slice(0, first.prompt.length)).toEqual(first.prompt)
    expect(third.prompt.slice(0, second.prompt.length)).toEqual(second.prompt)
    expect(times((await u.say()).prompt, 'Zanzibar is open.')).toBe(1)
  })

  test('are text from outside for a round, and are built again with its prompt', async () => {
    const u = await toldUnderTest({ env: { SEGNO_MCP: '{}' } })
    writeFileSync(join(u.workspace.folder, 'notes.md'), 'Zanzibar')
    await u.change({ files: ['notes.md'] })
    const { sessionId } = await u.say()
    const events = await u.segno.sessions.events(ada, sessionId)
    expect(said(events, 'turn.started')[0]?.foreign).toBe(WORKSPACE_CONTEXT)
    expect(JSON.stringify(events)).not.toContain('Zanzibar')
    const { requestId } = events.find(({ type }) => type === 'turn.started') ?? {}
    const sent = await u.segno.readings.sentPrompt(ada, requestId ?? '', 1)
    expect(JSON.stringify(sent)).toContain('Zanzibar')
  })

  verifies(
    'COO-3',
    'are text from outside also where only the model that answers instead has room for them',
    async () => {
      const u = await toldUnderTest({
        env: { SEGNO_MCP: '{}' },
        turns: [{ fault: { kind: 'error', status: 401 } }, { text: 'Yes.' }],
        entry: (model) => ({ ...model, window: 16_000, maxOutput: 1000, fallback: 'other' }),
        others: { other: (model) => ({ ...model, window: 200_000 }) },
        limits: { BREAKER_FAILURES: 0, RETRIES: 1 },
      })
      writeFileSync(join(u.workspace.folder, 'notes.md'), `Zanzibar ${'is closed. '.repeat(1000)}`)
      await u.change({ files: ['notes.md'] })
      const { sessionId, prompt } = await u.say()
      const events = await u.segno.sessions.events(ada, sessionId)
      expect(said(events, 'turn.started')[0]?.retrieved).toBeUndefined()
      expect(times(prompt, 'Zanzibar')).toBe(1)
      expect(said(events, 'turn.retried')[0]?.foreign).toBe(WORKSPACE_CONTEXT)
      expect(fold(events).taintedBy).toBe(`the ${WORKSPACE_CONTEXT}`)
    },
  )

  test('are erased with the last conversation that was told them', async () => {
    const u = await toldUnderTest({ env: { SEGNO_MCP: '{}' } })
    writeFileSync(join(u.workspace.folder, 'notes.md'), 'Zanzibar')
    await u.change({ files: ['notes.md'] })
    const isStored = (): boolean =>
      readdirSync(u.home).some(
        (name) => name.startsWith('segno.db') && readFileSync(join(u.home, name)).includes('Zanzibar'),
      )
    const [first, second] = [await u.say(), await u.say()]
    expect(isStored()).toBe(true)
    await u.segno.sessions.delete(ada, first.sessionId)
    const { requestId } = (await u.segno.sessions.events(ada, second.sessionId)).at(-1) ?? {}
    expect(JSON.stringify(await u.segno.readings.sentPrompt(ada, requestId ?? '', 1))).toContain('Zanzibar')
    await u.segno.sessions.delete(ada, second.sessionId)
    await u.reopen()
    await expect.poll(isStored).toBe(false)
  })

  test('that cannot be told are shown with the reason, and keep no round from starting', async () => {
    const u = await toldUnderTest()
    const { folder, id } = u.workspace
    const outside = join(tempFolder(), 'far.txt')
    writeFileSync(outside, 'Zanzibar')
    symlinkSync(outside, join(folder, 'link.txt'))
    writeFileSync(join(folder, 'secret.env'), 'Zanzibar')
    symlinkSync(join(folder, 'secret.env'), join(folder, 'harmless.txt'))
    writeFileSync(join(folder, 'binary'), Buffer.from([0, 255, 1]))
    writeFileSync(join(folder, 'good.txt'), 'Good.')
    await u.change({ files: ['gone.txt', 'link.txt', 'harmless.txt', 'binary', 'good.txt'] })
    const { prompt } = await u.say()
    expect([times(prompt, 'Zanzibar'), times(prompt, 'Good.')]).toEqual([0, 1])
    const items = await u.segno.contexts.list(ada, id)
    expect(items.map(({ name, chars, error }) => [name, chars, error])).toEqual([
      ['gone.txt', undefined, '"gone.txt" does not exist.'],
      ['link.txt', undefined, '"link.txt" is outside the folder of this workspace.'],
      ['harmless.txt', undefined, '"harmless.txt" leads to a file of another name; ask for that.'],
      ['binary', undefined, '"binary" is not UTF-8 text but binary; it cannot be read.'],
      ['good.txt', 5, undefined],
    ])
    rmSync(folder, { recursive: true })
    expect(times((await u.say()).prompt, 'Good.')).toBe(0)
  })

  test('are cut where they are long, and that is marked', async () => {
    const u = await toldUnderTest({ limits: { CONTEXT_CHARS: 100 } })
    writeFileSync(join(u.workspace.folder, 'long.txt'), `${'🌍'.repeat(60)}Zanzibar`)
    await u.change({ files: ['long.txt'] })
    const { prompt } = await u.say()
    expect(JSON.stringify(prompt)).toContain(`${'🌍'.repeat(50)}\\n[The rest is left out here.]`)
    expect(times(prompt, 'Zanzibar')).toBe(0)
  })

  test('are read only where the policy lets the tool for it read them', async () => {
    const policy = { rules: [{ decide: 'deny', tool: 'read_file', path: 'private/**' }] } as const
    const u = await toldUnderTest({ policy })
    const refused = { code: 'VALIDATION_ERROR', field: 'files.1' }
    await expect(u.change({ files: ['a.txt', 'private/b.txt'] })).rejects.toMatchObject(refused)
    writeFileSync(join(u.workspace.folder, 'a.txt'), 'Zanzibar')
    await u.change({ files: ['a.txt'] })
    await u.reopen({ policy: { rules: [{ decide: 'ask', tool: 'read_file' }] } })
    expect(times((await u.say()).prompt, 'Zanzibar')).toBe(0)
    const [item] = await u.segno.contexts.list(ada, u.workspace.id)
    expect(item?.error).toContain('A person has to be asked first')
  })

  test.each([
    ['files', Array.from({ length: 21 }, (_, at) => `${at}.txt`)],
    ['files.0', ['']],
    ['files.0', ['x'.repeat(201)]],
    ['files.0', ['/etc/hostname']],
    ['files.0', ['C:\\x']],
    ['files.0', ['a/../../b']],
    ['files.0', ['a\u0000b']],
    ['files.0', ['half \ud83d']],
    ['files.1', ['a.txt', '.env']],
    ['files', ['a.txt', 'a.txt']],
  ])('with a bad entry are refused, and it is named: %s', async (field, files) => {
    const u = await toldUnderTest()
    await expect(u.change({ files })).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field })
    expect((await u.segno.workspaces.get(ada, u.workspace.id)).files).toEqual([])
  })
})

describe('the calls of a workspace', () => {
  verifies(
    'COO-3',
    'are made when a round needs them, and again by their interval or when somebody wants it',
    async () => {
      const u = await toldUnderTest()
      const { folder, id } = u.workspace
      writeFileSync(join(folder, 'stock'), 'Three left.')
      await u.change({ dynamicContext: [look('stock')] })
      const { prompt, sessionId } = await u.say()
      expect([times(prompt, 'Three left.'), times(prompt, 'What stock says')]).toEqual([1, 1])
      const [turn] = said(await u.segno.sessions.events(ada, sessionId), 'turn.started')
      expect(turn?.foreign).toBeDefined()
      writeFileSync(join(folder, 'stock'), 'Two left.')
      expect(times((await u.say()).prompt, 'Three left.')).toBe(1)
      const [item] = await u.segno.contexts.refresh(ada, id)
      expect(item).toMatchObject({ kind: 'context', name: 'What stock says', chars: 9 })
      expect(times((await u.say(sessionId)).prompt, 'Two left.')).toBe(1)
    },
  )

  test('are made by their interval without anybody asking, as long as the workspace is in use', async () => {
    const u = await toldUnderTest({ limits: { CONTEXT_EVERY_MS: 100 } })
    const { folder, id } = u.workspace
    writeFileSync(join(folder, 'stock'), 'Three left.')
    await u.change({ dynamicContext: [look('stock', { everyMs: 100 })] })
    await u.say()
    writeFileSync(join(folder, 'stock'), 'Twenty-two left.')
    const chars = async () => (await u.segno.contexts.list(ada, id))[0]?.chars
    await expect.poll(chars).toBe(16)
    await u.change({ dynamicContext: [] })
    expect(await u.segno.contexts.list(ada, id)).toEqual([])
  })

  test('that fail are shown without a word of what the server said, and keep no round from starting', async () => {
    const u = await toldUnderTest()
    writeFileSync(join(u.workspace.folder, 'stock'), 'Zanzibar')
    await u.change({ dynamicContext: [look('stock', { tool: 'fail' }), look('stock', { name: 'Stock' })] })
    const { prompt } = await u.say()
    expect(times(prompt, 'Zanzibar')).toBe(1)
    const [item] = await u.segno.contexts.list(ada, u.workspace.id)
    expect(item?.error).toBe('The server failed or answered with an error; its state says more.')
    expect(item?.fetchedAt).toBeGreaterThan(0)
  })

  test('whose server does not answer are left out, and the round begins without them', async () => {
    const u = await toldUnderTest({ limits: { CONTEXT_WAIT_MS: 20, TOOL_MS: 60_000 } })
    const hang = look('stock', { server: 'wild', tool: 'hang', args: {} })
    await u.change({ dynamicContext: [hang] })
    expect(times((await u.say()).prompt, hang.name)).toBe(0)
    expect(await u.segno.contexts.list(ada, u.workspace.id)).toEqual([{ kind: 'context', name: hang.name }])
  })

  test.each([
    ['a tool that may change something', { tool: 'post', args: { text: 'sent' } }, 'dynamicContext.0', 'pure'],
    ['a tool that needs approval', { tool: 'structured' }, 'dynamicContext.0', 'a person has to be asked'],
    ['a tool that costs something', { tool: 'resource' }, 'dynamicContext.0', 'costs'],
    ['a tool with a quota', { tool: 'link' }, 'dynamicContext.0', 'quota'],
    ['a tool that may read secrets', { tool: 'picture' }, 'dynamicContext.0', 'secrets'],
    ['a tool that is not there', { tool: 'nope' }, 'dynamicContext.0', 'no tool board__nope'],
    ['arguments that do not fit', { args: {} }, 'dynamicContext.0', 'do not fit'],
    ['a server that is not there', { server: 'nope' }, 'dynamicContext.0.server', 'board, wild'],
    ['an interval that is too short', { everyMs: 9999 }, 'dynamicContext.0.everyMs', '10000'],
    ['an interval that is no number', { everyMs: '60000' as never }, 'dynamicContext.0.everyMs', 'whole number'],
    ['too long arguments', { args: { file: 'x'.repeat(4000) } }, 'dynamicContext.0.args', '4000'],
    ['an unknown field', { every: 1 } as never, 'dynamicContext.0.every', 'everyMs'],
  ])('are refused with %s, and nothing is called', async (_, more: Partial<ContextCall>, field, words) => {
    const u = await toldUnderTest()
    const message = expect.stringContaining(words) as string
    const refused = { code: 'VALIDATION_ERROR', field, message }
    await expect(u.change({ dynamicContext: [look('stock', more)] })).rejects.toMatchObject(refused)
    expect((await u.segno.workspaces.get(ada, u.workspace.id)).dynamicContext).toEqual([])
    expect(u.recorded()).toBe('')
  })

  test('are not made any more once their tool may do more than read', async () => {
    const tools = { ...TOOLS, post: { effect: 'pure', approval: 'auto' } }
    const u = await toldUnderTest({}, tools)
    await u.change({ dynamicContext: [look('', { tool: 'post', args: { text: 'asked' } })] })
    await u.reopen({ policy: { rules: [{ decide: 'ask', tool: 'board__*' }] } })
    await u.say()
    const [item] = await u.segno.contexts.refresh(ada, u.workspace.id)
    expect(item?.error).toContain('A person has to be asked first')
    expect(u.recorded()).toBe('')
  })

  test('are chosen by who may manage workspaces and use the tool, and that is on record', async () => {
    const u = await toldUnderTest()
    const { id } = u.workspace
    const dynamicContext = [look('stock')]
    const manager: Actor = { ...ada, permissions: ['chat:*', 'workspace:manage'] }
    await expect(u.segno.workspaces.change(manager, id, { dynamicContext })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      field: 'dynamicContext.0',
    })
    const talker: Actor = { ...ada, permissions: ['chat:*', 'tool:invoke'] }
    const denied = { code: 'PERMISSION_DENIED' }
    await expect(u.segno.workspaces.change(talker, id, { dynamicContext })).rejects.toMatchObject(denied)
    await expect(u.segno.contexts.refresh(talker, id)).rejects.toMatchObject(denied)
    for (const method of ['list', 'refresh'] as const)
      await expect(u.segno.contexts[method](rival, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await u.segno.workspaces.change({ ...manager, permissions: ['chat:*', 'workspace:manage', 'tool:invoke'] }, id, {
      dynamicContext,
    })
    const fields = (await u.segno.audit.page(ada)).items.map(({ metadata }) => metadata.field)
    expect(fields).toContain('dynamicContext')
    expect(JSON.stringify(await u.segno.audit.page(ada))).not.toContain('stock')
  })
})

describe('what is told besides a message', () => {
  const told = (prompt: object): string => JSON.stringify(prompt)

  test('is the date and the workspace, unless the workspace says otherwise', async () => {
    const u = await toldUnderTest()
    const usual = told((await u.say()).prompt)
    expect(usual).toMatch(/Today is [A-Z].*This conversation is in the workspace/)
    expect(usual).not.toContain('This is Segno')
    await u.change({ promptSettings: { metadata: false, date: false } })
    const { prompt, sessionId } = await u.say()
    expect(told(prompt)).not.toMatch(/Today is|This conversation|From Segno/)
    await u.change({ promptSettings: { systemInfo: true } })
    const again = await u.say(sessionId)
    expect(told(again.prompt)).toMatch(/Today is .*This conversation is in .*This is Segno \d/)
    expect(again.prompt.slice(0, prompt.length)).toEqual(prompt)
    expect((await u.segno.workspaces.get(ada, u.workspace.id)).promptSettings).toEqual({
      metadata: true,
      systemInfo: true,
      date: true,
    })
  })

  test('is that a round is only for planning, whatever else is left out', async () => {
    const u = await toldUnderTest()
    await u.change({ promptSettings: { metadata: false, date: false } })
    const { id: sessionId } = await u.segno.createSession({ workspaceId: u.workspace.id }, { actor: ada })
    for (const mode of ['plan', 'act', 'act'] as const) await u.ask('hi', { sessionId, actor: ada, mode })
    const prompt = u.requests.at(-1)?.prompt ?? []
    expect(times(prompt, 'This is only for planning')).toBe(1)
    expect(times(prompt, 'This is no longer only for planning.')).toBe(1)
  })
})

test('files, calls and settings are set, shown and fetched over HTTP', async () => {
  const u = await toldUnderTest()
  const { body: made } = await ask(u, 'POST', '/api/workspaces', { name: 'Shop', promptSettings: { date: false } })
  expect(made).toMatchObject({ files: [], dynamicContext: [], promptSettings: { metadata: true, date: false } })
  const path = `/api/workspaces/${String(made['id'])}`
  writeFileSync(join(String(made['folder']), 'stock'), 'Three left.')
  const { name, server, tool, everyMs } = look('stock')
  const wish = { files: ['stock', 'gone'], dynamicContext: [{ name, server, tool, args: { file: 'stock' }, everyMs }] }
  const changed = await ask(u, 'PATCH', path, wish)
  expect([changed.status, changed.body]).toMatchObject([200, wish])
  const before = await ask(u, 'GET', `${path}/context`)
  expect(before.body['items']).toMatchObject([
    { kind: 'file', name: 'stock', chars: 11 },
    { kind: 'file', name: 'gone', error: '"gone" does not exist.' },
    { kind: 'context', name },
  ])
  const after = await ask(u, 'POST', `${path}/context/refresh`)
  expect(after.status).toBe(200)
  expect((after.body['items'] as object[])[2]).toEqual({
    kind: 'context',
    name,
    chars: 11,
    fetchedAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
  })
  const wrong = await ask(u, 'PATCH', path, { dynamicContext: [{ name, server, tool: 'post', everyMs }] })
  expect(wrong.body).toMatchObject({ code: 'VALIDATION_ERROR', errors: [{ field: 'dynamicContext.0' }] })
  expect((await ask(u, 'POST', '/api/workspaces', { files: ['a'] })).status).toBe(400)
  const none = await ask(u, 'GET', '/api/workspaces/system/context')
  expect(none.body).toEqual({ items: [] })
})
