import type { IncomingHttpHeaders } from 'node:http'
import { checkAnthropic } from './check/anthropic.ts'
import { checkChat } from './check/chat.ts'
import { checkDeepSeek } from './check/deepseek.ts'
import { checkResponses } from './check/responses.ts'
import { encodeAnthropic } from './encode/anthropic.ts'
import { encodeChat } from './encode/chat.ts'
import type { CreateEncoder } from './encode/encoder.ts'
import { DEEPSEEK, OPENAI } from './encode/manners.ts'
import { encodeResponses } from './encode/responses.ts'
import { anthropicError, openAiError } from './errors.ts'
import type { Check, Fault } from './fault.ts'
import type { FormatName } from './names.ts'
import { readAnthropic } from './read/anthropic.ts'
import { readChat } from './read/chat.ts'
import type { Read } from './read/request.ts'
import { readResponses } from './read/responses.ts'

/** A wire format: where it is spoken, and how. */
export interface Format {
  readonly path: string
  /** what an overloaded server answers */
  readonly overloaded: number
  /** Which header is missing or wrong; undefined if the caller may ask. */
  keyFault(headers: IncomingHttpHeaders): string | undefined
  readonly check: Check
  readonly read: Read
  readonly encoder: CreateEncoder
  error(status: number, fault: Fault, id: string): object
  /** what it says of a prompt that does not fit */
  readonly tooLong: Fault
}

const bearer = ({ authorization }: IncomingHttpHeaders): string | undefined =>
  /^Bearer \S+$/.test(authorization ?? '') ? undefined : "You didn't provide an API key."

function anthropicHeaders(headers: IncomingHttpHeaders): string | undefined {
  if (!headers['x-api-key']) return 'x-api-key header is required'
  return headers['anthropic-version'] ? undefined : 'anthropic-version: header is required'
}

const LONG_CHAT =
  "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens. " +
  'Please reduce the length of the messages.'

export const FORMATS: { readonly [name in FormatName]: Format } = {
  anthropic: {
    path: '/anthropic/v1/messages',
    overloaded: 529,
    keyFault: anthropicHeaders,
    check: checkAnthropic,
    read: readAnthropic,
    encoder: encodeAnthropic,
    error: (status, { message }, id) => anthropicError(status, message, id),
    tooLong: { message: 'prompt is too long: 210000 tokens > 200000 maximum' },
  },
  'openai-chat': {
    path: '/openai/v1/chat/completions',
    overloaded: 503,
    keyFault: bearer,
    check: checkChat,
    read: readChat,
    encoder: (answering) => encodeChat(answering, OPENAI),
    error: openAiError,
    tooLong: { message: LONG_CHAT, param: 'messages', code: 'context_length_exceeded' },
  },
  openai: {
    path: '/openai/v1/responses',
    overloaded: 503,
    keyFault: bearer,
    check: checkResponses,
    read: readResponses,
    encoder: encodeResponses,
    error: openAiError,
    tooLong: {
      message: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
      param: 'input',
      code: 'context_length_exceeded',
    },
  },
  deepseek: {
    path: '/deepseek/chat/completions',
    overloaded: 503,
    keyFault: bearer,
    check: checkDeepSeek,
    read: readChat,
    encoder: (answering) => encodeChat(answering, DEEPSEEK),
    error: openAiError,
    tooLong: { message: LONG_CHAT, code: 'invalid_request_error' },
  },
}
