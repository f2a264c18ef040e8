import { cleanInstructions } from './clean-instructions.ts'

/** Words that stand beside secrets; whoever uses one is asked to say it without. */
const NAMED =
  /(?<!\p{L})(?:pass(?:word|wort|phrase|code|wd)|kennwort|pwd|secret|credential|(?:api|access|private)[\s-]{0,3}key|(?:access|auth|bearer|api)?[\s-]{0,3}token)(?:s|es|e)?(?!\p{L})/iu
/** Where one word ends and the next one begins in names such as `DB_PASSWORD` and `clientSecret`. */
const JOINTS = /_|(?<=\p{Ll})(?=\p{Lu})/gu
const LONG_RUN = /[A-Za-z0-9]{32}/

/** One line of what can be seen. */
export const cleanMemory = (text: string): string => cleanInstructions(text.toWellFormed()).replaceAll(/\s+/g, ' ')

/** Why a cleaned text cannot be remembered; `redact` takes out what is known for a secret. */
export function memoryFault(text: string, most: number, redact: (text: string) => string): string | undefined {
  if (text === '') return 'has nothing that anybody could see'
  if (text.length > most) return `may have ${most} characters; it has ${text.length}`
  // Letters that look alike must not hide a word.
  const plain = text.normalize('NFKC')
  const isSecret = NAMED.test(plain.replace(JOINTS, ' ')) || LONG_RUN.test(plain) || redact(text) !== text
  return isSecret ? 'looks like a password, a key or another secret, and those are not remembered' : undefined
}

/** Numbers with their sign and their fraction, words, and signs that mean something, such as those of currencies. */
const WORDS = /[-−]?\d+(?:[.,:/]\d+)*|[\p{L}\p{M}\p{N}]+|[\p{S}#%]+/gu

/** The same for texts that differ only in case, blanks and punctuation. */
export function sameWords(text: string): string {
  const plain = text.normalize('NFKC').toLowerCase().replaceAll('`', ' ')
  const words = [...plain.matchAll(WORDS)].map(({ 0: word, index }) =>
    // A dash behind a letter or a digit joins words, and is no sign.
    /^[-−]/.test(word) && LETTER.test(plain.slice(Math.max(0, index - 2), index)) ? word.slice(1) : word,
  )
  return words.length > 0 ? words.join(' ') : plain.trim()
}

const LETTER = /[\p{L}\p{M}\p{N}]$/u
