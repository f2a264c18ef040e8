import { DatabaseError } from 'pg'
import { describe, expect, test } from 'vitest'
import type { Problem } from '../../contract/problem.ts'
import { asProblem, isInDoubt, isRetryable } from './postgres-problem.ts'

function ofServer(code: string, severity = 'ERROR'): DatabaseError {
  const error = new DatabaseError('the words of the server, with secret content', 10, 'error')
  return Object.assign(error, { code, severity, detail: 'Key (alias)=(secret) already exists.' })
}

const ofSystem = (code: string): Error => Object.assign(new Error(`${code} 10.0.0.1:5432 secret`), { code })

describe('what the database cannot do now', () => {
  test.each([
    ['nobody listens', ofSystem('ECONNREFUSED'), 'Start it'],
    ['nobody listens on any address', new AggregateError([ofSystem('ECONNREFUSED')]), 'Start it'],
    ['the connection was reset', ofSystem('ECONNRESET'), 'connection'],
    ['there is no such host', ofSystem('ENOTFOUND'), 'host'],
    ['it ended the connection', ofServer('57P01', 'FATAL'), 'stopping'],
    ['it is starting', ofServer('57P03', 'FATAL'), 'starting'],
    ['it has too many connections', ofServer('53300', 'FATAL'), 'max_connections'],
    ['its disk is full', ofServer('53100'), 'disk is full'],
    ['it is read-only', ofServer('25006'), 'read-only'],
    ['a statement took too long', ofServer('57014'), 'too long'],
    ['the password is wrong', ofServer('28P01', 'FATAL'), 'password'],
    ['there is no such database', ofServer('3D000', 'FATAL'), 'no such database'],
    ['the driver lost it', new Error('Connection terminated unexpectedly'), 'broke'],
    ['it does not answer', new Error('Query read timeout'), 'in time'],
    ['it speaks no TLS', new Error('The server does not support SSL connections'), 'sslmode'],
    ['nobody trusted signed its certificate', ofSystem('SELF_SIGNED_CERT_IN_CHAIN'), 'sslrootcert'],
    ['it lets nobody in', new Error('timeout exceeded when trying to connect'), 'in time'],
  ])('is STORE_UNAVAILABLE and says why, in our words: %s', (_, error, words) => {
    const problem = asProblem(error) as Problem
    expect(problem).toMatchObject({ code: 'STORE_UNAVAILABLE', message: expect.stringContaining(words) as string })
    expect(problem.message).not.toContain('secret')
  })

  test('is not what a bug of ours is', () => {
    for (const error of [ofServer('42P01'), ofServer('22P02'), new TypeError('x'), ofServer('XX000')])
      expect(asProblem(error)).toBe(error)
  })

  test('is not what is there already, nor a store that is closed', () => {
    expect(asProblem(ofServer('23505'))).toMatchObject({ code: 'CONFLICT' })
    expect(asProblem(new Error('Cannot use a pool after calling end on the pool'))).toMatchObject({
      code: 'SHUTTING_DOWN',
    })
  })
})

test('what may have been stored all the same is in doubt, and nothing else', () => {
  const doubtful = [
    ofServer('57P01', 'FATAL'),
    ofServer('08006'),
    ofSystem('ECONNRESET'),
    new Error('Query read timeout'),
  ]
  expect(doubtful.map(isInDoubt)).toEqual([true, true, true, true])
  const sure = [ofServer('23505'), ofServer('57014'), ofServer('53100'), ofServer('40001'), new TypeError('x')]
  expect(sure.map(isInDoubt)).toEqual([false, false, false, false, false])
})

test('what failed because of others may be tried again', () => {
  expect([ofServer('40001'), ofServer('40P01'), ofServer('23505'), ofSystem('ECONNRESET')].map(isRetryable)).toEqual([
    true,
    true,
    false,
    false,
  ])
})
