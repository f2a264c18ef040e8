import { compose } from '../../src/app.ts'
import { LOCAL_OWNER, type Actor } from '../../src/contract/actor.ts'
import { storeSettings } from '../support/store-under-test.ts'

/** Run with a home: activates one prompt after the other and dies in the second activation, before or after it. */
const [home = '', when = ''] = process.argv.slice(2)
const die = (): void => void process.kill(process.pid, 'SIGKILL')
const reviewer: Actor = { ...LOCAL_OWNER, id: 'reviewer' }

let activations = 0
const segno = await compose(
  { home, env: await storeSettings(home), builtInTools: false },
  {
    store(open) {
      const store = open()
      return {
        ...store,
        async activatePrompt(...given) {
          activations += 1
          if (activations === 2 && when === 'before') die()
          const activating = store.activatePrompt(...given)
          // The change is on its way, and nobody was told yet.
          if (activations === 2 && when === 'during') setImmediate(die)
          const activated = await activating
          if (activations === 2) die()
          return activated
        },
      }
    },
  },
)
for (const content of ['the first', 'the second']) {
  const { id } = await segno.prompts.create(LOCAL_OWNER, { name: 'Rules', content })
  await segno.prompts.submit(LOCAL_OWNER, id)
  await segno.prompts.approve(reviewer, id)
  await segno.prompts.activate(LOCAL_OWNER, id)
}
setInterval(() => {}, 1000)
