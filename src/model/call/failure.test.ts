import { describe, expect, test } from 'vitest'
import { verifies } from '../../../tests/support/verifies.ts'
import { TooLong } from './collect.ts'
import { describeFailure } from './failure.ts'
import { CAUSES } from './causes.ts'

const api = (statusCode: number, error: object = {}, headers: Record<string, string> = {}) => ({
  statusCode,
  isRetryable: [408, 409, 429].includes(statusCode) || statusCode >= 500,
  data: { error },
  responseHeaders: headers,
})

describe('what went wrong', () => {
  test.each<[string, unknown, string, boolean]>([
    ['a rate limit', api(429, { type: 'rate_limit_error' }), 'rate limited', true],
    ['an empty account', api(429, { code: 'insufficient_quota' }), 'the account has no credit or quota left', false],
    ['overload', api(529), 'overloaded', true],
    ['overload told in the stream', { type: 'overloaded_error', message: 'secret' }, 'overloaded', true],
    ['a bad key', api(401, { type: 'authentication_error' }), 'the key was refused', false],
    ['a forbidden model', api(403), 'access was refused', false],
    ['an unknown model', api(404, { type: 'not_found_error' }), 'the provider knows no such model or address', false],
    [
      'a long conversation',
      api(400, { code: 'context_length_exceeded' }),
      'the conversation is longer than the model can see',
      false,
    ],
    [
      'a bad request',
      api(400, { type: 'invalid_request_error' }),
      'the provider answered 400 (invalid_request_error)',
      false,
    ],
    ['a server error', api(500), 'the provider answered 500', true],
    ['a failure told in the stream', { type: 'server_error' }, 'the provider failed (server_error)', true],
    ['a broken connection', new TypeError('fetch failed'), 'the connection to the model failed', true],
    [
      'a reset',
      Object.assign(new Error('secret'), { code: 'ECONNRESET', isRetryable: true }),
      'the connection to the model failed',
      true,
    ],
    [
      'nonsense',
      Object.assign(new Error('secret'), { name: 'AI_TypeValidationError' }),
      'the provider sent something that makes no sense',
      true,
    ],
    ['a page', { noStream: 'text/html', isRetryable: false }, 'a web page answered where the provider should', false],
    ['too much', new TooLong(), 'the answer was longer than ANSWER_CHARS allows', false],
    ['nothing at all', undefined, 'the connection to the model failed', true],
  ])('%s', (_, error, reason, retryable) => {
    expect(describeFailure(error)).toMatchObject({ reason, retryable })
  })

  test('is told without a word of the conversation', () => {
    const said = { message: 'my secret', type: 'my secret type', code: 'my secret' }
    expect(JSON.stringify(describeFailure(api(400, said)))).not.toContain('secret')
  })
})

test.each<[string, unknown]>([
  ['Anthropic', { ...api(400), message: 'messages.1.content.0: Invalid `signature` in `thinking` block' }],
  ['OpenAI', api(400, { code: 'invalid_encrypted_content' })],
  ['Gemini', { ...api(400), message: 'Thought signature is not valid' }],
  ['Gemini, once more', { ...api(400), message: 'Corrupted thought signature.' }],
])('thoughts that %s no longer takes back are known', (_, error) => {
  expect(describeFailure(error)).toMatchObject({ badThoughts: true, retryable: false, outage: false })
})

describe('a prompt that is too long', () => {
  const said = (status: number, message: string, error: object = {}) => ({ ...api(status, error), message })
  test.each<[string, unknown]>([
    ['Anthropic', said(400, 'prompt is too long: 213462 tokens > 200000 maximum', { type: 'invalid_request_error' })],
    [
      'Anthropic, with its answer',
      said(400, 'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease one of them'),
    ],
    ['Anthropic, as bytes', api(413, { type: 'request_too_large' })],
    ['Anthropic, in a stream', { type: 'invalid_request_error', message: 'prompt is too long: 2 tokens > 1 maximum' }],
    ['OpenAI', api(400, { code: 'context_length_exceeded' })],
    ['OpenAI, in a stream', { type: 'error', code: 'context_length_exceeded', message: 'Your input exceeds' }],
    ['OpenAI, by its message', said(400, 'Your input exceeds the context window of this model.')],
    ['Gemini', said(400, 'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).')],
    [
      'DeepSeek',
      said(400, "This model's maximum context length is 131072 tokens. However, you requested 140000 tokens.", {
        code: 'invalid_request_error',
      }),
    ],
    [
      'Mistral, whose body its package cannot read',
      {
        ...said(400, 'Bad Request'),
        responseBody: JSON.stringify({
          object: 'error',
          message:
            'Prompt contains 40960 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
        }),
      },
    ],
    ['llama.cpp', said(400, 'the request exceeds the available context size, try increasing it')],
    ['llama.cpp, by its type', api(400, { type: 'exceed_context_size_error', code: 400 })],
    ['llama.cpp, in a stream', { code: 400, message: 'the request exceeds the available context size' }],
    ['Ollama', api(400, { code: 'context_length_exceeded' })],
    ['OpenRouter', said(400, "This endpoint's maximum context length is 16384 tokens. However, you requested 26265.")],
    ['OpenRouter, of another', said(400, 'Input length 9 exceeds the maximum allowed input length of 8 tokens.')],
    ['vLLM', said(400, 'The decoder prompt (length 5000) is longer than the maximum model length of 4096.')],
    ['vLLM, by its detail', { ...said(400, ''), responseBody: '{"detail":"the context length is only 8 tokens"}' }],
    ['LM Studio', said(400, 'tokens to keep from the initial prompt is greater than the context length')],
    ['Together', said(422, "The input (100 tokens) is longer than the model's context length (50 tokens).")],
    ['xAI', said(400, "This model's maximum prompt length is 131072 but the request contains 537812 tokens.")],
    ['Groq', said(400, 'Please reduce the length of the messages or completion.')],
    ['Kimi', said(400, 'Invalid request: Your request exceeded model token limit: 262144 (requested: 269030)')],
    ['Copilot', api(400, { code: 'model_max_prompt_tokens_exceeded' })],
    ['Copilot, by its message', said(400, 'prompt token count of 145000 exceeds the limit of 128000')],
    ['DashScope', said(400, 'Range of input length should be [1, 129024]')],
    ['Zhipu', said(400, 'Prompt 超长')],
    ['Bedrock', said(400, 'Input is too long for requested model.')],
    ['a gateway', api(413)],
    ['a server that answers 500', api(500, { code: 'context_length_exceeded' })],
  ])('is known from %s', (_, error) => {
    expect(describeFailure(error)).toEqual({
      reason: CAUSES.tooLong.reason,
      tooLong: expect.stringMatching(/tokens|bytes/) as string,
      retryable: false,
      outage: false,
    })
  })

  test.each<[string, unknown]>([
    ['another bad request', said(400, 'messages: at least one message is required')],
    ['a rate limit on tokens', said(429, 'Request too large on tokens per min (TPM): context length matters')],
    ['an answer that is too long', new TooLong()],
    [
      'a body that quotes the conversation',
      { ...said(422, ''), responseBody: '{"detail":[{"input":"what is a context window?"}]}' },
    ],
    ['a lost connection', new TypeError('fetch failed')],
    [
      'an unreadable piece of an answer about such things',
      Object.assign(new Error('Type validation failed: {"content":"a context window is"}'), {
        name: 'AI_TypeValidationError',
      }),
    ],
  ])('is not %s', (_, error) => {
    expect(describeFailure(error)).not.toHaveProperty('tooLong')
  })
})

verifies('COO-6', 'Retry-After is read as milliseconds, seconds or a date', () => {
  expect(describeFailure(api(429, {}, { 'retry-after-ms': '150' })).retryAfterMs).toBe(150)
  expect(describeFailure(api(429, {}, { 'retry-after': '2' })).retryAfterMs).toBe(2000)
  const date = new Date(Date.now() + 10_000).toUTCString()
  const waitMs = describeFailure(api(503, {}, { 'retry-after': date })).retryAfterMs
  expect(waitMs).toBeGreaterThan(5000)
  expect(waitMs).toBeLessThanOrEqual(10_000)
  expect(describeFailure(api(429, {}, { 'retry-after': 'soon' })).retryAfterMs).toBeUndefined()
})

test('only what says that the provider is not well counts as an outage', () => {
  expect(describeFailure(api(500)).outage).toBe(true)
  expect(describeFailure(api(529)).outage).toBe(true)
  expect(describeFailure(new TypeError('fetch failed')).outage).toBe(true)
  expect(describeFailure(api(429)).outage).toBe(false)
  expect(describeFailure(api(401)).outage).toBe(false)
  expect(describeFailure(new TooLong()).outage).toBe(false)
})

test.each(['sk-house-4f9c1b77e2d84a06', 'a'.repeat(41), 'ghp_abc1'])('%s is no code that is told', (code) => {
  const { reason } = describeFailure({ statusCode: 418, responseBody: JSON.stringify({ error: { code } }) })
  expect(reason).toBe('the provider answered 418')
})
