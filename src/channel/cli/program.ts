import { Command } from 'commander'
import type { Cli, Form, World } from './cli.ts'
import { chatTopic } from './chat/chat-command.ts'
import { safeJson, safeOutput } from './safe-output.ts'
import { auditTopic } from './topics/audit.ts'
import { databaseTopic } from './topics/database.ts'
import { gateTopic } from './topics/gate.ts'
import { jobsTopic } from './topics/jobs.ts'
import { keysTopic } from './topics/keys.ts'
import { peopleTopic } from './topics/people.ts'
import { replayTopic } from './topics/replay.ts'
import { roundsTopic } from './topics/rounds.ts'
import { serviceTopic } from './topics/service.ts'
import { sessionsTopic } from './topics/sessions.ts'

const TOPICS: readonly ((segno: Command, cli: Cli) => void)[] = [
  serviceTopic,
  chatTopic,
  sessionsTopic,
  roundsTopic,
  replayTopic,
  peopleTopic,
  gateTopic,
  keysTopic,
  auditTopic,
  databaseTopic,
  jobsTopic,
]

/** The command line. The exit code is 0 when all went well, 1 when something did not, 2 when it was not understood. */
export function program(world: World): Command {
  let exitCode = 0
  const segno = new Command('segno')
    .description('A self-hosted AI orchestrator.')
    .version(world.version)
    .showHelpAfterError('(segno --help tells what there is)')
    .exitOverride()
    .hook('postAction', () => {
      process.exitCode = exitCode
    })

  function fail(): void {
    exitCode = 1
  }
  const unread = noticeClosedOutput((why) => {
    console.error(`segno: what was to be printed cannot be written: ${why}.`)
    fail()
    process.exitCode = exitCode
  })
  const shown = (text: string, { json }: Form): string => (json ? safeJson(text) : safeOutput(text))
  const print: Cli['print'] = (text, as) => world.print(shown(text, as))

  const asking =
    (looks: boolean): Cli['reaching'] =>
    async (flags, use) => {
      const reached = await world.reach(flags.server, looks)
      try {
        const text = await use(reached, flags.json === true)
        if (text !== '') print(text, flags)
      } finally {
        await reached.close()
      }
    }
  const cli: Cli = {
    world,
    reaching: asking(false),
    looking: asking(true),
    print,
    async write(texts, as) {
      for await (const text of texts) {
        if (unread()) return
        await world.write(shown(text, as))
      }
    },
    fail,
  }
  for (const topic of TOPICS) topic(segno, cli)
  return segno
}

/**
 * Who reads our output may have enough and leave, as in `segno audit export | head -1`. That is no mistake, and a server
 * goes on without them. A disk that is full is one: it is told once. The answer tells whether anybody still reads.
 */
function noticeClosedOutput(failed: (why: string) => void): () => boolean {
  let closed = false
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && !closed) failed(error.message)
    closed = true
  })
  return () => closed
}
