import { createInterface } from 'node:readline'
import type { Reached } from '../reach.ts'
import type { Session } from './api.ts'
import { createConversation, type ChatConversation, type ConversationOptions } from './conversation.ts'
import { createKeyReader } from './keys.ts'
import { coloured, plain, wantsColours } from './paint.ts'
import { createPlainScreen, createScreen } from './screen.ts'

export interface InteractiveOptions extends Pick<ConversationOptions, 'reached' | 'api' | 'me' | 'keep'> {
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly env: NodeJS.ProcessEnv
  /** to go on with; undefined: a new one */
  readonly session: Session | undefined
}

/** How long an escape may stand alone before it is a key of its own. */
const ESCAPE_MS = 40

/** Talks with a person until they leave. Whatever happens, the terminal is left as it was found. */
export async function interactive(options: InteractiveOptions): Promise<void> {
  const { stdin, stdout, env, reached, api, me, session, keep } = options
  const isLive = stdout.isTTY && env['TERM'] !== 'dumb'
  const paint = isLive && wantsColours(env) ? coloured : plain
  const screen = isLive ? createScreen(stdout) : createPlainScreen(stdout)
  const conversation = createConversation({ reached, api, me, screen, paint, isLive, keep })
  const { say, left } = conversation
  const restore = isLive ? readKeys(stdin, stdout, conversation) : readLines(stdin, conversation)
  const leave = (): void => conversation.leave()
  process.once('SIGTERM', leave).once('SIGHUP', leave)
  try {
    say(`Segno ${me.version} · ${session?.model ?? me.model}${at(reached)} · /help tells what you can do`, 'dim', 'end')
    if (!session && me.model === 'scripted') say(WITHOUT_KEY)
    if (session) await conversation.open(session)
    await left
  } finally {
    screen.close()
    restore()
    process.off('SIGTERM', leave).off('SIGHUP', leave)
  }
}

const at = ({ server }: Reached): string => (server === undefined ? '' : ` · ${server}`)

const WITHOUT_KEY =
  'No model is set up yet, so a script answers here, not an AI: the tools and everything around them are real. ' +
  'Type "tour" for a guided tour. For a real model set ANTHROPIC_API_KEY, OPENAI_API_KEY, DEEPSEEK_API_KEY or ' +
  'GOOGLE_GENERATIVE_AI_API_KEY, or run Ollama, and start again; segno doctor tells what is found.'

function readKeys(stdin: NodeJS.ReadStream, stdout: NodeJS.WriteStream, conversation: ChatConversation): () => void {
  const reader = createKeyReader()
  let settling: NodeJS.Timeout | undefined
  const onData = (chunk: string): void => {
    clearTimeout(settling)
    for (const key of reader.read(chunk)) conversation.key(key)
    if (reader.isWaiting) settling = setTimeout(() => reader.settle().forEach(conversation.key), ESCAPE_MS)
  }
  const onEnd = (): void => conversation.leave()
  const onResize = (): void => conversation.resized()
  // Also when something breaks: a terminal in raw mode shows nothing of what is typed.
  const restore = (): void => {
    clearTimeout(settling)
    stdin.off('data', onData).off('end', onEnd)
    stdout.off('resize', onResize)
    process.off('exit', restore)
    stdin.setRawMode(false)
    stdin.pause()
    stdout.write('\x1b[?2004l\x1b[?25h')
  }
  process.once('exit', restore)
  stdin.setRawMode(true)
  stdin.setEncoding('utf8')
  stdin.on('data', onData).on('end', onEnd)
  stdout.on('resize', onResize)
  stdout.write('\x1b[?2004h')
  return restore
}

function readLines(stdin: NodeJS.ReadStream, conversation: ChatConversation): () => void {
  const lines = createInterface({ input: stdin, terminal: false })
  const onInterrupt = (): void => conversation.interrupt()
  process.on('SIGINT', onInterrupt)
  lines.on('line', (text) => conversation.line(text)).on('close', () => conversation.finish())
  return () => {
    process.off('SIGINT', onInterrupt)
    lines.close()
  }
}
