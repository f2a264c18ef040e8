import { Command } from 'commander'
import type { Answer, Cli, Flags, Pieces, Use, World } from './cli.ts'
import { chatTopic } from './chat/chat-command.ts'
import { safeJson, safeOutput } from './safe-output.ts'
import { auditTopic } from './topics/audit.ts'
import { databaseTopic } from './topics/database.ts'
import { eventsTopic } from './topics/events.ts'
import { gateTopic } from './topics/gate.ts'
import { hooksTopic } from './topics/hooks.ts'
import { jobsTopic } from './topics/jobs.ts'
import { keysTopic } from './topics/keys.ts'
import { knowledgeTopic } from './topics/knowledge.ts'
import { memoriesTopic } from './topics/memories.ts'
import { modelsTopic } from './topics/models.ts'
import { peopleTopic } from './topics/people.ts'
import { preferencesTopic } from './topics/preferences.ts'
import { promptsTopic } from './topics/prompts.ts'
import { providersTopic } from './topics/providers.ts'
import { replayTopic } from './topics/replay.ts'
import { roundsTopic } from './topics/rounds.ts'
import { schedulesTopic } from './topics/schedules.ts'
import { serviceTopic } from './topics/service.ts'
import { sessionsTopic } from './topics/sessions.ts'
import { triggersTopic } from './topics/triggers.ts'
import { webhooksTopic } from './topics/webhooks.ts'
import { workflowsTopic } from './topics/workflows.ts'
import { workspacesTopic } from './topics/workspaces.ts'

const TOPICS: readonly ((segno: Command, cli: Cli) => void)[] = [
  serviceTopic,
  chatTopic,
  sessionsTopic,
  roundsTopic,
  replayTopic,
  peopleTopic,
  gateTopic,
  promptsTopic,
  knowledgeTopic,
  workspacesTopic,
  preferencesTopic,
  memoriesTopic,
  workflowsTopic,
  triggersTopic,
  schedulesTopic,
  hooksTopic,
  webhooksTopic,
  eventsTopic,
  keysTopic,
  modelsTopic,
  providersTopic,
  auditTopic,
  databaseTopic,
  jobsTopic,
]

/** The exit code is 0 for success, 1 for failure, 2 for a wrong command line. */
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
  const safe = (text: string, isJson: boolean): string => (isJson ? safeJson(text) : safeOutput(text))

  async function print(answer: Answer | Pieces, { json = false }: Flags): Promise<void> {
    if ('pieces' in answer) {
      for await (const piece of answer.pieces) {
        if (unread()) return
        await world.write(safe(piece, answer.isJson ?? json))
      }
      return
    }
    if (answer.ok === false) fail()
    world.print(safe(json ? JSON.stringify(answer.json, null, answer.indent) : answer.text, json))
  }

  const asking =
    (passive: boolean): Cli['reaching'] =>
    <Given extends unknown[]>(use: Use<Given>) =>
    async (...given: unknown[]) => {
      // Commander passes the arguments, then the flags and the command.
      const flags = given.at(-2) as Flags
      const reached = await world.reach(flags.server, passive)
      try {
        await print(await use(reached, ...(given.slice(0, -1) as Given)), flags)
      } finally {
        await reached.close()
      }
    }
  const cli: Cli = { world, reaching: asking(false), looking: asking(true), print, fail }
  for (const topic of TOPICS) topic(segno, cli)
  for (const topic of segno.commands)
    if (topic.commands.length > 0) topic.showHelpAfterError(`(segno ${topic.name()} --help tells what there is)`)
  return segno
}

/** A closed pipe, as in `segno audit export | head -1`, is no failure; a full disk is. Returns whether it is closed. */
function noticeClosedOutput(failed: (why: string) => void): () => boolean {
  let closed = false
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && !closed) failed(error.message)
    closed = true
  })
  return () => closed
}
