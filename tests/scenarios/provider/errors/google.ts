import { answered, aPage, type Family } from './error-case.ts'

const error = (code: number, status: string, message: string, ...details: readonly object[]): object => ({
  error: { code, message, status, ...(details.length > 0 && { details }) },
})
const type = (name: string): { readonly '@type': string } => ({ '@type': `type.googleapis.com/google.rpc.${name}` })
const quota = (quotaId: string): object => ({
  ...type('QuotaFailure'),
  violations: [{ quotaMetric: 'requests', quotaId }],
})
const QUOTA = 'You exceeded your current quota, please check your plan and billing details.'

export const google: Family = {
  wire: 'google',
  cases: {
    'bad key': {
      status: 400,
      body: error(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', {
        ...type('ErrorInfo'),
        reason: 'API_KEY_INVALID',
        domain: 'googleapis.com',
      }),
      means: 'key',
    },
    'no access': {
      status: 403,
      body: error(403, 'PERMISSION_DENIED', 'The caller does not have permission'),
      means: 'access',
    },
    'wrong country': {
      status: 400,
      body: error(400, 'FAILED_PRECONDITION', 'User location is not supported for the API use.'),
      means: 'access',
    },
    'unknown model': {
      status: 404,
      body: error(404, 'NOT_FOUND', 'models/gemini-9 is not found for API version v1beta, or is not supported.'),
      means: 'model',
    },
    'bad schema': {
      status: 400,
      body: error(400, 'INVALID_ARGUMENT', 'GenerateContentRequest.tools[0]: schema requires field type.'),
      means: answered(400, 'invalid_argument'),
    },
    'too long': {
      status: 400,
      body: error(
        400,
        'INVALID_ARGUMENT',
        'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).',
      ),
      means: 'tooLong',
      window: 1_048_575,
    },
    'no quota': {
      status: 429,
      body: error(429, 'RESOURCE_EXHAUSTED', QUOTA, quota('GenerateRequestsPerDayPerProjectPerModel-FreeTier'), {
        ...type('RetryInfo'),
        retryDelay: '34s',
      }),
      means: 'credit',
    },
    'rate limit': {
      status: 429,
      body: error(429, 'RESOURCE_EXHAUSTED', QUOTA, quota('GenerateRequestsPerMinutePerProjectPerModel-FreeTier'), {
        ...type('RetryInfo'),
        retryDelay: '34.074824224s',
      }),
      means: 'rate',
      again: 34_075,
    },
    'rate limit with a header': {
      status: 429,
      headers: { 'retry-after': '2' },
      body: error(429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted.'),
      means: 'rate',
      again: 2000,
    },
    overloaded: {
      status: 503,
      body: error(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.'),
      means: 'overloaded',
      again: true,
      outage: true,
    },
    page: aPage,
    'server error': {
      status: 500,
      body: error(500, 'INTERNAL', 'An internal error has occurred.'),
      means: answered(500, 'internal'),
      again: true,
      outage: true,
    },
    'no tools': {
      status: 400,
      body: error(400, 'INVALID_ARGUMENT', 'Function calling is not enabled for models/gemma-3-1b-it'),
      means: 'noTools',
    },
    'old thoughts': {
      status: 400,
      body: error(400, 'INVALID_ARGUMENT', 'Thought signature is not valid'),
      means: 'thoughts',
    },
  },
}
