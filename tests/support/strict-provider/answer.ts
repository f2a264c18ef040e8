import type { LanguageModelV4, LanguageModelV4StreamPart, LanguageModelV4StreamResult } from '@ai-sdk/provider'
import type { ServerResponse } from 'node:http'
import { setTimeout as later } from 'node:timers/promises'
import type { Format } from './formats.ts'
import type { SentTurn } from './sent.ts'
import { textOf, type Dict } from './values.ts'

export interface Asked {
  readonly model: LanguageModelV4
  readonly format: Format
  readonly body: Dict
  readonly id: string
  /** number of this call in its round and what it is for, where the client says so */
  readonly told: { readonly call?: number; readonly purpose?: string }
  /** filled with what is sent */
  readonly turn: SentTurn
}

/** How an error of the script says which one it is. */
interface Scripted {
  readonly statusCode?: number
  readonly responseHeaders?: Readonly<Record<string, string>>
  readonly data?: { readonly error: { readonly code?: string } }
}

const OVERLOADED = 529
const TOO_LONG = 'context_length_exceeded'
const KEEP_ALIVE_MS = 40
/** What was written arrives before the connection breaks. */
const ARRIVES_MS = 15

/** Plays the turn of the script that this request asks for. */
export async function answer(response: ServerResponse, asked: Asked): Promise<void> {
  const { format, body, id, turn } = asked
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  let result: LanguageModelV4StreamResult
  try {
    result = await play(asked, gone.signal)
  } catch (error) {
    return refuse(response, format, error as Scripted, id)
  }

  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
  response.flushHeaders()
  const encoder = format.encoder({ model: textOf(body['model']), body, id })
  const keepAlive = setInterval(() => encoder.keepAlive && response.write(encoder.keepAlive), KEEP_ALIVE_MS)
  let deltas = 0
  let isWhole = false
  try {
    for await (const part of result.stream) {
      note(turn, part)
      if ('delta' in part) deltas += 1
      if (part.type === 'finish') isWhole = true
      if (part.type === 'error') {
        response.end(encoder.error(statusOf(part.error as Scripted, format)))
        return
      }
      response.write(encoder.part(part))
    }
    if (isWhole) response.end()
    else await cut(response, deltas)
  } catch (error) {
    if (!gone.signal.aborted) throw error
  } finally {
    clearInterval(keepAlive)
  }
}

async function play(
  { model, format, body, told }: Asked,
  abortSignal: AbortSignal,
): Promise<LanguageModelV4StreamResult> {
  return model.doStream({
    prompt: format.read(body),
    abortSignal,
    providerOptions: { segno: told },
  })
}

/** The connection breaks, or the answer just ends: both happen, so every second cut is one or the other. */
async function cut(response: ServerResponse, deltas: number): Promise<void> {
  if (deltas % 2 === 1) return void response.end()
  await later(ARRIVES_MS)
  response.destroy()
}

function refuse(response: ServerResponse, format: Format, error: Scripted, id: string): void {
  const status = statusOf(error, format)
  const waitMs = error.responseHeaders?.['retry-after-ms']
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(waitMs !== undefined && { 'retry-after-ms': waitMs, 'retry-after': String(Math.ceil(Number(waitMs) / 1000)) }),
  })
  const isTooLong = error.data?.error.code === TOO_LONG
  const fault = isTooLong ? format.tooLong : { message: `The script answers with status ${status}` }
  response.end(JSON.stringify(format.error(status, fault, id)))
}

const statusOf = ({ statusCode = 500 }: Scripted, { overloaded }: Format): number =>
  statusCode === OVERLOADED ? overloaded : statusCode

function note(turn: SentTurn, part: LanguageModelV4StreamPart): void {
  if (part.type === 'text-delta') turn.text += part.delta
  if (part.type === 'reasoning-delta') turn.reasoning += part.delta
  if (part.type === 'tool-input-start') turn.calls.push(part.toolName)
}
