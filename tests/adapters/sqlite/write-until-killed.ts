/** Writes to several sessions at once and says what was acknowledged, until killed. Arguments: file, durability. */
import { writeSync } from 'node:fs'
import { newId } from '../../../src/lib/id.ts'
import { openSqliteStore } from '../../../src/store/sqlite/index.ts'
import { claimOf, input, said } from '../../conformance/store/facts.ts'
import { SessionWriter } from '../../conformance/store/session-writer.ts'

const [file = '', durability] = process.argv.slice(2)
const store = openSqliteStore({ file, durability: durability === 'normal' ? 'normal' : 'full' })

/** Written to the pipe before the next step: what the parent has read was surely acknowledged. */
function say(fact: object): void {
  writeSync(1, `${JSON.stringify(fact)}\n`)
}

async function write(): Promise<never> {
  const writer = await SessionWriter.create(store)
  say({ event: (await writer.read())[0] })
  for (let i = 0; ; i++) {
    const events = await writer.write(...Array.from({ length: 1 + (i % 3) }, () => said(newId().repeat(1 + (i % 40)))))
    for (const event of events) say({ event })
    if (i % 5 === 0) {
      const one = input(writer.id)
      await store.putInput(one, { claim: claimOf(one.key) })
      say({ input: one })
    }
  }
}

await Promise.all(Array.from({ length: 4 }, write))
