import { parseArgs } from 'node:util'
import { Unreadable } from './read-recording.ts'
import { replayFolder } from './replay-folder.ts'
import type { Replayed } from './replay-one.ts'
import { describe } from './report.ts'

const USAGE =
  'npm run replay-recordings -- <folder> [--json] [--protocol unified|triggered]: ' +
  'plays every *.chunks.txt of a folder (one JSON chunk a line) through Segno.'

process.exitCode = await main()

async function main(): Promise<number> {
  try {
    const { folder, json, protocol } = readArguments()
    const show = (one: Replayed): void => (json ? undefined : console.log(`${describe(one)}\n`))
    const { replayed, unreadable } = await replayFolder(folder, protocol, show)
    if (json) console.log(JSON.stringify({ replayed, unreadable }, null, 2))
    for (const sentence of unreadable) console.error(sentence)
    const stuck = replayed.filter(({ goesOn }) => !goesOn)
    if (!json) console.log(`${replayed.length} recordings, ${replayed.length - stuck.length} of them could go on.`)
    if (unreadable.length > 0) return 2
    return stuck.length === 0 ? 0 : 1
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    console.error(error.message)
    return 2
  }
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { json: { type: 'boolean', default: false }, protocol: { type: 'string', default: 'unified' } },
    })
    const [folder, ...others] = positionals
    const { json, protocol } = values
    if (folder === undefined || others.length > 0) throw new Unreadable(`Name one folder.\n${USAGE}`)
    if (protocol !== 'unified' && protocol !== 'triggered')
      throw new Unreadable(`--protocol is unified or triggered.\n${USAGE}`)
    return { folder, json, protocol } as const
  } catch (error) {
    throw error instanceof Unreadable ? error : new Unreadable(`${(error as Error).message}\n${USAGE}`)
  }
}
