import { refuseUnknownFields, fieldsProblem } from '../../contract/known-fields.ts'
import type { Segno, SegnoOptions } from '../../segno.ts'

type Words<S> = S extends `${infer First} ${infer Rest}` ? First | Words<Rest> : S
/** S, if its words are exactly the fields of T. */
type Exactly<S, T> = [keyof T, Words<S>] extends [Words<S>, keyof T] ? S : Exclude<keyof T, Words<S>>
type Method = (...args: never[]) => unknown
type Call = (...args: unknown[]) => unknown
type Row = readonly [path: string, at: number, fields: string]

/** The path of a method, the position of its options, and their allowed fields. */
const row =
  <F extends Method>() =>
  <At extends number, const S extends string>(
    path: string,
    at: At,
    fields: Exactly<S, NonNullable<Parameters<F>[At]>> & S,
  ): Row => [path, at, fields]

const SEND =
  'protocol mode model limits onBusy toolResultsAs attended messageId channel enableTools retryOptions effort temperature maxOutput tools toolChoice output' as const
const PLACE = 'mode workspaceId tainted' as const
const PAGE = 'limit cursor' as const
const WORKSPACE = 'name folder instructions models mcpServers files dynamicContext promptSettings' as const
const STREAM = 'dialect cursor requestId after endsAtRest signal sessionId workspaceId outputs' as const

const ROWS: readonly Row[] = [
  row<Segno['createSession']>()('createSession', 1, 'actor'),
  row<Segno['streamRequest']>()('streamRequest', 2, `${SEND} actor signal abortSignal timeoutMs`),
  row<Segno['handleMessage']>()('handleMessage', 3, 'actor'),
  row<Segno['completion']>()('completion', 2, 'actor'),
  row<Segno['eventPage']>()('eventPage', 1, 'sessionId after limit outputs requestId upTo'),
  row<Segno['follow']>()('follow', 1, 'after requestId outputs signal onDropped actor'),
  row<Segno['followRound']>()('followRound', 2, 'actor signal outputs'),
  row<Segno['stream']>()('stream', 1, STREAM),
  row<Segno['explain']>()('explain', 1, `${PLACE} tool args`),
  row<Segno['estimateCost']>()('estimateCost', 3, PLACE),
  row<Segno['canInvokeTool']>()('canInvokeTool', 3, PLACE),
  row<Segno['sessions']['list']>()('sessions.list', 1, `${PAGE} archived search`),
  row<Segno['sessions']['events']>()('sessions.events', 2, 'after upTo limit'),
  row<Segno['rounds']['send']>()('rounds.send', 3, `${SEND} requestId`),
  row<Segno['rounds']['list']>()('rounds.list', 1, `${PAGE} all sessionId states finishReason model protocol since`),
  row<Segno['rounds']['decide']>()('rounds.decide', 2, 'decision remember reason content'),
  ['rounds.answerCall', 2, 'output error'],
  row<Segno['rounds']['approvalPage']>()('rounds.approvalPage', 1, `${PAGE} status`),
  row<Segno['rounds']['unknownCallPage']>()('rounds.unknownCallPage', 1, PAGE),
  row<Segno['readings']['usage']>()('readings.usage', 1, 'sessionId since until all'),
  row<Segno['keys']['add']>()('keys.add', 1, 'name userId role scopes expiresAt tenant operator'),
  row<Segno['budgets']['set']>()('budgets.set', 2, 'dailyTokens dailyToolCost dailyCost'),
  row<Segno['audit']['page']>()('audit.page', 1, `${PAGE} sessionId action`),
  row<Segno['jobs']['list']>()('jobs.list', 1, `${PAGE} state`),
  row<Segno['workspaces']['create']>()('workspaces.create', 1, WORKSPACE),
  row<Segno['workspaces']['change']>()('workspaces.change', 2, WORKSPACE),
]

const [, , SEGNO] = row<(options: SegnoOptions) => void>()(
  'createSegno',
  0,
  'home model tools builtInTools systemPrompt policy folder protocol durability limits onEvent env',
)

export const checkSegnoOptions = (options: SegnoOptions): void =>
  refuseUnknownFields(options, SEGNO.split(' '), 'createSegno')

/** These do not return a promise that could be rejected. */
const AT_ONCE: ReadonlySet<string> = new Set(['follow', 'followRound', 'stream'])

/** Wraps Segno so that it refuses unknown options. */
export function withKnownOptions(segno: Segno): Segno {
  const whole: Record<string, unknown> = { ...segno }
  for (const [path, at, fields] of ROWS) {
    const [name = '', inner] = path.split('.')
    const holder = inner === undefined ? whole : ((whole[name] = { ...(whole[name] as object) }) as typeof whole)
    const method = holder[inner ?? name] as Call
    const known = fields.split(' ')
    holder[inner ?? name] = (...args: unknown[]) => {
      const problem = fieldsProblem(args[at], known, path)
      if (!problem) return method(...args)
      if (AT_ONCE.has(path)) throw problem
      return Promise.reject(problem)
    }
  }
  return whole as unknown as Segno
}
