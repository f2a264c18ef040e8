import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { CODES } from '../errors.ts'
import { encryptedOf } from '../issued.ts'
import { listOf } from '../values.ts'
import { sse, tokensOf, type Answering, type CreateEncoder } from './encoder.ts'

type Finish = Extract<LanguageModelV4StreamPart, { type: 'finish' }>

const INCOMPLETE: Readonly<Record<string, string>> = { length: 'max_output_tokens', 'content-filter': 'content_filter' }

export const encodeResponses: CreateEncoder = (answering) => {
  const { model, id, body } = answering
  const showsSeal = listOf(body['include']).includes('reasoning.encrypted_content')
  const output: object[] = []
  let item: { id: string; [field: string]: unknown } = { id: '' }
  let written = ''
  let sequence = 0
  const told = (type: string, more: object): string => sse({ type, sequence_number: sequence++, ...more }, type)
  const ofItem = (type: string, more: object): string =>
    told(type, { item_id: item.id, output_index: output.length, ...more })

  function begin(prefix: string, fields: object): string {
    written = ''
    item = { id: `${prefix}_${id}_${output.length}`, ...fields }
    return told('response.output_item.added', { output_index: output.length, item })
  }
  function end(fields: object): string {
    const done = { ...item, ...fields }
    const text = told('response.output_item.done', { output_index: output.length, item: done })
    output.push(done)
    return text
  }
  const seal = (): object => (showsSeal ? { encrypted_content: encryptedOf(model, item.id) } : {})
  const textPart = (): object => ({ type: 'output_text', text: written, annotations: [], logprobs: [] })
  const summary = (): object => ({ type: 'summary_text', text: written })

  return {
    keepAlive: '',
    error: (status) =>
      told('error', { code: CODES[status] ?? 'server_error', message: 'The answer failed.', param: null }),
    part(part) {
      switch (part.type) {
        case 'stream-start':
          return (
            told('response.created', { response: responseOf(answering) }) +
            told('response.in_progress', { response: responseOf(answering) })
          )
        case 'reasoning-start':
          return (
            begin('rs', { type: 'reasoning', summary: [], ...(showsSeal && { encrypted_content: '' }) }) +
            ofItem('response.reasoning_summary_part.added', { summary_index: 0, part: summary() })
          )
        case 'reasoning-delta':
          written += part.delta
          return ofItem('response.reasoning_summary_text.delta', { summary_index: 0, delta: part.delta })
        case 'reasoning-end':
          return (
            ofItem('response.reasoning_summary_text.done', { summary_index: 0, text: written }) +
            ofItem('response.reasoning_summary_part.done', { summary_index: 0, part: summary() }) +
            end({ summary: [summary()], ...seal() })
          )
        case 'text-start':
          return (
            begin('msg', { type: 'message', status: 'in_progress', role: 'assistant', content: [] }) +
            ofItem('response.content_part.added', { content_index: 0, part: textPart() })
          )
        case 'text-delta':
          written += part.delta
          return ofItem('response.output_text.delta', { content_index: 0, delta: part.delta, logprobs: [] })
        case 'text-end':
          return (
            ofItem('response.output_text.done', { content_index: 0, text: written, logprobs: [] }) +
            ofItem('response.content_part.done', { content_index: 0, part: textPart() }) +
            end({ status: 'completed', content: [textPart()] })
          )
        case 'tool-input-start':
          return begin('fc', {
            type: 'function_call',
            status: 'in_progress',
            arguments: '',
            call_id: part.id,
            name: part.toolName,
          })
        case 'tool-input-delta':
          written += part.delta
          return ofItem('response.function_call_arguments.delta', { delta: part.delta })
        case 'tool-input-end':
          return (
            ofItem('response.function_call_arguments.done', { arguments: written }) +
            end({ status: 'completed', arguments: written })
          )
        case 'finish': {
          const reason = INCOMPLETE[part.finishReason.unified]
          const status = reason === undefined ? 'completed' : 'incomplete'
          const more = { status, output, usage: usageOf(part), ...(reason && { incomplete_details: { reason } }) }
          return told(`response.${status}`, { response: { ...responseOf(answering), ...more } })
        }
        default:
          return ''
      }
    },
  }
}

function responseOf({ id, model }: Answering): object {
  return {
    id: `resp_${id}`,
    object: 'response',
    created_at: 1_790_000_000,
    status: 'in_progress',
    error: null,
    incomplete_details: null,
    model,
    output: [],
    store: false,
    usage: null,
  }
}

function usageOf({ usage }: Finish): object {
  const { input, output, cachedRead, cachedWrite, reasoning } = tokensOf(usage)
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cachedRead, cache_write_tokens: cachedWrite },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  }
}
