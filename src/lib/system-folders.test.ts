import { expect, test } from 'vitest'
import { belongsToSystem, isSystemFolder } from './system-folders.ts'

test.each([
  '/',
  '/etc',
  '/etc/ssh',
  '/usr',
  '/usr/lib/node',
  '/proc/self',
  '/home',
  '/tmp',
  '/var/lib',
  '/root',
  '/var/log/x',
])('%s belongs to the system', (path) => expect(belongsToSystem(path)).toBe(true))

test.each([
  '/home/ada',
  '/root/work',
  '/tmp/x',
  '/srv/acme',
  '/usr/src/app',
  '/etcetera',
  '/var/lib/segno',
  '/opt/app',
])('%s may be a workspace', (path) => expect(belongsToSystem(path)).toBe(false))

test('what is shared by many is not the system itself: a root for workspaces may be there', () => {
  expect(['/', '/home', '/srv', '/usr/src'].filter(isSystemFolder)).toEqual([])
  expect(['/etc', '/usr/bin', '/dev/shm'].filter(isSystemFolder)).toHaveLength(3)
})
