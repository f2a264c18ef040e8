import { expect, test } from 'vitest'
import { helpText, readTyped, unknownWords } from './command-table.ts'

test.each([
  ['/fork 12', { kind: 'command', name: 'fork', rest: '12' }],
  ['/exit', { kind: 'command', name: 'quit', rest: '' }],
  ['  /sessions two words ', { kind: 'command', name: 'sessions', rest: 'two words' }],
  ['/hlep', { kind: 'unknown', name: 'hlep', near: 'help' }],
  ['/modle x', { kind: 'unknown', name: 'modle', near: 'model' }],
  ['/PLAN', { kind: 'command', name: 'plan', rest: '' }],
  ['/plna', { kind: 'unknown', name: 'plna', near: 'plan' }],
  ['/delete', { kind: 'unknown', name: 'delete' }],
  ['/etc/hosts is what?', { kind: 'message', text: '/etc/hosts is what?' }],
  ['1/2', { kind: 'message', text: '1/2' }],
])('%s is understood', (text, typed) => expect(readTyped(text)).toEqual(typed))

/** Every word that one slip makes of another: a letter left out, doubled, changed, or swapped with the next one. */
function slips(word: string): string[] {
  return Array.from(word).flatMap((letter, at) => {
    const [start, end] = [word.slice(0, at), word.slice(at + 1)]
    return [
      start + end,
      start + letter + letter + end,
      `${start}x${end}`,
      start + end.slice(0, 1) + letter + end.slice(1),
    ]
  })
}

test.each(['new', 'clear', 'quit', 'fork', 'delete', 'exit', 'reset'])(
  'nothing that loses the conversation is suggested to who mistypes /%s',
  (command) => {
    for (const slip of slips(command)) {
      const typed = readTyped(`/${slip}`)
      if (typed.kind !== 'unknown') continue
      expect(unknownWords(typed)).not.toMatch(/mean \/(new|clear|quit|exit|fork|delete)\b/)
      expect(unknownWords(typed)).toContain('/help lists what you can type.')
    }
  },
)

test('help lists every command, and what Ctrl-C and Esc do at a question', () => {
  for (const words of ['/plan', '/clear', 'at a question it asks first', 'Esc never stops anything'])
    expect(helpText()).toContain(words)
})
