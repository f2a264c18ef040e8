import type { Fault } from './fault.ts'

const ANTHROPIC: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}

export function anthropicError(status: number, message: string, id: string) {
  const type = ANTHROPIC[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error')
  return { type: 'error', error: { type, message }, request_id: `req_${id}` }
}

const OPENAI: Readonly<Record<number, readonly [type: string, code: string | null]>> = {
  401: ['invalid_request_error', 'invalid_api_key'],
  404: ['invalid_request_error', 'model_not_found'],
  429: ['requests', 'rate_limit_exceeded'],
  503: ['service_unavailable_error', 'server_is_overloaded'],
}

/** What an event of the Responses API calls a status it has no number for. */
export const CODES: Readonly<Record<number, string>> = {
  400: 'invalid_prompt',
  401: 'invalid_api_key',
  429: 'rate_limit_exceeded',
  503: 'server_is_overloaded',
}

/** OpenAI's, and DeepSeek's. */
export function openAiError(status: number, { message, param, code }: Fault) {
  const [type, usual] = OPENAI[status] ?? (status < 500 ? ['invalid_request_error', null] : ['server_error', null])
  return { error: { message, type, param: param ?? null, code: code ?? usual } }
}
