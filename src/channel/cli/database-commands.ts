import { Problem } from '../../contract/problem.ts'
import type { World } from './cli.ts'
import { bodyOf } from './read-answer.ts'
import type { Reached } from './reach.ts'

interface Report {
  readonly ok: boolean
  readonly sessions: number
  readonly events: number
  readonly findings: readonly string[]
}

interface Sizes {
  readonly before: number
  readonly after: number
  readonly freed: number
}

export async function checkDatabase({ ask }: Reached, json: boolean): Promise<{ text: string; ok: boolean }> {
  const report = await bodyOf<Report>(await ask('GET', '/api/db/check'), 'ok', 'findings')
  if (json) return { text: JSON.stringify(report), ok: report.ok }
  const { ok, sessions, events, findings } = report
  const sum = `${sessions} sessions, ${events} events`
  const found = findings.map((finding) => `  ${finding}`).join('\n')
  return { ok, text: ok ? `The database is sound: ${sum}.` : `The database is damaged: ${sum}.\n${found}` }
}

export async function compactDatabase({ ask }: Reached, json: boolean): Promise<string> {
  const sizes = await bodyOf<Sizes>(await ask('POST', '/api/db/compact'), 'before', 'after', 'freed')
  if (json) return JSON.stringify(sizes)
  return `${bytes(sizes.freed)} given back: ${bytes(sizes.before)} before, ${bytes(sizes.after)} now.`
}

/** Opening a database brings it up to date; a server that has it open has done so already. */
export async function migrateDatabase(world: World, server: string | undefined, json: boolean): Promise<string> {
  if (server === undefined) {
    try {
      const { file, found, now } = await world.migrate()
      if (json) return JSON.stringify({ file, found, now })
      if (found === 0) return `${file} was made, with version ${now}.`
      return found === now
        ? `${file} is up to date: version ${now}.`
        : `${file} was brought from version ${found} to version ${now}.`
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'STORE_BUSY') throw error
    }
  }
  const reached = await world.reach(server)
  try {
    await bodyOf<{ status: string }>(await reached.ask('GET', '/health'), 'status')
    if (json) return JSON.stringify({ server: reached.server })
    return `Segno at ${reached.server ?? 'this machine'} has the database open, and brought it up to date when it started.`
  } finally {
    await reached.close()
  }
}

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const

function bytes(count: number): string {
  let unit = 0
  let size = count
  for (; size >= 1000 && unit < UNITS.length - 1; unit++) size /= 1000
  return `${unit === 0 ? size : size.toFixed(1)} ${UNITS[unit]}`
}
