import { Hono } from 'hono'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { Problem, type ProblemCode } from '../../contract/problem.ts'
import { verifies } from '../../../tests/support/verifies.ts'
import { onError, STATUS } from './problems.ts'
import { problemSchema } from './schemas.ts'

const CODES = Object.keys(STATUS) as ProblemCode[]

async function answerTo(error: unknown): Promise<{ response: Response; document: Record<string, unknown> }> {
  const app = new Hono<{ Variables: { httpRequestId: string } }>()
  app.use(async (c, next) => {
    c.set('httpRequestId', 'id-1')
    await next()
  })
  app.get('/', () => {
    throw error
  })
  app.onError(onError)
  const response = await app.request('/')
  return { response, document: (await response.json()) as Record<string, unknown> }
}

describe('the table of codes', () => {
  verifies('GOV-31', 'has every code there is, and no other', () => {
    const source = readFileSync(new URL('../../contract/problem.ts', import.meta.url), 'utf8')
    const [, union = ''] = source.split('export type ProblemCode')
    const declared = [...union.matchAll(/'([A-Z_]+)'/g)].map(([, code]) => code)
    expect(new Set(declared)).toEqual(new Set(CODES))
    expect(declared.length).toBeGreaterThan(20)
  })

  verifies('GOV-31', 'has the codes a client is promised, each with the status it stands for', () => {
    expect(STATUS).toMatchObject({
      TIMEOUT: 504,
      TOOL_LIMIT: 429,
      TOKEN_LIMIT: 429,
      COST_LIMIT: 429,
      MODEL_ERROR: 502,
      TOOL_ERROR: 502,
      WORKFLOW_ERROR: 502,
      CONTEXT_ERROR: 500,
      PERMISSION_DENIED: 403,
      RATE_LIMITED: 429,
      VALIDATION_ERROR: 400,
      NOT_FOUND: 404,
      CONFLICT: 409,
      TOO_LARGE: 413,
      NOT_JSON: 415,
      IDEMPOTENCY_MISMATCH: 422,
    })
  })
})

describe('a problem', () => {
  test.each(CODES)('%s is a document of the form that is promised', async (code) => {
    const { response, document } = await answerTo(new Problem(code, 'What went wrong.', { field: 'content' }))
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(problemSchema.strict().parse(document)).toMatchObject({ status: STATUS[code], code, requestId: 'id-1' })
    expect(response.status).toBe(STATUS[code])
    expect(String(document['title'])).not.toBe('Error')
  })

  test.each(['CONFIG_ERROR', 'STORE_BUSY', 'STORE_CORRUPT', 'STORE_TOO_NEW', 'STORE_UNAVAILABLE'] as const)(
    '%s keeps to itself where the database is',
    async (code) => {
      const { document } = await answerTo(new Problem(code, 'Cannot open /home/ada/.segno/segno.db.'))
      expect(JSON.stringify(document)).not.toContain('/home/ada')
    },
  )

  test.each([new Error('secret /home/ada at line 7'), new TypeError('x is undefined')])(
    'that is a mistake of ours says no more than that it is one',
    async (error) => {
      const { response, document } = await answerTo(error)
      expect([response.status, document['code']]).toEqual([500, 'INTERNAL_ERROR'])
      expect(JSON.stringify(document)).not.toMatch(/secret|home|undefined/)
    },
  )

  test('says when to come back', async () => {
    const after = async (code: ProblemCode, retryAfterMs?: number): Promise<string | null> => {
      const problem = new Problem(code, 'Later.', retryAfterMs === undefined ? {} : { retryAfterMs })
      return (await answerTo(problem)).response.headers.get('retry-after')
    }
    expect(await after('RATE_LIMITED', 2500)).toBe('3')
    expect(await after('RATE_LIMITED', 1)).toBe('1')
    expect(await after('STORE_UNAVAILABLE')).toBe('5')
    expect(await after('NOT_FOUND')).toBeNull()
  })
})
