import { describe, expect, test } from 'vitest'
import { databasePasswords, shownDatabase } from './cluster-settings.ts'
import { readConfig, type Settings } from './config.ts'
import { describeSettings } from './describe-settings.ts'

const PASSWORD = 'hunter2hunter2'
const DATABASE = `postgres://segno:${PASSWORD}@db.internal:5432/segno`
const SECRET = '0123456789abcdef'
const NODE = 'http://10.0.0.5:4747'
const all = { SEGNO_DATABASE_URL: DATABASE, SEGNO_CLUSTER_SECRET: SECRET, SEGNO_NODE_URL: NODE }

const faultOf = (env: Settings): string => {
  try {
    readConfig(env)
  } catch (error) {
    return (error as Error).message
  }
  return ''
}

describe('a cluster', () => {
  test('one node needs the address of the database and nothing else', () => {
    expect(readConfig({ SEGNO_DATABASE_URL: DATABASE })).toMatchObject({ databaseUrl: DATABASE })
  })

  test('several need a secret and an address each', () => {
    expect(readConfig({ ...all, SEGNO_NODE_URL: `${NODE}/` })).toMatchObject({
      databaseUrl: DATABASE,
      clusterSecret: SECRET,
      nodeUrl: NODE,
    })
  })

  test.each([
    'mysql://host/db',
    'host:5432/db',
    'postgres://',
    'postgres://host',
    'postgres://host/',
    `postgres://u:${PASSWORD}@host:99999/db`,
    `postgres://u:${PASSWORD}#@host/db`,
  ])('%s is no address of a database, and is not told', (url) => {
    const fault = faultOf({ SEGNO_DATABASE_URL: url })
    expect(fault).toContain('SEGNO_DATABASE_URL is not the address of a database, expected one such as')
    expect(fault).not.toContain(PASSWORD)
  })

  test('a socket will do', () => {
    expect(faultOf({ SEGNO_DATABASE_URL: 'postgres:///segno?host=/var/run/postgresql' })).toBe('')
  })

  test.each([
    [{ ...all, SEGNO_CLUSTER_SECRET: 'short' }, 'SEGNO_CLUSTER_SECRET is too short'],
    [{ ...all, SEGNO_NODE_URL: '10.0.0.5:4747' }, 'SEGNO_NODE_URL is not an address without a path'],
    [{ ...all, SEGNO_NODE_URL: `${NODE}/segno` }, 'SEGNO_NODE_URL is not an address without a path'],
    [{ ...all, SEGNO_NODE_URL: '' }, 'SEGNO_CLUSTER_SECRET is set without SEGNO_NODE_URL'],
    [{ ...all, SEGNO_CLUSTER_SECRET: '' }, 'SEGNO_NODE_URL is set without SEGNO_CLUSTER_SECRET'],
    [{ ...all, SEGNO_DATABASE_URL: '' }, 'which need SEGNO_DATABASE_URL'],
  ])('%o: %s', (env, why) => {
    expect(faultOf(env)).toContain(why)
    expect(faultOf(env)).not.toContain(SECRET)
  })

  test('neither the password nor the secret is shown among the settings', () => {
    const shown = describeSettings(readConfig(all), { environment: all })
    expect(JSON.stringify(shown)).not.toContain(PASSWORD)
    expect(JSON.stringify(shown)).not.toContain(SECRET)
    expect(shown.find(({ name }) => name === 'SEGNO_DATABASE_URL')?.value).toBe('postgres://db.internal:5432/segno')
  })

  test('a password in the query of an address is not shown either', () => {
    expect(shownDatabase(`postgres://host/segno?user=me&password=${PASSWORD}`)).toBe('postgres://host/segno')
  })
})

test('the password is found wherever it stands, as written and as meant', () => {
  expect(databasePasswords('postgres://u:p%40ss@host/db')).toEqual(['p%40ss', 'p@ss'])
  expect(databasePasswords('postgres://host/db?password=secret')).toEqual(['secret'])
  expect(databasePasswords('postgres://u@host/db')).toEqual([])
  expect(databasePasswords(undefined)).toEqual([])
})
