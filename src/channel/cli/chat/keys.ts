export type Key = { readonly name: 'text' | 'paste'; readonly text: string } | { readonly name: KeyName }

type KeyName = (typeof SEQUENCES)[keyof typeof SEQUENCES] | (typeof CONTROLS)[keyof typeof CONTROLS] | 'escape'

const PASTE_START = '\x1b[200~'
const PASTE_END = '\x1b[201~'

const SEQUENCES = {
  '[A': 'up',
  '[B': 'down',
  '[C': 'right',
  '[D': 'left',
  '[H': 'home',
  '[F': 'end',
  '[1~': 'home',
  '[7~': 'home',
  '[4~': 'end',
  '[8~': 'end',
  '[3~': 'delete',
  '[1;5C': 'wordRight',
  '[1;3C': 'wordRight',
  '[1;5D': 'wordLeft',
  '[1;3D': 'wordLeft',
  '[3;5~': 'deleteWordRight',
  '[13;2u': 'newline',
  '[13;3u': 'newline',
  b: 'wordLeft',
  f: 'wordRight',
  d: 'deleteWordRight',
  '\x7f': 'deleteWordLeft',
  '\r': 'newline',
  '\n': 'newline',
} as const

const CONTROLS = {
  '\r': 'enter',
  '\n': 'newline',
  '\t': 'tab',
  '\x7f': 'backspace',
  '\b': 'backspace',
  '\x01': 'home',
  '\x02': 'left',
  '\x03': 'interrupt',
  '\x04': 'endOfInput',
  '\x05': 'end',
  '\x06': 'right',
  '\x0b': 'deleteToEnd',
  '\x0c': 'redraw',
  '\x0e': 'down',
  '\x10': 'up',
  '\x15': 'deleteToStart',
  '\x17': 'deleteWordLeft',
} as const

const named = (table: Readonly<Record<string, KeyName>>, typed: string): KeyName | undefined => table[typed]

/** Turns terminal input into keys. A sequence may arrive in pieces; unknown ones are dropped. */
export function createKeyReader() {
  let rest = ''

  function next(): Key | 'wait' | 'skip' {
    if (rest.startsWith(PASTE_START)) return paste()
    if (rest.startsWith('\x1b')) return sequence()
    const control = named(CONTROLS, rest[0] ?? '')
    if (control) {
      rest = rest.slice(1)
      return { name: control }
    }
    const [text = ''] = /^[^\p{Cc}]+/u.exec(rest) ?? []
    rest = rest.slice(text.length || 1)
    return text === '' ? 'skip' : { name: 'text', text }
  }

  function paste(): Key | 'wait' {
    const end = rest.indexOf(PASTE_END)
    if (end < 0) return 'wait'
    const text = rest.slice(PASTE_START.length, end)
    rest = rest.slice(end + PASTE_END.length)
    return { name: 'paste', text: text.replaceAll(/\r\n?/g, '\n').replaceAll(/[^\P{Cc}\n\t]/gu, '') }
  }

  function sequence(): Key | 'wait' | 'skip' {
    // oxlint-disable-next-line no-control-regex
    const [whole] = /^\x1b(?:\[[0-?]*[ -/]*[@-~]|O[ -~]|[^[O])/s.exec(rest) ?? []
    if (whole === undefined) return 'wait'
    // In application mode the arrow keys send O instead of [.
    const name = named(SEQUENCES, whole.slice(1).replace(/^O/, '['))
    // Followed by Ctrl-C or another escape, it was the Esc key.
    const isAlone = !name && /^\p{Cc}{2}$/u.test(whole)
    rest = rest.slice(isAlone ? 1 : whole.length)
    if (isAlone) return { name: 'escape' }
    return name ? { name } : 'skip'
  }

  return {
    get isWaiting() {
      return rest === '\x1b'
    },
    read(chunk: string): Key[] {
      rest += chunk
      const keys: Key[] = []
      while (rest !== '') {
        const key = next()
        if (key === 'wait') break
        if (key !== 'skip') keys.push(key)
      }
      return keys
    },
    /** Nothing followed for a moment: a single escape was the Esc key. */
    settle(): Key[] {
      if (rest !== '\x1b') return []
      rest = ''
      return [{ name: 'escape' }]
    },
  }
}
