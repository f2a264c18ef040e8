import type { LanguageModelV4 } from '@ai-sdk/provider'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { createScriptedModel, type Script } from '../../../src/model/index.ts'
import { answer } from './answer.ts'
import type { Fault } from './fault.ts'
import { FORMATS } from './formats.ts'
import { CALL_HEADER, FORMAT_NAMES, PURPOSE_HEADER, type FormatName } from './names.ts'
import { createSent, type Sent } from './sent.ts'
import { isDict, textOf, type Dict } from './values.ts'

/** A request as it came, and what was wrong with it. */
interface WireRequest {
  readonly format: FormatName
  readonly body: Dict
  readonly faults: readonly Fault[]
}

export interface StrictProvider {
  /** settings of a Segno that reaches its providers here */
  readonly env: Readonly<Record<string, string>>
  readonly requests: readonly WireRequest[]
  close(): Promise<void>
}

export type ScriptOf = (format: FormatName, model: string) => Script

/** A model of the server. What it said, it alone knows. */
interface Player {
  readonly model: LanguageModelV4
  readonly sent: Sent
}

const KEY = 'key-of-the-strict-provider'

/**
 * A server on this machine that speaks the formats of real providers, refuses what they refuse in their words, and
 * answers everything else by a script, or by one for each model.
 */
export async function startStrictProvider(script: Script | ScriptOf): Promise<StrictProvider> {
  const players = new Map<string, Player>()
  const requests: WireRequest[] = []

  function playerOf(format: FormatName, model: string): Player {
    const who = `${format} ${model}`
    const found = players.get(who) ?? {
      model: createScriptedModel(typeof script === 'function' ? script(format, model) : script),
      sent: createSent(),
    }
    players.set(who, found)
    return found
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const id = String(requests.length + 1)
    const name = FORMAT_NAMES.find((one) => request.method === 'POST' && request.url === FORMATS[one].path)
    if (name === undefined) return void response.writeHead(404).end()
    const format = FORMATS[name]
    const body = await json(request).catch(() => undefined)
    const refuse = (status: number, fault: Fault): void =>
      void response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify(format.error(status, fault, id)))
    const keyFault = format.keyFault(request.headers)
    const { model, sent } = playerOf(name, isDict(body) ? textOf(body['model']) : '')
    const isReadable = isDict(body) && body['stream'] === true
    const faults =
      keyFault !== undefined
        ? [{ message: keyFault }]
        : isReadable
          ? format.check(body, { sent })
          : [{ message: 'The body is no JSON object, or asks for no stream.' }]
    requests.push({ format: name, body: isDict(body) ? body : {}, faults })
    const [first] = faults
    if (first || !isReadable) return refuse(keyFault === undefined ? 400 : 401, first ?? { message: '' })
    const call = Number(request.headers[CALL_HEADER])
    const purpose = request.headers[PURPOSE_HEADER]
    const told = { ...(call > 0 && { call }), ...(typeof purpose === 'string' && { purpose }) }
    await answer(response, { model, format, body, id, turn: sent.open(), told })
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    requests,
    env: {
      ANTHROPIC_API_KEY: KEY,
      ANTHROPIC_BASE_URL: `${base}/anthropic/v1`,
      OPENAI_API_KEY: KEY,
      OPENAI_BASE_URL: `${base}/openai/v1`,
      DEEPSEEK_API_KEY: KEY,
      DEEPSEEK_BASE_URL: `${base}/deepseek`,
    },
    async close() {
      const closed = new Promise((resolve) => void server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}
