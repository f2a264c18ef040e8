import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import { openRemembering, type Form, type Point } from './remembering.ts'

/** Run with a home, how it is remembered and where it dies. */
const [home = '', form = '', point = ''] = process.argv.slice(2)
const die = (at: Point): void => {
  if (at === point) process.kill(process.pid, 'SIGKILL')
}

const segno = await openRemembering(home, form as Form, die)
await segno.preferences.put(LOCAL_OWNER, { allowMemory: true })
const { id } = await segno.createSession()
await segno.rounds.send(LOCAL_OWNER, id, 'Remember what I like.')
setInterval(() => {}, 1000)
