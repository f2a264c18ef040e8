import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { OwnMemory } from '../../../src/client/index.ts'
import { verifies } from '../../support/verifies.ts'
import { newHome, segno, serving } from '../account/support/cli.ts'

verifies(
  'GOV-18',
  'segno memories adds, shows, changes, exports, deletes and forgets what is remembered of its user',
  async () => {
    const home = newHome()
    await serving(home)
    const run = (...args: string[]) => segno(home, ['memories', ...args])
    expect((await run('ls')).out).toBe(
      'Nothing is remembered of you.\nMemory is off, so nothing is noted or used: segno preferences set --memory on',
    )
    expect((await run('add', 'Has a cat')).out).toMatch(/Has a cat {2}\(.*\)\nMemory is off/)
    expect(await run('add', 'Has a cat', '--importance', '11')).toMatchObject({
      code: 2,
      err: expect.stringContaining('expected a whole number from 1 to 10.') as string,
    })
    await run('forget', '--yes')
    await segno(home, ['preferences', 'set', '--memory', 'on'])
    const added = await run('add', 'Prefers metric units', '--category', 'preference', '--json')
    const { id } = JSON.parse(added.out) as OwnMemory
    expect((await run('ls')).out).toBe(`${id}  Prefers metric units  (preference, importance 5)`)
    const edited = await run('edit', id.slice(0, 13), '--text', 'Prefers miles', '--importance', '8')
    expect(edited).toMatchObject({
      code: 0,
      out: expect.stringContaining('Prefers miles  (preference, importance 8)') as string,
    })
    const other = edited.out.slice(0, 36)
    expect((await run('show', other)).out).toContain(`  written by you, `)
    expect((await run('show', other)).out).toContain(`  instead of ${id}`)
    expect((await run('ls', '--status', 'replaced')).out).toBe(
      `${id}  replaced  Prefers metric units  (preference, importance 5)`,
    )
    expect((await run('ls', '--status', 'proposed')).out).toBe('No memory is proposed.')
    expect(await run('keep', id)).toMatchObject({ code: 1, err: expect.stringContaining('newer memory') as string })
    expect(await run('show', 'ffffff')).toMatchObject({
      code: 1,
      err: expect.stringContaining('There is no memory ffffff. segno memories ls lists them.') as string,
    })
    expect(await run('add', 'My password is zanzibar')).toMatchObject({
      code: 1,
      err: expect.stringContaining('looks like a password') as string,
    })

    expect((await run('export', '--out', 'memories.json')).out).toBe('They are in memories.json.')
    const file = join(home, 'memories.json')
    const { items } = JSON.parse(readFileSync(file, 'utf8')) as { items: OwnMemory[] }
    expect(items.map(({ content }) => content)).toEqual(['Prefers miles', 'Prefers metric units'])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(JSON.parse((await run('export')).out)).toEqual({ items })

    expect((await run('rm', other)).code).toBe(0)
    expect((await run('ls')).out).toBe('Nothing is remembered of you.')
    await run('add', 'Has a dog')
    expect(await run('forget')).toMatchObject({ code: 1, err: expect.stringContaining('say --yes') as string })
    expect((await run('forget', '--yes')).out).toBe('Forgotten: 1.')
    expect((await run('ls')).out).toBe('Nothing is remembered of you.')
  },
  120_000,
)
