import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Client, MeView, ModelParams, NewSession, Session } from '../../../client/index.ts'
import { addUsage, NO_USAGE } from '../../../contract/message.ts'
import { isCountLimit, type Mode } from '../../../contract/outcome.ts'
import { Problem } from '../../../contract/problem.ts'
import { memoriesText } from '../memory-words.ts'
import { preferenceLines } from '../preference-lines.ts'
import type { ChatSession } from './chat-session.ts'
import { helpText, type CommandName } from './command-table.ts'
import type { Tint } from './paint.ts'
import { useParam } from './use-param.ts'
import { oneLine } from './safe-text.ts'
import { money, tokenWords } from './words.ts'

/** The chat, as commands see it. */
export interface Conversation {
  readonly api: Client
  readonly me: MeView
  readonly session: ChatSession
  /** of the next message */
  mode: Mode
  /** for the next new session */
  readonly preferences: {
    -readonly [Name in 'model' | 'protocol' | 'workspaceId' | keyof ModelParams]?: NonNullable<NewSession[Name]>
  }
  isBusy(): boolean
  say(text: string, tint?: Tint): void
  open(session: Session): Promise<void>
  /** Lets the person choose one by its number. */
  offer(sessions: readonly Session[]): void
  quit(): void
}

/** These would leave or change the conversation during an answer. */
const NOT_WHILE_BUSY: readonly CommandName[] = ['new', 'sessions', 'fork', 'clear', 'continue']

type Run = (chat: Conversation, rest: string) => void | Promise<void>

const RUNS: Readonly<Record<CommandName, Run>> = {
  help: ({ say }) => say(helpText()),
  quit: (chat) => chat.quit(),
  resume,
  reconcile,
  new: ({ session }) => session.begin(),
  outputs: ({ say, session }) =>
    say(session.toggleOutputs() ? 'Tool outputs are shown from now on.' : 'Tool outputs are hidden again.', 'dim'),
  sessions: listSessions,
  plan: togglePlan,
  model: useModel,
  protocol: useProtocol,
  effort: useParam('effort'),
  temperature: useParam('temperature'),
  maxoutput: useParam('maxoutput'),
  tools: useParam('tools'),
  toolchoice: useParam('toolchoice'),
  schema: useParam('schema'),
  clear: inSession(async ({ api }, session) => void (await api.clearSession(session))),
  compact: inSession(compact),
  memories: async ({ api, say }) => say(await memoriesText(api)),
  preferences: async ({ api, say }) =>
    say([...preferenceLines(await api.preferences()), 'Set them with: segno preferences set'].join('\n')),
  cost: inSession(cost),
  prompt: inSession(prompt),
  export: inSession(exportTo),
  fork: inSession(fork),
  continue: inSession(goOn),
}

export async function runCommand(chat: Conversation, name: CommandName, rest: string): Promise<void> {
  if (chat.isBusy() && NOT_WHILE_BUSY.includes(name))
    return chat.say(`/${name} has to wait until the answer is complete. Ctrl-C stops it.`, 'careful')
  await RUNS[name](chat, rest)
}

/** For commands that make no sense before the first message. */
function inSession(run: (chat: Conversation, sessionId: string, rest: string) => Promise<void>): Run {
  return (chat, rest) =>
    chat.session.id === undefined ? chat.say('Nothing has been said yet.', 'dim') : run(chat, chat.session.id, rest)
}

async function listSessions({ api, say, offer, session }: Conversation, words: string): Promise<void> {
  const found = await api.sessions(words)
  if (found.length === 0)
    return say(words === '' ? 'There are no conversations yet.' : `Nothing has "${words}" in it.`, 'dim')
  const lines = found.map(({ id, title, usedAt, open }, at) => {
    const state = open ? ` · ${open.state}` : ''
    return `  ${String(at + 1).padStart(2)}  ${oneLine(title)}${id === session.id ? ' (this one)' : ''} · ${ago(usedAt)}${state}`
  })
  say(lines.join('\n'))
  offer(found)
}

function ago(at: string): string {
  const minutes = Math.round((Date.now() - Date.parse(at)) / 60_000)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return `${minutes} min ago`
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)} h ago` : at.slice(0, 10)
}

/** Servers may list hundreds. */
const MOST_MODELS = 50

async function useModel(chat: Conversation, key: string): Promise<void> {
  const { api, me, say, preferences } = chat
  const { id: session } = chat.session
  if (key !== '') {
    if (session === undefined && !(await api.models()).some((one) => one.key === key && one.missing === undefined))
      return say(`There is no model "${key}" that can be used. /model lists them.`, 'careful')
    if (session !== undefined) await api.changeSession(session, { model: key })
    preferences.model = key
    return say(`${key} answers from the next message on.`, 'dim')
  }
  const now = session === undefined ? preferences.model : (await api.session(session)).model
  const models = await api.models()
  const usable = models.filter(({ missing }) => missing === undefined)
  const others = Map.groupBy(models, ({ missing }) => missing)
  others.delete(undefined)
  const lines = [
    ...usable.slice(0, MOST_MODELS).map((one) => `  ${one.key === (now ?? me.model) ? '•' : ' '} ${one.key}`),
    ...(usable.length > MOST_MODELS ? [`    … and ${usable.length - MOST_MODELS} more: segno models`] : []),
    ...others.entries().map(([missing, list]) => `  - ${list.map((one) => one.key).join(', ')}: ${missing}`),
  ]
  say([...lines, '  Use one with: /model <key>'].join('\n'))
}

function togglePlan(chat: Conversation): void {
  chat.mode = chat.mode === 'plan' ? 'act' : 'plan'
  const words = {
    plan: 'From your next message on it only plans: tools that change something are refused. /plan again lets it act.',
    act: 'From your next message on it acts again.',
  }
  chat.say(words[chat.mode], 'dim')
}

async function useProtocol(
  { api, me, say, session: { id: session }, preferences }: Conversation,
  name: string,
): Promise<void> {
  if (name === '') {
    const now = session === undefined ? preferences.protocol : (await api.session(session)).protocol
    return say(
      `${now ?? me.protocol} is used.\n  unified    the model may ask for several calls at once\n  triggered  one call at a time, none twice\nUse one with: /protocol <name>`,
    )
  }
  if (name !== 'unified' && name !== 'triggered')
    return say(`There is no protocol "${name}"; there are unified and triggered.`, 'careful')
  if (session !== undefined) await api.changeSession(session, { protocol: name })
  preferences.protocol = name
  say(`${name} is used from the next message on.`, 'dim')
}

async function resume({ api, say, session }: Conversation): Promise<void> {
  const { open: round } = session.transcript
  if (round?.state !== 'paused') return say('Nothing is paused here.', 'dim')
  await api.resume(round.requestId)
}

async function goOn({ api, say }: Conversation, sessionId: string): Promise<void> {
  const [last] = await api.rounds(sessionId, 1)
  if (!isCountLimit(last?.finishReason)) return say('The last answer did not stop at a limit; just write on.', 'dim')
  await api.continueRound(last.requestId)
}

async function reconcile({ api, say, session }: Conversation, rest: string): Promise<void> {
  const [, callId, happened] = /^(\S+)\s+(yes|no)$/i.exec(rest) ?? []
  if (callId === undefined) return say('Say which call, and whether it did happen: /reconcile <id> yes', 'careful')
  const isYes = happened?.toLowerCase() === 'yes'
  await api.reconcile(callId, { happened: isYes, sessionId: session.id })
  say(`Settled: it did ${isYes ? '' : 'not '}happen.`, 'dim')
}

async function cost({ api, say }: Conversation, session: string): Promise<void> {
  const found = await api.usage(session)
  if (found.length === 0) return say('Nothing has been used yet.', 'dim')
  const lines = found.map(
    ({ model, rounds, usage, cost: spent }) =>
      `  ${model}  ${rounds} ${rounds === 1 ? 'round' : 'rounds'}, ${tokenWords(usage)}, ${money(spent, usage)}`,
  )
  const all = found.reduce((sum, { usage }) => addUsage(sum, usage), NO_USAGE)
  const spent = found.reduce((sum, one) => sum + one.cost, 0)
  say([...lines, ...(found.length > 1 ? [`  together  ${money(spent, all)}`] : [])].join('\n'))
}

async function compact({ api, say }: Conversation, session: string): Promise<void> {
  await api.compactSession(session)
  say('What was said so far will be summarised for the model; the log stays.', 'dim')
}

const tokens = (count: number): string => `${count.toLocaleString('en')} tokens`

async function prompt({ api, say }: Conversation, session: string): Promise<void> {
  const { layers, messages } = await api.prompt(session)
  for (const { name, text, tokens: count } of layers) {
    say(`${name} · ${tokens(count)}`, 'bold')
    say(text.trim().replaceAll(/^/gm, '  '))
  }
  say(`and ${messages} ${messages === 1 ? 'message' : 'messages'} of this conversation`, 'dim')
}

async function exportTo({ api, say }: Conversation, session: string, wanted: string): Promise<void> {
  const file = resolve(wanted || `segno-${session}.md`)
  const text = await (await api.exportSession(session, 'markdown')).text()
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 })
  } catch (cause) {
    const isThere = (cause as NodeJS.ErrnoException).code === 'EEXIST'
    throw new Problem(
      'VALIDATION_ERROR',
      `${file} ${isThere ? 'is there already; give another name.' : 'cannot be written.'}`,
      { cause },
    )
  }
  say(`Written to ${file}`, 'dim')
}

async function fork({ api, say, session, open }: Conversation, id: string, rest: string): Promise<void> {
  if (rest !== '' && !/^#?\d{1,9}$/.test(rest))
    return say('/fork takes the number of an event, as it stands at the end of each answer: /fork 12', 'careful')
  const at = rest === '' ? session.transcript.seq : Number(rest.replace('#', ''))
  const made = await api.forkSession(id, { seq: at })
  await open(made)
  say(`This is a fork from #${at}. The conversation it came from stays as it is: /sessions`, 'dim')
}
