import { answered, aPage, type Family, PAGE } from './error-case.ts'

const error = (type: string, message: string): object => ({
  type: 'error',
  error: { type, message },
  request_id: 'req_011',
})

export const anthropic: Family = {
  wire: 'anthropic',
  cases: {
    'bad key': { status: 401, body: error('authentication_error', 'invalid x-api-key'), means: 'key' },
    'no access': {
      status: 403,
      body: error('permission_error', 'Your API key does not have permission to use the specified resource.'),
      means: 'access',
    },
    'unknown model': { status: 404, body: error('not_found_error', 'model: claude-sonnet-9'), means: 'model' },
    'bad schema': {
      status: 400,
      body: error('invalid_request_error', 'tools.0.custom.input_schema: JSON schema is invalid.'),
      means: answered(400, 'invalid_request_error'),
    },
    'too long': {
      status: 400,
      body: error('invalid_request_error', 'prompt is too long: 213462 tokens > 200000 maximum'),
      means: 'tooLong',
      window: 200_000,
    },
    'too long with its answer': {
      status: 400,
      body: error(
        'invalid_request_error',
        'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length',
      ),
      means: 'tooLong',
      window: 200_000,
    },
    'too many bytes': {
      status: 413,
      body: error('request_too_large', 'Request exceeds the maximum size'),
      means: 'tooLong',
    },
    'no quota': {
      status: 400,
      body: error('invalid_request_error', 'Your credit balance is too low to access the Anthropic API.'),
      means: 'credit',
    },
    'own limit': {
      status: 400,
      body: error('invalid_request_error', 'You have reached your specified API usage limits.'),
      means: 'credit',
    },
    'rate limit': {
      status: 429,
      headers: { 'retry-after': '7' },
      body: error('rate_limit_error', 'This request would exceed your organization’s rate limit.'),
      means: 'rate',
      again: 7000,
    },
    overloaded: {
      status: 529,
      body: error('overloaded_error', 'Overloaded'),
      means: 'overloaded',
      again: true,
      outage: true,
    },
    page: aPage,
    'page of a proxy': { status: 502, body: PAGE, means: answered(502), again: true, outage: true },
    'server error': {
      status: 500,
      body: error('api_error', 'Internal server error'),
      means: answered(500, 'api_error'),
      again: true,
      outage: true,
    },
    'temperature with thoughts': {
      status: 400,
      body: error('invalid_request_error', '`temperature` may only be set to 1 when thinking is enabled.'),
      means: 'temperature',
    },
    'no temperature': {
      status: 400,
      body: error('invalid_request_error', '`temperature` is deprecated for this model.'),
      means: 'temperature',
    },
    filter: {
      status: 400,
      body: error('invalid_request_error', 'Output blocked by content filtering policy'),
      means: 'filter',
    },
    'old thoughts': {
      status: 400,
      body: error('invalid_request_error', 'messages.1.content.0: Invalid `signature` in `thinking` block'),
      means: 'thoughts',
    },
  },
}
