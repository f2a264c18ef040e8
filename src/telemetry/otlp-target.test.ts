import { expect, test } from 'vitest'
import { Problem } from '../contract/problem.ts'
import { parseHeaders, tracesUrl } from './otlp-target.ts'

test('puts the path for traces behind the endpoint', () => {
  expect(tracesUrl('http://localhost:4318')).toBe('http://localhost:4318/v1/traces')
  expect(tracesUrl('http://localhost:4318/')).toBe('http://localhost:4318/v1/traces')
  expect(tracesUrl('https://otel.example/tenant/a/')).toBe('https://otel.example/tenant/a/v1/traces')
})

test('refuses an endpoint that cannot be one, without repeating a password in it', () => {
  for (const endpoint of ['localhost:4318', 'ftp://x', 'nonsense', 'http://ada:hunter2@localhost:4318']) {
    const error = caught(() => tracesUrl(endpoint))
    expect(error).toBeInstanceOf(Problem)
    expect(error).toMatchObject({ code: 'CONFIG_ERROR', field: 'OTEL_EXPORTER_OTLP_ENDPOINT' })
    expect(String(error)).not.toContain('hunter2')
  }
})

test('reads headers as the environment variable has them', () => {
  expect(parseHeaders('')).toEqual({})
  expect(parseHeaders('Authorization=Basic%20YTpi, x-tenant = a=b ,')).toEqual({
    authorization: 'Basic YTpi',
    'x-tenant': 'a=b',
  })
  expect(parseHeaders('authorization=Bearer 100%')).toEqual({ authorization: 'Bearer 100%' })
})

test('names the place of a header that cannot be one, not the secret in it', () => {
  for (const text of ['ok=1,hunter2', 'ok=1,=hunter2', 'ok=1,a b=hunter2', 'ok=1,a=hunter2%0d%0ax: y']) {
    const error = caught(() => parseHeaders(text))
    expect(error).toMatchObject({ code: 'CONFIG_ERROR', field: 'OTEL_EXPORTER_OTLP_HEADERS' })
    expect(String(error)).toContain('entry 2')
    expect(String(error)).not.toContain('hunter2')
  }
})

function caught(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return error
  }
}
