import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

export interface OllamaRequest {
  readonly model: string
  readonly messages: {
    role: string
    content: string
    thinking?: string
    images?: string[]
    tool_name?: string
    tool_call_id?: string
    tool_calls?: { id?: string; function: { index?: number; name: string; arguments: object } }[]
  }[]
  readonly tools?: { type: string; function: { name: string; parameters: object } }[]
  readonly options: { num_ctx?: number; num_predict?: number; temperature?: number; stop?: string[] }
  readonly stream?: boolean
  readonly truncate?: boolean
  readonly shift?: boolean
  readonly think?: boolean | string
  readonly format?: unknown
}

/** What is said in one turn: the lines of an answer, or anything else that can come back. */
export type OllamaTurn = readonly object[] | ((response: ServerResponse, request: OllamaRequest) => unknown)

const EVENT = { model: 'qwen3', created_at: '2026-11-02T09:21:21.196249Z' }
export const says = (content: string) => ({ ...EVENT, message: { role: 'assistant', content }, done: false })
export const thinks = (thinking: string) => ({
  ...EVENT,
  message: { role: 'assistant', content: '', thinking },
  done: false,
})
export const calls = (...called: { id?: string; name: string; arguments?: unknown }[]) => ({
  ...EVENT,
  message: {
    role: 'assistant',
    content: '',
    tool_calls: called.map(({ id, ...rest }, index) => ({
      ...(id !== undefined && { id }),
      function: { index, ...rest },
    })),
  },
  done: false,
})
export const done = (more: object = {}) => ({
  ...EVENT,
  message: { role: 'assistant', content: '' },
  done: true,
  done_reason: 'stop',
  total_duration: 4_883_583_458,
  load_duration: 1_334_875,
  prompt_eval_count: 26,
  prompt_eval_duration: 342_546_000,
  eval_count: 282,
  eval_duration: 4_535_599_000,
  ...more,
})

/** An HTTP error as Ollama gives it. */
export const refuses =
  (status: number, error: string, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify({ error }))

/** What `/api/show` tells of a model; `never` is an answer that does not come. */
type Shown = object | 'never'

/**
 * A server that speaks the native API of Ollama, as strict as the real one about what it is sent. The last turn comes
 * again and again. Models are names, or names with what is shown of them.
 */
export async function ollamaServer(
  turns: readonly OllamaTurn[] = [],
  models: readonly string[] | Readonly<Record<string, Shown>> = ['qwen3:latest'],
) {
  const names = Array.isArray(models) ? (models as readonly string[]) : Object.keys(models)
  const requests: OllamaRequest[] = []
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(request)
    if (request.url === '/api/tags') {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ models: names.map((name) => ({ name, model: name, size: 3_338_801_804 })) }))
    } else if (request.url === '/api/chat') await chat(JSON.parse(body) as OllamaRequest, response)
    else if (request.url === '/api/show') show((JSON.parse(body) as { model: string }).model, response)
    else response.writeHead(404).end('404 page not found')
  }

  function show(name: string, response: ServerResponse): void {
    const shown = Array.isArray(models) ? undefined : (models as Readonly<Record<string, Shown>>)[name]
    if (shown === 'never') return
    if (shown) response.setHeader('content-type', 'application/json').end(JSON.stringify(shown))
    else refuses(404, `model '${name}' not found`)(response)
  }

  async function chat(request: OllamaRequest, response: ServerResponse): Promise<void> {
    const fault = faultOf(request)
    if (fault !== undefined) return refuses(400, fault)(response)
    if (isTooLong(request) && request.truncate === false)
      return refuses(400, 'the input exceeds the available context size')(response)
    const turn = turns[Math.min(requests.push(request), turns.length) - 1] ?? [done()]
    if (typeof turn === 'function') return void (await turn(response, request))
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    response.end(turn.map((line) => `${JSON.stringify(line)}\n`).join(''))
  }

  return { baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

/** What the real server would not be able to read. */
function faultOf({ model, messages, tools = [], options, think }: OllamaRequest): string | undefined {
  if (typeof model !== 'string' || model === '') return 'model is required'
  if (think !== undefined && typeof think !== 'boolean' && !model.startsWith('gpt-oss'))
    return `think value "${think}" is not supported for this model`
  for (const [name, value] of Object.entries(options))
    if (name !== 'stop' && typeof value !== 'number') return `option "${name}" must be of type number`
  for (const { role, content, images = [], tool_calls = [] } of messages) {
    if (!['system', 'user', 'assistant', 'tool'].includes(role)) return `invalid role: ${role}`
    if (typeof content !== 'string') return 'json: cannot unmarshal content into Go struct field of type string'
    for (const image of images) if (!/^[A-Za-z0-9+/]+={0,2}$/.test(image)) return 'illegal base64 data at input byte 0'
    for (const call of tool_calls)
      if (call.function.name === '' || !isMap(call.function.arguments))
        return 'json: cannot unmarshal arguments into Go struct field ToolCallFunction.arguments of type map'
  }
  for (const { type, function: tool } of tools)
    if (
      type !== 'function' ||
      !isMap(tool.parameters) ||
      !isMap((tool.parameters as { properties?: object }).properties)
    )
      return 'invalid tool'
  return undefined
}

const isMap = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

const isTooLong = ({ messages, options }: OllamaRequest): boolean =>
  messages.reduce((sum, { content }) => sum + content.length, 0) / 4 > (options.num_ctx ?? 4096)
