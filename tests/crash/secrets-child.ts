import files from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import { storeSettings } from '../support/store-under-test.ts'

/**
 * Run with a home, a moment and which time of it: sets two providers with keys, and then encrypts them with a new key, unless it
 * dies before.
 */
const [home = '', when = '', nth = '1'] = process.argv.slice(2)
const die = (): void => {
  process.kill(process.pid, 'SIGKILL')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}

/** Dies at the n-th time of this moment. */
let times = 0
function hit(moment: string): void {
  if (moment === when && ++times === Number(nth)) die()
}

const { link, rename } = files
files.link = async (...given) => {
  hit('before link')
  await link(...given)
  hit('after link')
}
files.rename = async (...given) => {
  hit('before rename')
  await rename(...given)
  hit('after rename')
}
syncBuiltinESMExports()

const { compose } = await import('../../src/app.ts')
const segno = await compose(
  { home, env: await storeSettings(home), builtInTools: false },
  {
    store(open) {
      const store = open()
      return {
        ...store,
        async reencryptSecrets(...given) {
          hit('before reencrypting')
          const reencrypting = store.reencryptSecrets(...given)
          // It is on its way, and nobody was told yet.
          if (when === 'while reencrypting') setImmediate(die)
          const reencrypted = await reencrypting
          hit('after reencrypting')
          return reencrypted
        },
      }
    },
  },
)
for (const name of ['one', 'two'])
  await segno.providers.set(LOCAL_OWNER, name, { kind: 'anthropic', key: `sk-of-${name}-0123456789` })
await segno.secrets.rotate(LOCAL_OWNER)
await segno.close()
