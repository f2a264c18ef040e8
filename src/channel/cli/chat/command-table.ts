import { nearest } from '../../../contract/known-fields.ts'

const COMMANDS = {
  help: ['', 'what you can type'],
  new: ['', 'start a new conversation'],
  sessions: ['[words]', 'list conversations, and go on with one'],
  fork: ['[#number]', 'go on from here, or from an event (#12), elsewhere'],
  clear: ['', 'let the model forget what was said; the log stays'],
  compact: ['', 'have what was said summarised for the model; the log stays'],
  plan: ['', 'only plan, with tools that change nothing; again: act'],
  model: ['[key]', 'show the models, or use one'],
  protocol: ['[name]', 'how tools are used: unified or triggered'],
  effort: ['[level]', 'show or set how much the model thinks; "usual" takes it back'],
  temperature: ['[number]', 'the same for how much its words vary, from 0 to 2'],
  maxoutput: ['[tokens]', 'the same for how long an answer may be'],
  tools: ['[names]', 'the same for the tools it may use'],
  toolchoice: ['[word]', 'the same for whether it uses them, or has to'],
  schema: ['[file]', 'the same for the JSON schema an answer has to fit'],
  cost: ['', 'what this conversation has used'],
  outputs: ['', 'show or hide what tools put out'],
  prompt: ['', 'show what the model is told'],
  preferences: ['', 'show what you want of every answer'],
  memories: ['', 'show what is remembered of you'],
  resume: ['', 'let a paused answer go on'],
  continue: ['', 'go on from an answer that used up its turns or calls'],
  reconcile: ['<id> yes|no', 'say whether a call did happen'],
  export: ['[file]', 'write the conversation to a file'],
  quit: ['', 'leave'],
} as const satisfies Record<string, readonly [string, string]>

export type CommandName = keyof typeof COMMANDS

const OTHER_NAMES: Readonly<Record<string, CommandName>> = { exit: 'quit', q: 'quit', '?': 'help' }

/** Never suggested, because they leave or change the conversation. */
const LOSES: readonly string[] = ['new', 'fork', 'clear', 'compact', 'quit']
/** the most edits between a mistyped name and a suggestion */
const FARTHEST = 2

export type Typed =
  | { readonly kind: 'message'; readonly text: string }
  | { readonly kind: 'command'; readonly name: CommandName; readonly rest: string }
  | { readonly kind: 'unknown'; readonly name: string; readonly near?: string }

/** `/etc/hosts` is a message, `/hlep` a mistyped command. */
export function readTyped(text: string): Typed {
  const [, name, rest = ''] = /^\/([a-z?]+)(?:\s+(.*))?$/is.exec(text.trim()) ?? []
  if (name === undefined) return { kind: 'message', text }
  const lower = name.toLowerCase()
  const known = OTHER_NAMES[lower] ?? lower
  if (isCommand(known)) return { kind: 'command', name: known, rest: rest.trim() }
  const near = nearest(lower, Object.keys(COMMANDS), FARTHEST)
  return { kind: 'unknown', name, ...(near !== undefined && !LOSES.includes(near) && { near }) }
}

const isCommand = (name: string): name is CommandName => Object.hasOwn(COMMANDS, name)

export function unknownWords({ name, near }: Extract<Typed, { kind: 'unknown' }>): string {
  const hint = near === undefined ? 'Nothing was sent.' : `Did you mean /${near}?`
  return `There is no /${name}. ${hint} /help lists what you can type.`
}

export function helpText(): string {
  const commands = Object.entries(COMMANDS).map(
    ([name, [args, words]]) => `  ${`/${name} ${args}`.padEnd(22)} ${words}`,
  )
  return [
    ...commands,
    '',
    '  Enter sends; Alt+Enter, Ctrl-J or a \\ at the end begins a new line. Up and down: what you said before.',
    '  Ctrl-C stops the answer, and leaves when nothing runs; at a question it asks first. Esc never stops anything.',
    '  What you type while an answer comes is sent afterwards.',
  ].join('\n')
}
