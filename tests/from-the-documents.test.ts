import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { NAMES_OF_DOCUMENTS } from './support/document-names.ts'
import { segnoUnderTest } from './support/segno-under-test.ts'

const root = join(import.meta.dirname, '..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const page = read('docs/from-the-documents.md')
const sources = globSync(['src/**/*.ts', 'web/src/**/*.tsx'], { cwd: root })
  .filter((file) => !file.includes('.test.'))
  .map(read)
  .join('\n')

interface Row {
  readonly names: readonly string[]
  readonly here: string
}

const quoted = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)

/** The table of a document, and the example that goes with it. */
function sectionOf(title: string): { rows: readonly Row[]; example: string } {
  const section = page.split(/^## /m).find((one) => one.startsWith(`${title}\n`)) ?? ''
  const rows = [...section.matchAll(/^\| (?!name|---)(.*?) \| (.*) \|$/gm)].map(([, names = '', here = '']) => ({
    names: names.includes('`') ? quoted(names) : [names],
    here,
  }))
  return { rows, example: /\(\.\.\/(examples\/[\w-]+\.ts)\)/.exec(section)?.[1] ?? '' }
}

/** What a row points at is there: a method, a route, or a word of the sources or of the example. */
async function missing(rows: readonly Row[], example: string): Promise<string[]> {
  const it = await segnoUnderTest()
  const described = await it.segno.fetch(new Request('http://localhost/openapi.json'))
  const { paths } = (await described.json()) as { paths: Record<string, Record<string, unknown>> }
  const text = `${sources}\n${read(example)}`
  function isThere(name: string): boolean {
    const [, method = '', path = ''] = /^(GET|POST) (\S+)$/.exec(name) ?? []
    if (method !== '') return path === '/metrics' || paths[path]?.[method.toLowerCase()] !== undefined
    if (/^\w+$/.test(name)) return new RegExp(`\\b${name}\\b`).test(text)
    if (!name.startsWith('segno.')) return text.includes(name.replace(/^.*: /, ''))
    let at: unknown = it.segno
    for (const part of name.split('.').slice(1)) at = (at as Record<string, unknown> | undefined)?.[part]
    return at !== undefined
  }
  return rows
    .filter(({ here }) => !here.startsWith('Not'))
    .flatMap(({ names, here }) => {
      const pointed = quoted(here.replaceAll(/\[[^\]]*\]\([^)]*\)/g, ''))
      const same = here.startsWith('the same') ? names.filter((name) => /^[\w.]+$/.test(name)) : []
      return [...(pointed.length === 0 && same.length === 0 ? [here] : []), ...pointed, ...same].filter(
        (name) => !isThere(name),
      )
    })
}

describe.each(Object.entries(NAMES_OF_DOCUMENTS))('%s', (title, names) => {
  const { rows, example } = sectionOf(title)

  test('every name of it is in the table', () => {
    const listed = new Set(rows.flatMap((row) => row.names))
    expect(names.filter((name) => !listed.has(name))).toEqual([])
  })

  test('what is not here says why, and what is here can be found', async () => {
    for (const { here } of rows)
      if (here.startsWith('Not')) expect(here).toMatch(/^Not(?: yet)?(?: for workflows)?[:;] \S.{15,}/)
    expect(await missing(rows, example)).toEqual([])
  })

  test('it has an example of its own that runs with the others', () => {
    expect(example).toMatch(/^examples\/[\w-]+\.ts$/)
    expect(read('tests/examples.test.ts')).toContain(`'${example.slice('examples/'.length, -'.ts'.length)}'`)
  })
})

test('the page has these documents and no others', () => {
  const titles = [...page.matchAll(/^## (.*)$/gm)].map(([, title]) => title)
  expect(titles).toEqual(Object.keys(NAMES_OF_DOCUMENTS))
})
