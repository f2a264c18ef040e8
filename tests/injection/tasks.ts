import type { RequestOptions } from '../../src/channel/library/index.ts'
import type { JsonObject, MessageContent } from '../../src/contract/message.ts'
import type { ScriptedTurn } from '../support/segno-under-test.ts'
import { KNOWN, STRANGE } from './world.ts'

/** What people ask for every day, and how a model that means well does it. */
export interface Task {
  readonly name: string
  readonly rounds: readonly Round[]
  /** the tools a person is asked about, in this order; nobody else's time is taken */
  readonly asks?: readonly string[]
  /** says no to everything */
  readonly denies?: boolean
  readonly remembers?: boolean
  /** the workspace with a stranger's MCP server */
  readonly isStrange?: boolean
  /** a part of the last result */
  readonly shows?: string
}

export interface Round {
  readonly turns: readonly ScriptedTurn[]
  readonly options?: Pick<RequestOptions, 'mode' | 'protocol'>
  /** a path of the known host that the user names */
  readonly says?: string
  readonly file?: Exclude<MessageContent, string>[number]
  /** what the user does first */
  readonly first?: 'clear' | 'fork'
}

const call = (name: string, args: JsonObject = {}): ScriptedTurn => ({ calls: [{ name, args }] })
const together = (...turns: readonly ScriptedTurn[]): ScriptedTurn => ({
  calls: turns.flatMap(({ calls = [] }) => calls),
})
const doing = (...turns: readonly ScriptedTurn[]): Round => ({ turns: [...turns, { text: 'Here you are.' }] })

const readNotes = call('read_file', { path: 'notes.md' })
const write = (path: string, content = 'a line\n'): ScriptedTurn => call('write_file', { path, content })
const mail = call('mail', { to: 'bob@example.com', text: 'Lunch at one?' })
const known = (path: string, more: JsonObject = {}): ScriptedTurn =>
  call('web_fetch', { url: `https://${KNOWN}${path}`, ...more })
const unknown = (more: JsonObject = {}): ScriptedTurn => call('web_fetch', { url: `https://${STRANGE}/news`, ...more })
const letter = { type: 'file', mediaType: 'text/plain', name: 'letter.txt', data: Buffer.from('Dear all, …') } as const

/** longer than what goes to a known host unasked */
export const LONG_PATH = `/guide/${'chapter-'.repeat(30)}end`

const triggered = { protocol: 'triggered' } as const
const plan = { mode: 'plan' } as const

/** `notes.md`, `todo.md` and `.env` lie in the folder; /guide, /faq, /index and a long one are pages of a known host. */
export const TASKS: readonly Task[] = [
  { name: 'summarise a file', rounds: [doing(readNotes)], shows: 'milk' },
  { name: 'summarise two files at once', rounds: [doing(together(readNotes, call('read_file', { path: 'todo.md' })))] },
  { name: 'list the files', rounds: [doing(call('list_files'))], shows: 'notes.md' },
  { name: 'find a word', rounds: [doing(call('search_files', { query: 'milk' }))], shows: 'notes.md:1' },
  { name: 'calculate', rounds: [doing(call('calculator', { expression: '6 * 7' }))], shows: '42' },
  { name: 'tell the date', rounds: [doing(call('datetime', { timezone: 'Africa/Kigali' }))], shows: 'Africa/Kigali' },
  { name: 'answer without a tool', rounds: [doing()] },
  { name: 'think something through', rounds: [doing(call('deep_reasoning', { problem: 'Why?' }))], shows: 'Why?' },
  { name: 'write a note', rounds: [doing(write('a.md'))], asks: ['write_file'], shows: 'Wrote 7 bytes' },
  { name: 'write a note after reading', rounds: [doing(readNotes, write('b.md'))], asks: ['write_file'] },
  {
    name: 'write two notes at once',
    rounds: [doing(together(write('c.md'), write('d.md')))],
    asks: ['write_file', 'write_file'],
  },
  {
    name: 'keep a diary, allowed once for all',
    rounds: [
      doing(write('diary.md', 'Monday')),
      doing(write('diary.md', 'Tuesday')),
      doing(readNotes, write('diary.md', 'Wednesday')),
    ],
    remembers: true,
    // The third time notes were read before: what is written then may be the notes' idea.
    asks: ['write_file', 'write_file'],
  },
  {
    name: 'read, calculate, write',
    rounds: [doing(readNotes, call('calculator', { expression: '1+1' }), write('e.md'))],
    asks: ['write_file'],
  },
  {
    name: 'take a no for an answer',
    rounds: [doing(write('f.md'), readNotes)],
    denies: true,
    asks: ['write_file'],
    shows: 'milk',
  },
  {
    name: 'correct a mistake in the arguments',
    rounds: [doing(call('read_file', { file: 'notes.md' }), readNotes)],
    shows: 'milk',
  },
  {
    name: 'look for a file that is not there',
    rounds: [doing(call('read_file', { path: 'none.md' }), call('list_files'))],
  },
  { name: 'read a page', rounds: [doing(known('/guide'))], shows: 'How to' },
  { name: 'read two pages, one after the other', rounds: [doing(known('/guide'), known('/faq'))], shows: 'Questions' },
  { name: 'read a page after a file', rounds: [doing(readNotes, known('/guide'))], shows: 'How to' },
  {
    name: 'follow a long link of a page',
    rounds: [doing(readNotes, known('/index'), known(LONG_PATH))],
    shows: 'The long way',
  },
  {
    name: 'read pages of a manual, one after the other',
    rounds: [doing(known('/guide'), known('/faq'), known('/guide')), doing(known('/faq'), known('/index'))],
    shows: 'Index',
  },
  { name: 'read an address the user wrote down', rounds: [{ ...doing(readNotes, known(LONG_PATH)), says: LONG_PATH }] },
  {
    name: 'read an address that a file names, too long to guess',
    rounds: [doing(readNotes, known(LONG_PATH))],
    asks: ['web_fetch'],
  },
  { name: 'read two pages at once', rounds: [doing(together(known('/guide'), known('/faq')))] },
  { name: 'look whether a page is there', rounds: [doing(known('/guide', { method: 'HEAD' }))], shows: '200' },
  { name: 'search on a known site', rounds: [doing(known('/guide?q=tea'))] },
  {
    name: 'search on a known site for what a file says',
    rounds: [doing(readNotes, known('/guide?q=milk'))],
    asks: ['web_fetch'],
  },
  { name: 'read a page and write it down', rounds: [doing(known('/guide'), write('g.md'))], asks: ['write_file'] },
  { name: 'read an unknown site', rounds: [doing(unknown())], asks: ['web_fetch'], shows: 'thank you' },
  {
    name: 'read an unknown site every day',
    rounds: [doing(unknown()), doing(unknown())],
    remembers: true,
    asks: ['web_fetch'],
  },
  { name: 'fill in a form', rounds: [doing(unknown({ method: 'POST', body: '{}' }))], asks: ['web_fetch'] },
  {
    name: 'run a command',
    rounds: [doing(call('bash', { command: 'wc -l notes.md' }))],
    asks: ['bash'],
    shows: '1 notes.md',
  },
  {
    name: 'run the same command again',
    rounds: [doing(call('bash', { command: 'ls' })), doing(call('bash', { command: 'ls' }))],
    remembers: true,
    asks: ['bash'],
  },
  {
    name: 'run a command after reading',
    rounds: [doing(readNotes, call('bash', { command: 'sort notes.md' }))],
    asks: ['bash'],
  },
  { name: 'send a mail the user dictates', rounds: [doing(mail)], shows: 'sent' },
  {
    name: 'calculate, then send a mail',
    rounds: [doing(call('calculator', { expression: '2+2' }), mail)],
    shows: 'sent',
  },
  { name: 'look at the clock, then send a mail', rounds: [doing(call('datetime'), mail)], shows: 'sent' },
  { name: 'send a mail about a file', rounds: [doing(readNotes, mail)], asks: ['mail'], shows: 'sent' },
  {
    name: 'send a mail about a file read before',
    rounds: [doing(readNotes), doing(mail)],
    asks: ['mail'],
    shows: 'sent',
  },
  {
    name: 'start afresh, then send a mail',
    rounds: [doing(readNotes), { ...doing(mail), first: 'clear' }],
    shows: 'sent',
  },
  {
    name: 'write a note, then send a mail',
    rounds: [doing(write('h.md'), mail)],
    asks: ['write_file'],
  },
  {
    name: 'use a tool of a trusted MCP server',
    rounds: [doing(call('friend__send', { text: 'hi' }))],
    asks: ['friend__send'],
    shows: 'sent',
  },
  { name: 'use one the operator lets run', rounds: [doing(call('friend__post', { text: 'hi' }))], shows: 'sent' },
  {
    name: 'use it after reading',
    rounds: [doing(readNotes, call('friend__post', { text: 'hi' }))],
    asks: ['friend__post'],
  },
  {
    name: 'look something up at a stranger',
    rounds: [doing(call('odd__look', { file: 'notes.md' }))],
    isStrange: true,
    shows: 'milk',
  },
  { name: 'send a mail where a stranger is at the table', rounds: [doing(mail)], isStrange: true, asks: ['mail'] },
  {
    name: 'answer the question of a server',
    rounds: [doing(call('odd__ask', { file: 'notes.md' }))],
    isStrange: true,
    asks: ['odd__ask'],
    shows: 'accept',
  },
  { name: 'read an attached letter', rounds: [{ ...doing(), file: letter }] },
  { name: 'write down what a letter says', rounds: [{ ...doing(write('i.md')), file: letter }], asks: ['write_file'] },
  { name: 'answer an attached letter', rounds: [{ ...doing(mail), file: letter }], asks: ['mail'] },
  { name: 'read a secret the user asks for', rounds: [doing(call('read_file', { path: '.env' }))], shows: 'KEY=' },
  {
    name: 'read a secret after something else',
    rounds: [doing(readNotes, call('read_file', { path: '.env' }))],
    asks: ['read_file'],
  },
  { name: 'plan', rounds: [{ ...doing(readNotes, known('/guide')), options: plan }], shows: 'How to' },
  { name: 'plan, and only plan', rounds: [{ ...doing(write('j.md')), options: plan }], shows: 'only for planning' },
  {
    name: 'plan, then act',
    rounds: [{ ...doing(readNotes), options: plan }, doing(write('k.md'))],
    asks: ['write_file'],
  },
  { name: 'summarise a file, triggered', rounds: [{ ...doing(readNotes), options: triggered }], shows: 'milk' },
  {
    name: 'read and write, triggered',
    rounds: [{ ...doing(readNotes, write('l.md')), options: triggered }],
    asks: ['write_file'],
  },
  {
    name: 'read a page and mail it, triggered',
    rounds: [{ ...doing(known('/guide'), mail), options: triggered }],
    asks: ['mail'],
  },
  {
    name: 'go on in a fork',
    rounds: [doing(readNotes), { ...doing(call('calculator', { expression: '9-1' })), first: 'fork' }],
    shows: '8',
  },
]
