import { createInterface } from 'node:readline'
import type { Session } from '../../../client/index.ts'
import { createConversation, type ChatConversation, type ConversationOptions } from './conversation.ts'
import { createKeyReader } from './keys.ts'
import { coloured, plain, wantsColours } from './paint.ts'
import { createPlainScreen, createScreen } from './screen.ts'

export interface InteractiveOptions extends Pick<ConversationOptions, 'reached' | 'me' | 'params' | 'place' | 'keep'> {
  /** undefined: start a new one */
  readonly session: Session | undefined
}

/** After this time without more input, an escape was the Esc key. */
const ESCAPE_MS = 40

/** Runs a conversation until the person leaves, and always restores the terminal. */
export async function interactive({ reached, me, session, params, place, keep }: InteractiveOptions): Promise<void> {
  const { stdout, env } = process
  const isLive = stdout.isTTY && env['TERM'] !== 'dumb'
  const paint = isLive && wantsColours(env) ? coloured : plain
  const screen = isLive ? createScreen(stdout) : createPlainScreen(stdout)
  const conversation = createConversation({ reached, me, params, place, screen, paint, isLive, keep })
  const { say, left, leave } = conversation
  const restore = isLive ? readKeys(conversation) : readLines(conversation)
  process.once('SIGTERM', leave).once('SIGHUP', leave)
  try {
    const where = reached.server === undefined ? '' : ` · ${reached.server}`
    say(
      `Segno ${me.version} · ${session?.model ?? params.model ?? me.model}${where} · /help tells what you can do`,
      'dim',
      'end',
    )
    if (!session && (params.model ?? me.model) === 'scripted') say(WITHOUT_KEY)
    if (session) await conversation.open(session)
    await left
  } finally {
    screen.close()
    restore()
    process.off('SIGTERM', leave).off('SIGHUP', leave)
  }
}

const WITHOUT_KEY =
  'No model is set up yet, so a script answers here, not an AI: the tools and everything around them are real. ' +
  'Type "tour" for a guided tour. For a real model set ANTHROPIC_API_KEY, OPENAI_API_KEY, DEEPSEEK_API_KEY or ' +
  'GOOGLE_GENERATIVE_AI_API_KEY, or run Ollama, and start again; segno doctor tells what is found.'

function readKeys({ key: press, leave, resized }: ChatConversation): () => void {
  const { stdin, stdout } = process
  const reader = createKeyReader()
  let settling: NodeJS.Timeout | undefined
  const onData = (chunk: string): void => {
    clearTimeout(settling)
    reader.read(chunk).forEach(press)
    if (reader.isWaiting) settling = setTimeout(() => reader.settle().forEach(press), ESCAPE_MS)
  }
  // Also after a crash: a terminal in raw mode does not show what is typed.
  const restore = (): void => {
    clearTimeout(settling)
    stdin.off('data', onData).off('end', leave)
    stdout.off('resize', resized)
    process.off('exit', restore)
    stdin.setRawMode(false)
    stdin.pause()
    stdout.write('\x1b[?2004l\x1b[?25h')
  }
  process.once('exit', restore)
  stdin.setRawMode(true)
  stdin.setEncoding('utf8')
  stdin.on('data', onData).on('end', leave)
  stdout.on('resize', resized)
  stdout.write('\x1b[?2004h')
  return restore
}

function readLines({ line, finish, interrupt }: ChatConversation): () => void {
  const lines = createInterface({ input: process.stdin, terminal: false })
  process.on('SIGINT', interrupt)
  lines.on('line', line).on('close', finish)
  return () => {
    process.off('SIGINT', interrupt)
    lines.close()
  }
}
