import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import { openWithTasks } from './with-tasks.ts'

/** Run with a home, the address of the task server and an effect class. */
const [home = '', url = '', effect = ''] = process.argv.slice(2)
const segno = await openWithTasks(home, url, effect)
const { id } = await segno.createSession()
await segno.rounds.send(LOCAL_OWNER, id, 'Go.')
setInterval(() => {}, 1000)
