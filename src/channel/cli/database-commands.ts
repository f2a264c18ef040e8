import { Problem } from '../../contract/problem.ts'
import type { WorkView } from '../../job/index.ts'
import type { CheckReport, Compacted } from '../../store/index.ts'
import type { World } from './cli.ts'
import { bodyOf } from './read-answer.ts'
import type { Reached } from './reach.ts'

/** Says something to know while it lasts. */
type Tell = (line: string) => void

export async function checkDatabase(
  reached: Reached,
  json: boolean,
  tell: Tell,
): Promise<{ text: string; ok: boolean }> {
  const asked = telling(reached, tell, () => reached.ask('GET', '/api/db/check'))
  const report = await bodyOf<CheckReport>(await asked, 'ok', 'findings')
  if (json) return { text: JSON.stringify(report), ok: report.ok }
  const { ok, sessions, events, findings } = report
  const sum = `${sessions} sessions, ${events} events`
  const found = findings.map((finding) => `  ${finding}`).join('\n')
  return { ok, text: ok ? `The database is sound: ${sum}.` : `The database is damaged: ${sum}.\n${found}` }
}

export async function compactDatabase(reached: Reached, json: boolean, tell: Tell): Promise<string> {
  const asked = telling(reached, tell, () => reached.ask('POST', '/api/db/compact'))
  const sizes = await bodyOf<Compacted>(await asked, 'before', 'after', 'freed')
  if (json) return JSON.stringify(sizes)
  const sum = `${bytes(sizes.freed)} given back: ${bytes(sizes.before)} before, ${bytes(sizes.after)} now.`
  return sizes.needsRewrite ? `${sum}\n${REWRITE}` : sum
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

const TELL_MS = 2000

const DOING: Readonly<Record<WorkView['doing'], (done: number, total: number) => string>> = {
  waiting: () => 'Waiting for other work on the database …',
  copying: (done, total) => `Making a copy to check: ${percent(done, total)} …`,
  checking: (done, total) => `Checking: ${done} of ${total} sessions …`,
  compacting: (done, total) => `Giving back room: ${percent(done, total)} …`,
}

/** What takes long says now and then how far it is. */
async function telling<T>({ ask }: Reached, tell: Tell, work: () => Promise<T>): Promise<T> {
  let told = ''
  const timer = setInterval(() => {
    ask('GET', '/api/db/work')
      .then((answer) => bodyOf<{ work: WorkView | null }>(answer, 'work'))
      .then(({ work: going }) => {
        const line = going ? DOING[going.doing](going.done, going.total) : told
        if (line !== told) tell(line)
        told = line
      })
      .catch(() => {})
  }, TELL_MS)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}

const percent = (done: number, total: number): string => `${total === 0 ? 0 : Math.floor((100 * done) / total)} %`

const REWRITE =
  'This database is from before Segno could give back room while it runs; it must be written anew once.\n' +
  'That is done in the hours of SEGNO_QUIET_HOURS when nothing runs, or by segno db compact while Segno is stopped.'

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const

function bytes(count: number): string {
  let unit = 0
  let size = count
  for (; size >= 1000 && unit < UNITS.length - 1; unit++) size /= 1000
  return `${unit === 0 ? size : size.toFixed(1)} ${UNITS[unit]}`
}
