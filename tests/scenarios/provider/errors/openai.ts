import { answered, aPage, type Family } from './error-case.ts'

const error = (message: string, type: string, code: string | null = null, param: string | null = null): object => ({
  error: { message, type, param, code },
})

const cases: Family['cases'] = {
  'bad key': {
    status: 401,
    body: error('Incorrect API key provided: sk-abcd****wxyz.', 'invalid_request_error', 'invalid_api_key'),
    means: 'key',
  },
  'no access': {
    status: 403,
    body: error(
      'Country, region, or territory not supported',
      'request_forbidden',
      'unsupported_country_region_territory',
    ),
    means: 'access',
  },
  'no access to the model': {
    status: 403,
    body: error('Project `proj_a` does not have access to model `gpt-9`', 'invalid_request_error', 'model_not_found'),
    means: 'model',
  },
  'unknown model': {
    status: 404,
    body: error(
      'The model `gpt-9` does not exist or you do not have access to it.',
      'invalid_request_error',
      'model_not_found',
    ),
    means: 'model',
  },
  'bad schema': {
    status: 400,
    body: error(
      "Invalid schema for function 'look': schema must be a JSON Schema of 'type: \"object\"'.",
      'invalid_request_error',
      'invalid_function_parameters',
      'tools[0].function.parameters',
    ),
    means: answered(400, 'invalid_function_parameters'),
  },
  'too long': {
    status: 400,
    body: error(
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
      'invalid_request_error',
      'context_length_exceeded',
      'messages',
    ),
    means: 'tooLong',
    window: 8192,
  },
  'no quota': {
    status: 429,
    body: error(
      'You exceeded your current quota, please check your plan and billing details.',
      'insufficient_quota',
      'insufficient_quota',
    ),
    means: 'credit',
  },
  'rate limit': {
    status: 429,
    headers: { 'retry-after-ms': '6500', 'retry-after': '7' },
    body: error('Rate limit reached for gpt-4.1: please try again in 6.5s.', 'tokens', 'rate_limit_exceeded'),
    means: 'rate',
    again: 6500,
  },
  overloaded: {
    status: 503,
    body: error('The engine is currently overloaded, please try again later.', 'server_error'),
    means: 'overloaded',
    again: true,
    outage: true,
  },
  page: aPage,
  'server error': {
    status: 500,
    body: error('The server had an error while processing your request.', 'server_error'),
    means: answered(500, 'server_error'),
    again: true,
    outage: true,
  },
  'no temperature': {
    status: 400,
    body: error(
      "Unsupported value: 'temperature' does not support 0.7 with this model. Only the default (1) value is supported.",
      'invalid_request_error',
      'unsupported_value',
      'temperature',
    ),
    means: 'temperature',
  },
  'no such parameter': {
    status: 400,
    body: error(
      "Unsupported parameter: 'temperature' is not supported with this model.",
      'invalid_request_error',
      'unsupported_parameter',
      'temperature',
    ),
    means: 'temperature',
  },
  'no pictures': {
    status: 400,
    body: error('Invalid content type. image_url is only supported by certain models.', 'invalid_request_error'),
    means: 'noFiles',
  },
  filter: {
    status: 400,
    body: error(
      'Invalid prompt: your prompt was flagged as potentially violating our usage policy.',
      'invalid_request_error',
      'invalid_prompt',
    ),
    means: 'filter',
  },
  'filter of Azure': {
    status: 400,
    body: error(
      'The response was filtered due to the prompt triggering Azure OpenAI’s content management policy.',
      'invalid_request_error',
      'content_filter',
    ),
    means: 'filter',
  },
}

export const openai: Family = {
  wire: 'openai',
  cases: {
    ...cases,
    'too long': {
      status: 400,
      body: error(
        'Your input exceeds the context window of this model. Please adjust your input and try again.',
        'invalid_request_error',
        'context_length_exceeded',
        'input',
      ),
      means: 'tooLong',
    },
    'old thoughts': {
      status: 400,
      body: error(
        'The encrypted content for item rs_1 could not be verified.',
        'invalid_request_error',
        'invalid_encrypted_content',
      ),
      means: 'thoughts',
    },
  },
}
export const openaiChat: Family = { wire: 'openai-chat', cases }

export const deepseek: Family = {
  wire: 'deepseek',
  cases: {
    'bad key': {
      status: 401,
      body: error(
        'Authentication Fails, Your api key: ****abcd is invalid',
        'authentication_error',
        'invalid_request_error',
      ),
      means: 'key',
    },
    'no access': { status: 403, body: error('Forbidden', 'invalid_request_error'), means: 'access' },
    'unknown model': {
      status: 400,
      body: error('Model Not Exist', 'invalid_request_error', 'invalid_request_error'),
      means: 'model',
    },
    'bad schema': {
      status: 422,
      body: error(
        'Failed to deserialize the JSON body into the target type',
        'invalid_request_error',
        'invalid_request_error',
      ),
      means: answered(422, 'invalid_request_error'),
    },
    'too long': {
      status: 400,
      body: error(
        "This model's maximum context length is 131072 tokens. However, you requested 140000 tokens.",
        'invalid_request_error',
        'invalid_request_error',
      ),
      means: 'tooLong',
      window: 131_072,
    },
    'no quota': {
      status: 402,
      body: error('Insufficient Balance', 'unknown_error', 'invalid_request_error'),
      means: 'credit',
    },
    'rate limit': {
      status: 429,
      headers: { 'retry-after': '3' },
      body: error('Rate Limit Reached', 'rate_limit_error', 'rate_limit_reached_error'),
      means: 'rate',
      again: 3000,
    },
    overloaded: {
      status: 503,
      body: error('Server overloaded: the server is overloaded due to high traffic.', 'service_unavailable_error'),
      means: 'overloaded',
      again: true,
      outage: true,
    },
    page: aPage,
    'server error': {
      status: 500,
      body: error('Internal error', 'server_error'),
      means: answered(500, 'server_error'),
      again: true,
      outage: true,
    },
  },
}
