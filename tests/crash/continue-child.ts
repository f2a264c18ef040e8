import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import type { Protocol } from '../../src/contract/outcome.ts'
import { openContinuing, type Point } from './continuing.ts'

/** Run with a home, a protocol and where it dies: continues a round that used up its calls. */
const [home = '', protocol = '', point = ''] = process.argv.slice(2)
const mustWait = point === ('after its message is stored' satisfies Point)
const segno = await openContinuing(home, mustWait, (at) => {
  if (at === point) process.kill(process.pid, 'SIGKILL')
})
const { id } = await segno.createSession({ title: 'Letters' })
const { requestId } = await segno.rounds.send(LOCAL_OWNER, id, 'Write to all.', { protocol: protocol as Protocol })
await segno.completion(id, requestId)
if (mustWait) await segno.rounds.send(LOCAL_OWNER, (await segno.createSession()).id, 'Hold.')
await segno.rounds.continue(LOCAL_OWNER, requestId)
setInterval(() => {}, 1000)
