import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { KnowledgeDocument } from '../../../src/client/index.ts'
import { makePdf } from '../../knowledge/support/make-pdf.ts'
import { verifies } from '../../support/verifies.ts'
import { newHome, segno, serving } from '../account/support/cli.ts'

const idIn = (out: string): string => /^[0-9a-f-]{36}/.exec(out)?.[0] ?? ''
interface Report {
  readonly created: readonly KnowledgeDocument[]
  readonly changed: readonly KnowledgeDocument[]
  readonly unchanged: number
  readonly failed: readonly { source: string; why: string }[]
  readonly leftOut: number
  readonly gone: readonly KnowledgeDocument[]
  readonly otherTypes: Readonly<Record<string, number>>
  readonly published?: readonly KnowledgeDocument[]
  readonly waiting?: readonly KnowledgeDocument[]
}
const reportOf = (out: string): Report => JSON.parse(out) as Report
const sources = (documents: readonly KnowledgeDocument[] = []) => documents.map(({ source = '' }) => source).sort()

function handbook(home: string): string {
  const folder = join(home, 'handbook')
  mkdirSync(join(folder, 'rules', '.git'), { recursive: true })
  writeFileSync(join(folder, 'leave.md'), '# Leave\n\n14 weeks of parental leave.')
  writeFileSync(join(folder, 'rules', 'a "b" red.txt'), 'Be kind.')
  writeFileSync(join(folder, 'rules', 'office.pdf'), makePdf(['Wear no hats.']))
  writeFileSync(join(folder, 'rules', 'picture.png'), 'x')
  writeFileSync(join(folder, 'rules', '.git', 'hidden.md'), 'hidden')
  writeFileSync(join(home, 'outside.md'), 'outside')
  symlinkSync(join(home, 'outside.md'), join(folder, 'link.md'))
  symlinkSync(home, join(folder, 'loop'))
  return folder
}

describe('segno knowledge', () => {
  verifies(
    'GOV-19',
    'takes a file from draft to found, with a second person, and says each next step',
    async () => {
      const home = newHome()
      writeFileSync(join(home, 'leave.md'), '# Leave\n\n14 weeks of parental leave.')
      const { url } = await serving(home)
      const made = await segno(home, ['keys', 'add', 'bob', '--user', 'bob', '--role', 'reviewer', '--json'])
      const bob = { SEGNO_KEY: (JSON.parse(made.out) as { secret: string }).secret }
      const owner = (...args: string[]) => segno(home, ['knowledge', ...args])
      const bobs = (...args: string[]) => segno(home, ['knowledge', ...args, '--server', url], bob)

      const added = await owner('add', 'leave.md')
      const id = idIn(added.out)
      expect(added).toMatchObject({
        code: 0,
        out: `${id}  draft  leave v1 of system, 1 chunk, by owner\n  segno knowledge submit ${id}`,
      })
      expect((await owner('add', 'leave.md')).err).toContain('This workspace has a document with the same content')
      expect(await bobs('submit', id)).toMatchObject({
        code: 1,
        err: expect.stringContaining('knowledge:write') as string,
      })
      const submits = () => owner('submit', id)
      expect((await submits()).out).toContain(`somebody else says: segno knowledge approve ${id}`)
      const rejected = `${id}  draft  leave v1 of system, 1 chunk, by owner, rejected`
      expect((await bobs('reject', id, '--reason', 'too few')).out).toBe(
        `${rejected}\n  its author reads why, changes it and submits it again`,
      )
      expect((await owner('ls')).out).toBe(rejected)
      await submits()
      expect((await owner('approve', id)).err).toContain('somebody else has to approve it')
      expect((await bobs('approve', id.slice(0, 13))).out).toContain(`approved by bob\n  segno knowledge publish ${id}`)
      expect((await owner('search', 'parental', 'leave')).out).toBe('Nothing was found in published documents.')
      expect((await owner('publish', id)).out).toContain('it is found from now on')
      expect((await owner('search', 'parental', 'leave')).out).toMatch(
        /^(?:1\.00|0\.\d\d) {2}leave, Leave {2}\([^)]* v1, chunk 1\)/,
      )
      expect((await owner('chunks', id)).out).toBe('1  Leave\n# Leave\n\n14 weeks of parental leave.')
      writeFileSync(join(home, 'leave.md'), '# Leave\n\n20 weeks.')
      expect((await owner('edit', id, '--file', 'leave.md')).out).toContain(
        'draft  leave v2 of system, 1 chunk, by owner, v1 is found',
      )
      expect((await owner('show', id)).out).toContain('  text/markdown, 18 bytes\n  revision 7\n')
      expect((await owner('status')).out).toMatch(
        /^(\d of \d chunks have a vector of built-in:|Documents are found by words only: this database has no vectors)/,
      )
      expect((await owner('archive', id, '--reason', 'outdated')).out).toContain('archived')
      expect(await owner('rm', id)).toMatchObject({ code: 1, err: expect.stringContaining('say --yes') as string })
      expect((await owner('rm', id, '--yes')).out).toBe('Deleted: "leave" with its 2 versions.')
      expect((await owner('ls')).out).toMatch(/^There are no such documents/)
    },
    300_000,
  )

  verifies(
    'GOV-19',
    'imports a folder: what changed, and nothing that is hidden, linked or cannot be read',
    async () => {
      const home = newHome()
      const folder = handbook(home)
      const run = (...more: string[]) => segno(home, ['knowledge', 'import', folder, '--json', ...more])
      const first = await run()
      expect(first.code).toBe(0)
      const made = reportOf(first.out)
      expect(sources(made.created)).toEqual([
        'handbook/leave.md',
        'handbook/rules/a "b" red.txt',
        'handbook/rules/office.pdf',
      ])
      expect(made.created.map(({ title }) => title)).toContain('rules/office')
      expect(made).toMatchObject({ changed: [], unchanged: 0, failed: [], leftOut: 4, gone: [] })
      expect(made.otherTypes).toEqual({ '.png': 1 })
      expect(reportOf((await run()).out)).toMatchObject({ created: [], changed: [], unchanged: 3, failed: [] })

      writeFileSync(join(folder, 'leave.md'), '# Leave\n\n20 weeks.')
      writeFileSync(join(folder, 'broken.pdf'), '%PDF-1.7 nothing')
      rmSync(join(folder, 'rules', 'office.pdf'))
      const second = await run()
      expect(second.code).toBe(1)
      const report = reportOf(second.out)
      expect(sources(report.changed)).toEqual(['handbook/leave.md'])
      expect(report.failed).toEqual([
        { source: 'handbook/broken.pdf', why: expect.stringMatching(/damaged or unusual/) as string },
      ])
      expect(sources(report.gone)).toEqual(['handbook/rules/office.pdf'])
      const told = await segno(home, ['knowledge', 'import', folder])
      expect(told).toMatchObject({
        code: 1,
        out: expect.stringContaining('0 new, 0 changed, 2 as before, 1 failed.') as string,
      })
      expect(told.out).toContain('of a type that cannot be read (1 .png).')
      expect(told.out).toContain('  handbook/broken.pdf: The document could not be read')
      expect((await segno(home, ['knowledge', 'add', folder])).err).toContain('is a folder; all of it: segno knowledge')
      expect((await segno(home, ['knowledge', 'add', 'gone.md'])).err).toContain('gone.md is not there.')
      expect(await segno(home, ['knowledge', 'import', join(folder, 'leave.md')])).toMatchObject({
        code: 1,
        err: expect.stringContaining('is no folder') as string,
      })
    },
    300_000,
  )

  verifies(
    'GOV-19',
    'takes a step with several or with all, tells what became of each, and one that fails stops no other',
    async () => {
      const home = newHome()
      const folder = handbook(home)
      const { url } = await serving(home)
      const made = await segno(home, ['keys', 'add', 'bob', '--user', 'bob', '--role', 'reviewer', '--json'])
      const bob = { SEGNO_KEY: (JSON.parse(made.out) as { secret: string }).secret }
      const owner = (...args: string[]) => segno(home, ['knowledge', ...args])
      const statuses = ({ out }: { out: string }) =>
        (JSON.parse(out) as { status?: string; code?: string }[]).map(({ status, code }) => status ?? code)
      const ids = reportOf((await owner('import', folder, '--json')).out).created.map(({ id }) => id)
      const [first = '', second = '', third = ''] = ids

      const some = await owner('submit', first, 'nowhere', second)
      expect(some.code).toBe(1)
      expect(some.out.split('\n')).toEqual([
        expect.stringMatching(`^${first} {2}pending_review `),
        'nowhere  failed: There is no document nowhere. segno knowledge ls lists them.',
        expect.stringMatching(`^${second} {2}pending_review `),
        '1 of 3 failed.',
      ])
      expect((await owner('show', first.slice(0, 6))).err).toContain(`3 documents begin with ${first.slice(0, 6)}`)
      const again = await owner('submit', first, third, '--json')
      expect([again.code, statuses(again)]).toEqual([1, ['CONFLICT', 'pending_review']])
      expect((await owner('submit', '--all')).out).toBe('There is nothing to submit.')
      expect(statuses(await owner('approve', '--all', '--json'))).toEqual(Array(3).fill('PERMISSION_DENIED'))
      const refused = (await owner('approve', '--all')).out
      expect([refused.match(/: You wrote words/g), refused.match(/failed, for the same reason$/gm)]).toMatchObject([
        { length: 1 },
        { length: 2 },
      ])
      const approved = await segno(home, ['knowledge', 'approve', '--all', '--server', url], bob)
      expect([approved.code, approved.out.match(/ {2}approved {2}/g)]).toMatchObject([0, { length: 3 }])
      expect(approved.out).toMatch(/\nThey are found once they are published: segno knowledge publish --all$/)
      expect((await owner('publish', '--all', '--workspace', 'w-none')).code).toBe(1)
      const published = await owner('publish', '--all')
      expect(published.code).toBe(0)
      expect(published.out.match(/ {2}published {2}/g)).toHaveLength(3)

      expect(await owner('publish')).toMatchObject({
        code: 1,
        err: expect.stringContaining('one or more ids, or --all') as string,
      })
      expect((await owner('publish', first, '--all')).code).toBe(1)
      expect((await owner('archive', '--all')).code).toBe(2)
      expect((await owner('rm', first, second)).err).toMatch(/"leave" with its version.*say --yes/)
      const gone = await owner('rm', first, 'nowhere', second, '--yes', '--json')
      expect([gone.code, JSON.parse(gone.out)]).toEqual([
        1,
        [
          { id: first, deleted: true },
          { id: 'nowhere', code: 'NOT_FOUND', error: expect.stringContaining('no document nowhere') as string },
          { id: second, deleted: true },
        ],
      ])

      expect((await owner('archive', third)).out).toContain(`segno knowledge publish ${third} brings it back`)
      rmSync(join(folder, 'leave.md'))
      rmSync(join(folder, 'rules'), { recursive: true })
      expect(reportOf((await owner('import', folder, '--json')).out)).toMatchObject({ created: [], gone: [] })
    },
    300_000,
  )

  // As its name in the list of the folder does not open it; elsewhere no folder can be named like that.
  test.runIf(process.platform === 'linux')('a folder that cannot be read is told, and stops nothing else', async () => {
    const home = newHome()
    const folder = join(home, 'handbook')
    mkdirSync(join(folder, 'old \ufffd'), { recursive: true })
    writeFileSync(join(folder, 'old \ufffd', 'names.md'), 'Old names.')
    const run = async () => reportOf((await segno(home, ['knowledge', 'import', folder, '--json'])).out)
    expect(sources((await run()).created)).toEqual(['handbook/old \ufffd/names.md'])
    renameSync(join(folder, 'old \ufffd'), Buffer.from(`${folder}/old \xff`, 'latin1'))
    writeFileSync(join(folder, 'other.md'), 'Other words.')
    const report = await run()
    expect(sources(report.created)).toEqual(['handbook/other.md'])
    expect(report.failed).toEqual([
      { source: 'handbook/old \ufffd', why: expect.stringContaining('no such file') as string },
    ])
    expect(report.gone).toEqual([])
  })

  test('imports and publishes where the only person may approve, and leaves it to others where not', async () => {
    const home = newHome()
    const folder = handbook(home)
    const run = (env: Record<string, string>) =>
      segno(home, ['knowledge', 'import', folder, '--publish', '--json'], env)
    const waits = reportOf((await run({})).out)
    expect([waits.published?.length, waits.waiting?.length]).toEqual([0, 3])
    writeFileSync(join(folder, 'leave.md'), 'Other words.')
    const alone = reportOf((await run({ SEGNO_FOUR_EYES: 'off' })).out)
    expect(alone.published).toMatchObject([{ status: 'published', selfApproved: true, source: 'handbook/leave.md' }])

    // What comes next is said for the same workspace.
    const workspace = idIn((await segno(home, ['workspaces', 'add', 'Sales'])).out)
    const into = ['knowledge', 'import', folder, '--workspace', workspace]
    expect((await segno(home, into)).out).toContain(`segno knowledge submit --all --workspace ${workspace}`)
    writeFileSync(join(folder, 'leave.md'), 'New words.')
    const { out } = await segno(home, [...into, '--publish'])
    expect(out).toContain(`1 waits for somebody else, who reads what waits and says: segno knowledge approve --all`)
    expect(out).toContain(`segno knowledge publish --all --workspace ${workspace}`)
    expect((await segno(home, [...into, '--publish'])).out).toContain('Nothing is new, so nothing was published.')
  }, 300_000)
})
