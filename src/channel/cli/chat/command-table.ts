/** What can be typed instead of a message. */
const COMMANDS = {
  help: ['', 'what you can type'],
  new: ['', 'start a new conversation'],
  sessions: ['[words]', 'list conversations, and go on with one'],
  fork: ['[#number]', 'go on from here, or from an event (#12), elsewhere'],
  clear: ['', 'let the model forget what was said; the log stays'],
  model: ['[key]', 'show the models, or use one'],
  protocol: ['[name]', 'how tools are used: unified or triggered'],
  cost: ['', 'what this conversation has used'],
  outputs: ['', 'show or hide what tools put out'],
  prompt: ['', 'show what the model is told'],
  resume: ['', 'let a paused answer go on'],
  reconcile: ['<id> yes|no', 'say whether a call did happen'],
  export: ['[file]', 'write the conversation to a file'],
  quit: ['', 'leave'],
} as const satisfies Record<string, readonly [string, string]>

export type CommandName = keyof typeof COMMANDS

const OTHER_NAMES: Readonly<Record<string, CommandName>> = { exit: 'quit', q: 'quit', '?': 'help' }

export type Typed =
  | { readonly kind: 'message'; readonly text: string }
  | { readonly kind: 'command'; readonly name: CommandName; readonly rest: string }
  | { readonly kind: 'unknown'; readonly name: string; readonly nearest: CommandName }

/** A line as it is meant: `/etc/hosts` is a message, `/hlep` a command with a mistake in it. */
export function readTyped(text: string): Typed {
  const [, name, rest = ''] = /^\/([a-z?]+)(?:\s+(.*))?$/is.exec(text.trim()) ?? []
  if (name === undefined) return { kind: 'message', text }
  const known = OTHER_NAMES[name] ?? name
  if (isCommand(known)) return { kind: 'command', name: known, rest: rest.trim() }
  const names = Object.keys(COMMANDS) as CommandName[]
  const nearest = names.reduce((best, one) => (distance(name, one) < distance(name, best) ? one : best))
  return { kind: 'unknown', name, nearest }
}

const isCommand = (name: string): name is CommandName => Object.hasOwn(COMMANDS, name)

/** How many letters are to be changed, added or left out. */
function distance(a: string, b: string): number {
  let row = [...Array(b.length + 1).keys()]
  for (const [i, letter] of a.split('').entries()) {
    const next = [i + 1]
    for (const [j, other] of b.split('').entries())
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (letter === other ? 0 : 1)))
    row = next
  }
  return row.at(-1) ?? 0
}

export function helpText(): string {
  const commands = Object.entries(COMMANDS).map(
    ([name, [args, words]]) => `  ${`/${name} ${args}`.padEnd(22)} ${words}`,
  )
  return [
    ...commands,
    '',
    '  Enter sends; Alt+Enter, Ctrl-J or a \\ at the end begins a new line. Up and down: what you said before.',
    '  Ctrl-C stops the answer, and leaves when nothing runs. What you type meanwhile is sent afterwards.',
  ].join('\n')
}
