import { answered, aPage, PAGE, type Family } from './error-case.ts'

const wire = 'openai-compatible'
const nested = (message: string, type: string, code: string | number | null): object => ({
  error: { message, type, param: null, code },
})
const flat = (message: unknown, type: string, code: string | number): object => ({
  object: 'error',
  message,
  type,
  param: null,
  code,
})

export const vllm: Family = {
  wire,
  cases: {
    'bad key': { status: 401, body: { error: 'Unauthorized' }, means: 'key' },
    'no access': { status: 403, body: { detail: 'Forbidden' }, means: 'access' },
    'unknown model': {
      status: 404,
      body: nested('The model `llama-9` does not exist.', 'NotFoundError', 404),
      means: 'model',
    },
    'unknown model, as older ones say it': {
      status: 404,
      body: flat('The model `llama-9` does not exist.', 'NotFoundError', 404),
      means: 'model',
    },
    'bad schema': {
      status: 400,
      body: nested('1 validation error for ValidatorIterator', 'BadRequestError', 400),
      means: answered(400, 'badrequesterror'),
    },
    'too long': {
      status: 400,
      body: flat(
        "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.",
        'BadRequestError',
        400,
      ),
      means: 'tooLong',
      window: 4096,
    },
    'no quota': { status: 402, body: nested('Payment required', 'PaymentRequired', 402), means: 'credit' },
    'rate limit': {
      status: 429,
      headers: { 'retry-after': '1' },
      body: nested('Too many requests', 'TooManyRequests', 429),
      means: 'rate',
      again: 1000,
    },
    overloaded: {
      status: 503,
      body: nested('The server is overloaded', 'ServiceUnavailable', 503),
      means: 'overloaded',
      again: true,
      outage: true,
    },
    page: aPage,
    'server error': {
      status: 500,
      body: nested('EngineCore encountered an issue.', 'InternalServerError', 500),
      means: answered(500, 'internalservererror'),
      again: true,
      outage: true,
    },
    'no tools': {
      status: 400,
      body: nested(
        '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
        'BadRequestError',
        400,
      ),
      means: 'noTools',
    },
    'no pictures': {
      status: 400,
      body: nested('llama-9 is not a multimodal model', 'BadRequestError', 400),
      means: 'noFiles',
    },
  },
}

const routed = (code: number, message: string, metadata?: object): object => ({
  error: { code, message, ...(metadata && { metadata }) },
  user_id: 'user_1',
})

export const openrouter: Family = {
  wire,
  cases: {
    'bad key': { status: 401, body: routed(401, 'No auth credentials found'), means: 'key' },
    'no access': { status: 403, body: routed(403, 'Key limit exceeded by its owner'), means: 'access' },
    'unknown model': { status: 400, body: routed(400, 'acme/llama-9 is not a valid model ID'), means: 'model' },
    'model of nobody': { status: 404, body: routed(404, 'No endpoints found for acme/llama-9.'), means: 'model' },
    'bad schema': {
      status: 400,
      body: routed(400, 'Provider returned error', { raw: '{"error":"tools.0: bad"}', provider_name: 'Acme' }),
      means: answered(400),
    },
    'too long': {
      status: 400,
      body: routed(
        400,
        "This endpoint's maximum context length is 16384 tokens. However, you requested about 26265 tokens.",
      ),
      means: 'tooLong',
      window: 16_384,
    },
    'too long for the one behind it': {
      status: 400,
      body: routed(400, 'Provider returned error', {
        raw: '{"message":"prompt is too long: 213462 tokens > 100000 maximum"}',
        provider_name: 'Acme',
      }),
      means: 'tooLong',
      window: 100_000,
    },
    'no quota': { status: 402, body: routed(402, 'Insufficient credits. Add more in your settings.'), means: 'credit' },
    'rate limit': {
      status: 429,
      headers: { 'retry-after': '4' },
      body: routed(429, 'Provider returned error', { raw: 'acme/llama is temporarily rate-limited upstream.' }),
      means: 'rate',
      again: 4000,
    },
    overloaded: {
      status: 502,
      body: routed(502, 'Provider returned error', { raw: 'The model is overloaded' }),
      means: 'overloaded',
      again: true,
      outage: true,
    },
    page: aPage,
    'server error': {
      status: 502,
      body: routed(502, 'Provider returned error'),
      means: answered(502),
      again: true,
      outage: true,
    },
    'no tools': {
      status: 404,
      body: routed(
        404,
        'No endpoints found that support tool use. To learn more about provider routing, see the docs.',
      ),
      means: 'noTools',
    },
    'no pictures': { status: 404, body: routed(404, 'No endpoints found that support image input'), means: 'noFiles' },
    filter: {
      status: 403,
      body: routed(403, 'acme/llama requires moderation. Your input was flagged for "violence".', {
        reasons: ['violence'],
      }),
      means: 'filter',
    },
  },
}

export const mistral: Family = {
  wire,
  cases: {
    'bad key': { status: 401, body: { detail: 'Unauthorized' }, means: 'key' },
    'no access': { status: 403, body: { message: 'Forbidden' }, means: 'access' },
    'unknown model': { status: 400, body: flat('Invalid model: mistral-9', 'invalid_model', '1500'), means: 'model' },
    'bad schema': {
      status: 422,
      body: { detail: [{ type: 'missing', loc: ['body', 'tools'], msg: 'Field required', input: {} }] },
      means: answered(422),
    },
    'too long': {
      status: 400,
      body: flat(
        'Prompt contains 40960 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
        'invalid_request_prompt',
        '3051',
      ),
      means: 'tooLong',
      window: 32_768,
    },
    'no quota': { status: 402, body: flat('Check your billing', 'payment_required', '1400'), means: 'credit' },
    'rate limit': {
      status: 429,
      headers: { 'retry-after': '6' },
      body: flat('Requests rate limit exceeded', 'rate_limited', '1300'),
      means: 'rate',
      again: 6000,
    },
    overloaded: {
      status: 429,
      body: flat('Service tier capacity exceeded for this model.', 'service_tier_capacity_exceeded', '3505'),
      means: 'overloaded',
      again: true,
      outage: true,
    },
    page: aPage,
    'server error': {
      status: 500,
      body: flat('Service unavailable.', 'internal_server_error', '1000'),
      means: answered(500, 'internal_server_error'),
      again: true,
      outage: true,
    },
  },
}

export const groq: Family = {
  wire,
  cases: {
    'bad key': {
      status: 401,
      body: nested('Invalid API Key', 'invalid_request_error', 'invalid_api_key'),
      means: 'key',
    },
    'no access': {
      status: 403,
      body: nested('Your organization is not allowed to do this.', 'permissions_error', 'org_restricted'),
      means: 'access',
    },
    'unknown model': {
      status: 404,
      body: nested(
        'The model `llama-9` does not exist or you do not have access to it.',
        'invalid_request_error',
        'model_not_found',
      ),
      means: 'model',
    },
    'bad schema': {
      status: 400,
      body: nested('invalid JSON schema for tool look, tools[0].function.parameters', 'invalid_request_error', null),
      means: answered(400, 'invalid_request_error'),
    },
    'too long': {
      status: 400,
      body: nested(
        'Please reduce the length of the messages or completion.',
        'invalid_request_error',
        'context_length_exceeded',
      ),
      means: 'tooLong',
    },
    'too long for its plan': {
      status: 413,
      body: nested('Request too large for model `llama`: Limit 6000, Requested 7000', 'tokens', 'rate_limit_exceeded'),
      means: 'tooLong',
    },
    'no quota': {
      status: 400,
      body: nested('Your organization has no billing set up.', 'invalid_request_error', 'blocked_billing'),
      means: 'credit',
    },
    'rate limit': {
      status: 429,
      headers: { 'retry-after': '2' },
      body: nested('Rate limit reached for model `llama` on tokens per minute', 'tokens', 'rate_limit_exceeded'),
      means: 'rate',
      again: 2000,
    },
    overloaded: {
      status: 503,
      body: nested('llama is currently overloaded, please try again', 'internal_server_error', null),
      means: 'overloaded',
      again: true,
      outage: true,
    },
    page: aPage,
    'page of a proxy': { status: 503, body: PAGE, means: answered(503), again: true, outage: true },
    'server error': {
      status: 500,
      body: nested('Internal Server Error', 'internal_server_error', null),
      means: answered(500, 'internal_server_error'),
      again: true,
      outage: true,
    },
    'no tools': {
      status: 400,
      body: nested(
        '`tool calling` is not supported: this model does not support tool calling',
        'invalid_request_error',
        null,
      ),
      means: 'noTools',
    },
  },
}

const plain = (code: string, error: string): object => ({ code, error })
const INVALID = 'Client specified an invalid argument'
const DENIED = 'The caller does not have permission to execute the specified operation'

export const xai: Family = {
  wire,
  cases: {
    'bad key': { status: 400, body: plain(INVALID, 'Incorrect API key provided: xa***yz.'), means: 'key' },
    'no access': { status: 403, body: plain(DENIED, 'Access to this API is not allowed.'), means: 'access' },
    'unknown model': {
      status: 404,
      body: plain('Some requested entity was not found', 'The model grok-9 does not exist or your team has no access.'),
      means: 'model',
    },
    'bad schema': { status: 400, body: plain(INVALID, 'Invalid request content: tools'), means: answered(400) },
    'too long': {
      status: 400,
      body: plain(INVALID, "This model's maximum prompt length is 131072 but the request contains 537812 tokens."),
      means: 'tooLong',
      window: 131_072,
    },
    'no quota': {
      status: 403,
      body: plain(DENIED, "Your newly created teams doesn't have any credits yet."),
      means: 'credit',
    },
    'rate limit': {
      status: 429,
      headers: { 'retry-after': '9' },
      body: plain('Some resource has been exhausted', 'Too many requests for the team.'),
      means: 'rate',
      again: 9000,
    },
    overloaded: {
      status: 503,
      body: plain('The service is currently unavailable', 'The model is currently overloaded.'),
      means: 'overloaded',
      again: true,
      outage: true,
    },
    page: aPage,
    'server error': {
      status: 500,
      body: plain('Internal error', 'Something went wrong.'),
      means: answered(500),
      again: true,
      outage: true,
    },
  },
}
