import { writeSync } from 'node:fs'
import { registerHooks } from 'node:module'

/** Loaded before everything else. Writes the address of each module that is loaded, and each thread, to standard error. */
registerHooks({
  load(url, context, next) {
    writeSync(2, `${url}\n`)
    return next(url, context)
  },
})
process.on('worker', () => writeSync(2, 'a thread\n'))
