import { parseArgs } from './parse-args.ts'

/** `open` may still become a JSON object, `whole` is one, and `broken` will never be one. */
type State = 'open' | 'whole' | 'broken'

const SPACE = /\s/

/** Reads arguments as they come and parses them once, at the bracket that closes them. */
export function followArgs() {
  let raw = ''
  let state: State = 'open'
  let depth = 0
  let isText = false
  let isEscaped = false

  /** One character inside the object; true if it is the bracket that closes it. */
  function closes(char: string): boolean {
    if (isEscaped) isEscaped = false
    else if (char === '"') isText = !isText
    else if (isText) isEscaped = char === '\\'
    else if (char === '{' || char === '[') depth += 1
    else if (char === '}' || char === ']') depth -= 1
    return depth === 0
  }

  return {
    push(delta: string): void {
      for (let at = 0; at < delta.length && state !== 'broken'; at++) {
        const char = delta.charAt(at)
        if (depth === 0) {
          if (SPACE.test(char)) continue
          if (char === '{' && state === 'open') depth = 1
          else state = 'broken'
        } else if (closes(char)) {
          state = parseArgs(raw + delta.slice(0, at + 1)) ? 'whole' : 'broken'
        }
      }
      raw += delta
    },
    get raw(): string {
      return raw
    },
    get state(): State {
      return state
    },
  }
}
