import { expect, onTestFinished, test } from 'vitest'
import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import { segnoUnderTest } from '../support/segno-under-test.ts'
import { storeSettings } from '../support/store-under-test.ts'
import { startInTerminal } from '../terminal/support/pty.ts'

test('segno sessions rm asks at the terminal what goes and what stays, and takes nothing but yes', async () => {
  const it = await segnoUnderTest({ turns: [{ text: 'Here.' }] })
  await it.ask('hello')
  await it.segno.sessions.fork(LOCAL_OWNER, it.sessionId, 2)
  await it.segno.close()
  async function kept(): Promise<boolean> {
    await it.reopen()
    const { items } = await it.segno.sessions.list(LOCAL_OWNER, { limit: 10 })
    await it.segno.close()
    return items.some(({ id }) => id === it.sessionId)
  }

  const env = await storeSettings(it.home)
  async function answering(keys: string): Promise<{ code: number; said: string }> {
    const terminal = startInTerminal({ home: it.home, args: ['sessions', 'rm', it.sessionId], cols: 200, env })
    onTestFinished(async () => terminal.kill())
    await terminal.waitFor(
      /deletes "New conversation", \d+ events and their files, for good\. What its fork shares stays/,
    )
    await terminal.waitFor('Delete? (yes/no)')
    terminal.type(keys)
    const code = await terminal.ended
    await terminal.waitFor(/Nothing was (deleted|done)|Deleted:/)
    return { code, said: terminal.everything() }
  }
  const CTRL_C = '\x03'
  const CTRL_D = '\x04'
  for (const [keys, code] of [
    ['yess\r', 0],
    [CTRL_C, 130],
    [CTRL_D, 130],
  ] as const) {
    const ran = await answering(keys)
    expect([keys, ran.code]).toEqual([keys, code])
    expect(ran.said).toMatch(/Nothing was (deleted|done)\.$/)
    expect(ran.said).not.toMatch(/Error|\n\s+at /)
  }
  expect(await kept()).toBe(true)
  expect((await answering('yes\r')).code).toBe(0)
  expect(await kept()).toBe(false)
}, 60_000)
