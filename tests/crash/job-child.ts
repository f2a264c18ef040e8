import { compose } from '../../src/app.ts'
import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import { storeSettings } from '../support/store-under-test.ts'

/** Run with a home: deletes a conversation and dies while it is erased, before or after that is done. */
const [home = '', when = ''] = process.argv.slice(2)
const die = (): void => void process.kill(process.pid, 'SIGKILL')

const segno = await compose(
  { home, env: await storeSettings(home), builtInTools: false },
  {
    store(open) {
      const store = open()
      return {
        ...store,
        async purge(sessionId) {
          if (when === 'before') die()
          const erased = await store.purge(sessionId)
          die()
          return erased
        },
      }
    },
  },
)
const { id } = await segno.createSession()
const { requestId } = await segno.rounds.send(LOCAL_OWNER, id, 'a word to be erased')
await segno.completion(id, requestId)
await segno.sessions.delete(LOCAL_OWNER, id)
setInterval(() => {}, 1000)
