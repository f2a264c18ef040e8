import { describe, expect, test } from 'vitest'
import { verifies } from '../../../tests/support/verifies.ts'
import { TooLong } from './collect.ts'
import { describeFailure } from './failure.ts'

const api = (statusCode: number, error: object = {}, headers: Record<string, string> = {}) => ({
  statusCode,
  isRetryable: [408, 409, 429].includes(statusCode) || statusCode >= 500,
  data: { error },
  responseHeaders: headers,
})

describe('what went wrong', () => {
  test.each<[string, unknown, string, boolean]>([
    ['a rate limit', api(429, { type: 'rate_limit_error' }), 'rate limited', true],
    ['an empty account', api(429, { code: 'insufficient_quota' }), 'the account has no credit left', false],
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
    [
      'a page',
      { noStream: 'text/html', isRetryable: false },
      'the provider answered with text/html where a stream was expected',
      false,
    ],
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
