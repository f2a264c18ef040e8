import { expect, test } from 'vitest'
import { createLog, type LogLevel } from './log.ts'

function logInto(level: LogLevel) {
  const written: string[] = []
  const log = createLog({ level, write: (line) => written.push(line), clock: { now: () => 0 } })
  return { log, written }
}

test('writes one JSON line with the time, the level, a sentence and the fields', () => {
  const { log, written } = logInto('info')
  log.info('request', { requestId: 'r-1', method: 'GET', route: '/api/sessions/:id', status: 200, durationMs: 1.5 })
  expect(written).toHaveLength(1)
  expect(written[0]?.endsWith('\n')).toBe(true)
  expect(JSON.parse(written[0] ?? '')).toEqual({
    time: '1970-01-01T00:00:00.000Z',
    level: 'info',
    event: 'request',
    message: 'A request was answered.',
    requestId: 'r-1',
    method: 'GET',
    route: '/api/sessions/:id',
    status: 200,
    durationMs: 1.5,
  })
})

test('says only what is at least as grave as its level', () => {
  const said = (['debug', 'info', 'warn', 'error', 'off'] as const).map((level) => {
    const { log, written } = logInto(level)
    log.debug('request')
    log.info('request')
    log.warn('request')
    log.error('request')
    return written.length
  })
  expect(said).toEqual([4, 3, 2, 1, 0])
})

test('drops fields and sentences that are not on the list, also from code without types', () => {
  const { log, written } = logInto('info')
  log.info('request', { content: 'secret words', __proto__: { args: 'secret words' }, status: 200 } as never)
  log.info('secret words' as never)
  log.info('toString' as never)
  expect(written.join('')).not.toContain('secret words')
  expect(written.map((line) => JSON.parse(line) as object)).toMatchObject([{ event: 'request', status: 200 }])
})

test('shows no value that is not of the form of its field', () => {
  const { log, written } = logInto('info')
  log.info('rejected', {
    requestId: 'secret words',
    code: `x${'a'.repeat(1000)}`,
    route: '/api?key=secret',
    status: 'secret' as never,
    count: NaN,
    actorId: { toString: () => 'secret' } as never,
  })
  expect(written[0]).not.toMatch(/secret|aaaa/)
  expect(JSON.parse(written[0] ?? '')).toMatchObject({ requestId: '[not shown]', status: '[not shown]' })
})

test('cannot be made to begin a line of its own', () => {
  const { log, written } = logInto('info')
  const breaks = ['\n', '\r', '\u2028', '\u2029', '\u0085', '\v', '\f', '\u0000', '\u001b[2K']
  for (const end of breaks) log.info('request', { requestId: `r${end}{"level":"error"}`, code: `A${end}B` })
  expect(written).toHaveLength(breaks.length)
  for (const line of written) expect(line).toMatch(/^[\x20-\x7e]+\n$/)
})

test('goes on when it cannot be written', () => {
  const log = createLog({
    level: 'info',
    write: () => {
      throw new Error('EPIPE')
    },
  })
  expect(() => log.info('ready')).not.toThrow()
})
