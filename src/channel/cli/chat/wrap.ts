import { columnsOf, graphemes, isWide } from './columns.ts'

interface Piece {
  readonly text: string
  readonly draw: (text: string) => string
}

const asIs = (text: string): string => text

/** Breaks lines between words, and never changes what it has written. Only a word longer than a line is split. */
export function createWrapper(width: () => number, write: (text: string) => void) {
  let column = 0
  let others = ''
  let drawOthers = asIs
  let space = 0
  let word: Piece[] = []
  let wordColumns = 0
  let isAtStart = true

  function breakLine(): void {
    write(`\n${drawOthers(others)}`)
    column = columnsOf(others)
    isAtStart = true
    space = 0
  }

  function put({ text, draw }: Piece): void {
    write(draw(text))
    column += columnsOf(text)
    isAtStart = false
  }

  /** Splits a word that is longer than a line. */
  function putBroken({ text, draw }: Piece): void {
    let part = ''
    let columns = 0
    for (const one of graphemes(text)) {
      const more = columnsOf(one)
      if (column + columns + more > width() && column + columns > columnsOf(others)) {
        put({ text: part, draw })
        breakLine()
        part = ''
        columns = 0
      }
      part += one
      columns += more
    }
    put({ text: part, draw })
  }

  /** Writes the word that was held back. */
  function flush(): void {
    if (word.length === 0) return
    const fits = column + space + wordColumns <= width()
    if (!fits && !isAtStart) breakLine()
    if (space > 0) write(' '.repeat(space))
    column += space
    space = 0
    const isTooLong = column + wordColumns > width()
    for (const piece of word) (isTooLong ? putBroken : put)(piece)
    word = []
    wordColumns = 0
  }

  function addToWord(text: string, draw: (text: string) => string): void {
    word.push({ text, draw })
    wordColumns += columnsOf(text)
  }

  return {
    /** Adds text without line breaks. The last word is held back until it is complete. */
    add(text: string, draw = asIs): void {
      for (const [token] of text.matchAll(/ +|[^ ]+/g)) {
        if (token.startsWith(' ')) {
          flush()
          space += token.length
        } else addWord(token, draw)
      }
    },
    flush,
    newLine(): void {
      flush()
      write('\n')
      column = 0
      others = ''
      space = 0
      isAtStart = true
    },
    /** Starts a line with a prefix, and another one for the lines it is wrapped into. */
    begin(first: string, rest: string, draw = asIs): void {
      write(draw(first))
      column = columnsOf(first)
      others = rest
      drawOthers = draw
      isAtStart = true
    },
  }

  /** Scripts without spaces may break after any character. */
  function addWord(token: string, draw: (text: string) => string): void {
    if (/^[ -~]*$/.test(token)) return addToWord(token, draw)
    let run = ''
    for (const one of graphemes(token)) {
      if (!isWide(one)) {
        run += one
        continue
      }
      if (run !== '') addToWord(run, draw)
      run = ''
      flush()
      addToWord(one, draw)
    }
    if (run !== '') addToWord(run, draw)
  }
}

export function wrapped(
  text: string,
  width: () => number,
  first = '',
  others = '',
  draw: (text: string) => string = asIs,
): string {
  let out = ''
  const wrapper = createWrapper(width, (part) => (out += part))
  wrapper.begin(first, others, draw)
  wrapper.add(text, draw)
  wrapper.flush()
  return out
}
