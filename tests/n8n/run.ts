import { KILLS } from './kills.ts'
import { showCase, type Shown } from './support/case.ts'
import { installedN8n, N8N_VERSION } from './support/install-n8n.ts'
import { makeWorld, type World } from './support/world.ts'
import { WAYS } from './ways.ts'

/**
 * Segno with a real n8n: what the documents say of it, and that each key does its work once, whoever is killed. The
 * words of a title choose cases: `npm run test:n8n -- "n8n is killed"`.
 */
const say = (what: string): void => console.log(what)
// Without a handler these end the process at once, and what it started stays.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))

const wanted = process.argv[2] ?? ''
const [first, ...others] = [...WAYS, ...KILLS]
const cases = [first, ...others.filter(({ title }) => title.includes(wanted))].filter((one) => one !== undefined)

const world = await makeWorld(await installedN8n(say), say)
const shown: Shown[] = []
try {
  say(`n8n ${N8N_VERSION} at ${world.n8n.url}, Segno at ${world.segno.url}\n`)
  say('   run       sent  begun  done')
  for (const one of cases) {
    const row = await showCase(one, world)
    shown.push(row)
    const { fault, status, requests, executions, done, title } = row
    say(
      `${fault === undefined ? '✓' : '✗'}  ${status.padEnd(9)} ${cell(requests)}  ${cell(executions)} ${cell(done)}  ${title}`,
    )
    if (fault !== undefined) say(`   ${fault.replaceAll('\n', '\n   ')}`)
  }
  shown.push(...(await atTheEnd(world)))
} finally {
  await world.close()
}
const failed = shown.filter(({ fault }) => fault !== undefined).length
say(`\n${shown.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

function cell(number: number): string {
  return String(number).padStart(4)
}

/** Of all cases together: no work twice, and no run left in between. */
async function atTheEnd({ ledger, segno }: World): Promise<Shown[]> {
  const counts = await ledger.counts()
  const twice = counts.filter(({ times }) => times !== 1)
  const { items = [] } = await segno.ask('GET', '/api/invocations?limit=200')
  const open = items.filter((run) => run['status' as 'type'] === 'pending' || run['status' as 'type'] === 'running')
  const rows = [
    [`each of the ${counts.length} keys did its work once`, twice],
    [`each of the ${items.length} runs has its end on record`, open],
  ] as const
  say('')
  return rows.map(([title, wrong]) => {
    say(`${wrong.length === 0 ? '✓' : '✗'}  ${title}`)
    const row = { title, status: '', requests: 0, executions: 0, done: counts.length }
    return wrong.length === 0 ? row : { ...row, fault: JSON.stringify(wrong) }
  })
}
