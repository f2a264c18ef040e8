import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import { openOwn, provoke, TOKENS, type Point, type Want } from './own-asks.ts'

/** Run with a home, what is asked for and where it dies. */
const [home = '', want = '', point = ''] = process.argv.slice(2)
const die = (at: Point): void => {
  if (at === point) process.kill(process.pid, 'SIGKILL')
}

const segno = await openOwn(home, want as Want, die)
await segno.budgets.set(LOCAL_OWNER, LOCAL_OWNER.id, { dailyTokens: TOKENS })
const { id } = await segno.createSession()
await provoke(segno, id, want as Want)
setInterval(() => {}, 1000)
