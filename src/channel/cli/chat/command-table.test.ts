import { expect, test } from 'vitest'
import { readTyped } from './command-table.ts'

test.each([
  ['/fork 12', { kind: 'command', name: 'fork', rest: '12' }],
  ['/exit', { kind: 'command', name: 'quit', rest: '' }],
  ['  /sessions two words ', { kind: 'command', name: 'sessions', rest: 'two words' }],
  ['/hlep', { kind: 'unknown', name: 'hlep', nearest: 'help' }],
  ['/modle x', { kind: 'unknown', name: 'modle', nearest: 'model' }],
  ['/etc/hosts is what?', { kind: 'message', text: '/etc/hosts is what?' }],
  ['1/2', { kind: 'message', text: '1/2' }],
])('%s is understood', (text, typed) => expect(readTyped(text)).toEqual(typed))
