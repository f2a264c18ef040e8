import { answered, aPage, type Family } from './error-case.ts'

const error = (message: string): object => ({ error: message })

export const ollama: Family = {
  wire: 'ollama',
  cases: {
    'bad key': { status: 401, body: error('unauthorized'), means: 'key' },
    'no access': { status: 403, body: error('forbidden'), means: 'access' },
    'unknown model': { status: 404, body: error("model 'llama9' not found"), means: 'model' },
    'bad schema': { status: 400, body: error('invalid tool schema'), means: answered(400) },
    'too long': {
      status: 400,
      body: error('prompt too long; exceeded max context length by 12 tokens'),
      means: 'tooLong',
    },
    'no quota': { status: 403, body: error('this model requires a subscription, upgrade for access'), means: 'credit' },
    'rate limit': {
      status: 429,
      headers: { 'retry-after': '5' },
      body: error('too many concurrent requests'),
      means: 'rate',
      again: 5000,
    },
    overloaded: {
      status: 503,
      body: error('server busy, please try again. maximum pending requests exceeded'),
      means: 'overloaded',
      again: true,
      outage: true,
    },
    page: aPage,
    'server error': {
      status: 500,
      body: error('llama runner process has terminated'),
      means: answered(500),
      again: true,
      outage: true,
    },
    'no tools': {
      status: 400,
      body: error('registry.ollama.ai/library/gemma:2b does not support tools'),
      means: 'noTools',
    },
  },
}
