import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The fields of an object as a page names them: `{always, sometimes?}`. */
export interface Shape {
  readonly always: readonly string[]
  readonly sometimes: readonly string[]
}

const SECTIONS = { events: '## Stored events', native: '## The native stream', phased: '### phased' } as const
const ROW = /^\| (?:`([^`]+)`|(every event)) \| `\{([^}]*)\}`/gm

/** The tables of docs/events.md: the data of every stored event, and the frames of every dialect but for those. */
export function documentedFrames(dialects: readonly string[]) {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/events.md'), 'utf8')
  const table = (heading: string): Map<string, Shape> => {
    const [, section] = page.split(`\n${heading}\n`)
    if (section === undefined) throw new Error(`docs/events.md has no "${heading}"`)
    const rows = section.slice(0, /^##/m.exec(section)?.index).matchAll(ROW)
    return new Map([...rows].map(([, name, any, fields = '']) => [name ?? any ?? '', shapeOf(fields)]))
  }
  const headingOf = (name: string): string => SECTIONS[name as keyof typeof SECTIONS] ?? `### ${name}`
  return {
    events: table(SECTIONS.events),
    frames: new Map(dialects.map((name) => [name, table(headingOf(name))])),
  }
}

function shapeOf(fields: string): Shape {
  const names = fields.split(', ').filter((name) => name !== '')
  return {
    always: names.filter((name) => !name.endsWith('?')),
    sometimes: names.filter((name) => name.endsWith('?')).map((name) => name.slice(0, -1)),
  }
}

/** How objects differ from what is said of them; nothing where they do not. */
export function differences(what: string, shape: Shape, sent: readonly object[]): string[] {
  const known = new Set([...shape.always, ...shape.sometimes])
  const more = sent.flatMap((one) => Object.keys(one).filter((name) => !known.has(name)))
  const less = sent.flatMap((one) => shape.always.filter((name) => !(name in one)))
  return [
    ...[...new Set(more)].map((name) => `${what} is sent with ${name}, which is not documented`),
    ...[...new Set(less)].map((name) => `${what} is sent without ${name}`),
  ]
}
