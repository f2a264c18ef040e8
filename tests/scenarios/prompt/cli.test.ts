import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { PromptVersion } from '../../../src/client/index.ts'
import { verifies } from '../../support/verifies.ts'
import { newHome, segno, serving } from '../account/support/cli.ts'

const promptOf = (out: string): PromptVersion => JSON.parse(out) as PromptVersion
const idIn = (out: string): string => /^[0-9a-f-]{36}/.exec(out)?.[0] ?? ''

describe('segno prompts', () => {
  verifies(
    'GOV-4',
    'takes a file from draft to active, with a second person, and says each next step',
    async () => {
      const home = newHome()
      writeFileSync(join(home, 'rules.md'), 'You are kind.\r\nYou are brief.\r\n')
      const { url } = await serving(home)
      const made = await segno(home, ['keys', 'add', 'bob', '--user', 'bob', '--role', 'reviewer', '--json'])
      const bob = { SEGNO_KEY: (JSON.parse(made.out) as { secret: string }).secret }
      const owner = (...args: string[]) => segno(home, ['prompts', ...args])
      const bobs = (...args: string[]) => segno(home, ['prompts', ...args, '--server', url], bob)

      const added = await owner('add', 'House rules', '--file', 'rules.md')
      const id = idIn(added.out)
      expect(added).toMatchObject({
        code: 0,
        out:
          `${id}  draft  House rules v1 of system, 8 tokens, by owner\n` +
          `  segno prompts edit ${id} --file <path>, or segno prompts submit ${id}`,
      })
      expect(await bobs('submit', id)).toMatchObject({
        code: 1,
        err: expect.stringContaining('prompt:write') as string,
      })
      expect((await owner('submit', id)).out).toContain(`somebody else says: segno prompts approve ${id}`)
      const own = await owner('approve', id)
      expect(own).toMatchObject({ code: 1, err: expect.stringContaining('somebody else has to approve it') as string })
      expect((await bobs('reject', id)).err).toContain(
        'A reason is needed, so that its author knows what to change: --reason "…".',
      )
      expect((await bobs('reject', id, '--reason', 'too kind')).out).toContain('draft')
      expect((await owner('show', id.slice(0, 13))).out).toBe(
        `${id}  draft  House rules v1 of system, 8 tokens, by owner\n  revision 3\n  rejected, because: too kind\n\nYou are kind.\nYou are brief.`,
      )
      const edited = await segno(home, ['prompts', 'edit', id, '--file', '-', '--json'], {}, 'You are brief.\n')
      expect(promptOf(edited.out)).toMatchObject({ content: 'You are brief.', status: 'draft' })
      await owner('submit', id)
      expect((await bobs('approve', id)).out).toContain(`approved by bob\n  segno prompts activate ${id}`)
      expect(await bobs('activate', id)).toMatchObject({ code: 1 })
      expect((await owner('activate', id, '--reason', 'now')).out).toContain('it counts from the next message on')

      const second = idIn(
        (await segno(home, ['prompts', 'add', 'House rules', '--file', '-'], {}, 'You are brief.\nYou ask.')).out,
      )
      expect((await owner('diff', second)).out).toBe(
        '@@ -1,1 +1,2 @@\n You are brief.\n+You ask.\nlines: 1 added, 0 removed',
      )
      expect((await owner('diff', id, '--against', id)).out).toBe('They say the same.')
      expect((await owner('ls')).out.split('\n').map((line) => line.replace(/^\S+ {2}/, ''))).toEqual([
        'draft  House rules v2 of system, 7 tokens, by owner',
        'active  House rules v1 of system, 4 tokens, by owner, approved by bob',
      ])
      expect((await owner('ls', '--status', 'approved')).out).toMatch(/^There are no such prompts/)
      expect((await owner('deprecate', id)).out).toContain(`segno prompts activate ${id} brings it back`)
      const listed = await owner('ls', '--json')
      expect(JSON.parse(listed.out)).toMatchObject([{ id: second }, { id, status: 'deprecated' }])
    },
    60_000,
  )

  verifies(
    'GOV-4',
    'lets a lone person approve with SEGNO_FOUR_EYES=off, and shows it',
    async () => {
      const home = newHome()
      const add = ['prompts', 'add', 'Mine', '--file', '-', '--json']
      const { id } = promptOf((await segno(home, add, {}, 'Be kind.')).out)
      await segno(home, ['prompts', 'submit', id])
      const refused = await segno(home, ['prompts', 'approve', id])
      expect(refused.code).toBe(1)
      expect(refused.err).toMatch(/segno keys add .* --role reviewer.*SEGNO_FOUR_EYES=off/)
      const approved = await segno(home, ['prompts', 'approve', id], { SEGNO_FOUR_EYES: 'off' })
      expect(approved).toMatchObject({ code: 0, out: expect.stringContaining('by owner, self-approved') as string })
    },
    60_000,
  )

  test('says what is missing', async () => {
    const home = newHome()
    const words = async (...args: string[]): Promise<string> => (await segno(home, ['prompts', ...args])).err
    expect(await words('add', 'Rules')).toContain('--file <path>, or --file - for standard input')
    expect(await words('add', 'Rules', '--file', 'nowhere.md')).toContain('nowhere.md is not there')
    expect(await words('show', 'nothing')).toContain('There is no prompt nothing. segno prompts ls lists them.')
    expect(await words('approve', 'no')).toContain('at least 6 characters of the id; segno prompts ls has them')
    expect(await words('edit', 'nothing')).toContain('Say what to change')
    expect(await words('approve', 'nothing', '--revision', 'two')).toContain('revision')
    const tooLong = (await segno(home, ['prompts', 'add', 'Rules', '--file', '-'], {}, 'x'.repeat(20_001))).err
    expect(tooLong).toContain('1 to 20000 characters (limit PROMPT_CHARS) that are not all blank; it has 20001')
    expect(await words('ls', '--status', 'ready')).toContain('pending_review')
    const help = await segno(home, ['prompts', '--help'])
    expect(help.out).toMatch(/add[\s\S]*submit[\s\S]*approve[\s\S]*activate/)
  }, 60_000)
})

describe('segno preferences', () => {
  verifies(
    'GOV-5',
    'shows, sets one by one, takes back and forgets',
    async () => {
      const home = newHome()
      const run = (...args: string[]) => segno(home, ['preferences', ...args])
      expect((await run('show', '--json')).out).toBe('{}')
      await run('set', '--length', 'concise', '--instructions', 'I am a nurse.', '--memory', 'on')
      await run('set', '--formality', 'formal', '--web-search', 'off')
      expect((await run('show')).out).toBe(
        [
          'length        concise',
          'formality     formal',
          'memory        on',
          'web search    off',
          'instructions  I am a nurse.',
        ].join('\n'),
      )
      const left = await run('set', '--unset', 'length', 'web-search', '--json')
      expect(JSON.parse(left.out)).toEqual({
        formality: 'formal',
        customInstructions: 'I am a nurse.',
        allowMemory: true,
      })
      const fromPipe = ['preferences', 'set', '--file', '-', '--json']
      expect(JSON.parse((await segno(home, fromPipe, {}, 'Be brief.\n')).out)).toMatchObject({
        customInstructions: 'Be brief.',
      })
      expect((await run('forget')).out).toBe('Your preferences are forgotten, and your words erased.')
      expect((await run('show')).out).toContain(
        'memory        not set (off)\nweb search    not set (on)\ninstructions  none',
      )
    },
    60_000,
  )

  test('refuses what cannot be, and what says nothing', async () => {
    const home = newHome()
    const run = async (...args: string[]) => (await segno(home, ['preferences', ...args])).err
    expect(await run('set')).toContain('Say what to set')
    expect(await run('set', '--length', 'short')).toContain('concise')
    expect(await run('set', '--instructions', '\u202e')).toContain('nothing that anybody could see')
    expect(await run('set', '--instructions', 'x'.repeat(2001))).toContain('customInstructions')
    expect(await run('set', '--instructions', 'x', '--file', '-')).toContain(
      'either with --instructions or with --file',
    )
  }, 60_000)
})
