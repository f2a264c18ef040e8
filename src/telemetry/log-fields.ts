/** Everything a log line may contain: these sentences and these fields, whose patterns leave no room for content. */
export const SENTENCES = {
  ready: 'Segno is ready.',
  stopping: 'Segno is stopping: nothing new is taken, running rounds get their time.',
  stopped: 'Segno has stopped.',
  left_behind: 'Something that was told to stop did not; it is left behind.',
  request: 'A request was answered.',
  rejected: 'A request was refused.',
  failed: 'A request failed because of a mistake of ours.',
  reader_dropped: 'A reader was too slow and was disconnected.',
  sign_in_failed: 'Somebody came with a key or token that is not valid.',
  database_awaited: 'The database cannot be used yet; it is tried again for a while (limit DB_START_MS).',
  clock_off: 'The clock of this machine is quite different from that of the database, whose time is used instead.',
  node_waiting: 'Another Segno seems to use this database; if it was ended its time is over within seconds.',
  node_gone: 'A node is gone; others go on with what it did.',
  node_unreachable: 'A node does not answer at its SEGNO_NODE_URL: live text of its sessions is not shown here.',
  lease_lost: 'This node could not show the others that it lives, and has given up everything it was doing.',
  lease_regained: 'This node is back, as a new one, and takes part again.',
  store_unavailable: 'The store cannot be used; new messages are refused until it can.',
  mcp_server: 'An MCP server is in another state.',
  secret_unreadable:
    'A stored secret cannot be read with the keys of SEGNO_SECRET_KEY_FILE (segno providers ls tells why).',
  job_failed: 'A job failed and is tried again.',
  job_parked: 'A stored job is not tried any more until somebody says so (segno jobs ls).',
  round_started: 'A round started.',
  round_waiting: 'A round waits for a person or a result.',
  round_taken_over: 'A round that was left running goes on.',
  round_ended: 'A round ended.',
  turn_retried: 'A model call is tried again.',
  turn_failed: 'A model call failed.',
  provider_said: 'This is what the provider said about a failed model call.',
  effect_unknown: 'It is not known whether a tool call had its effect.',
} as const

export type LogEvent = keyof typeof SENTENCES

type Form<T = unknown> = (value: unknown) => value is T

const matches =
  (pattern: RegExp): Form<string> =>
  (value): value is string =>
    typeof value === 'string' && pattern.test(value)

/** Ours are UUIDs; an actor's comes from the identity provider. */
const id = matches(/^[\w.:@|+/=-]{1,128}$/)
const word = matches(/^[\w.-]{1,64}$/)
const route = matches(/^[\w/:.*{}-]{1,100}$/)
const host = matches(/^[\w.:[\]-]{1,255}$/)
const number: Form<number> = (value): value is number => typeof value === 'number' && Number.isFinite(value)

const FORMS = {
  requestId: id,
  sessionId: id,
  callId: id,
  approvalId: id,
  actorId: id,
  tenant: id,
  keyId: id,
  workspaceId: id,
  nodeId: id,
  server: word,
  method: word,
  route,
  status: number,
  durationMs: number,
  code: word,
  reason: word,
  protocol: word,
  finishReason: word,
  outcome: word,
  attempt: number,
  count: number,
  bytes: number,
  inputTokens: number,
  outputTokens: number,
  costMicrodollars: number,
  host,
  port: number,
  pid: number,
  version: word,
  errorName: word,
  /** without secrets and quotes of the conversation */
  said: matches(/^\P{Cc}{1,500}$/u),
  /** a file of ours and a line in it */
  place: matches(/^[\w.-]{1,80}:\d{1,6}$/),
} as const satisfies Record<string, Form>

export type LogFields = {
  readonly [Name in keyof typeof FORMS]?: ((typeof FORMS)[Name] extends Form<infer T> ? T : never) | undefined
}

/** Drops unknown fields, and hides values that do not match their pattern. */
export function cleanFields(fields: LogFields): Record<string, unknown> {
  const clean: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || !Object.hasOwn(FORMS, name)) continue
    clean[name] = FORMS[name as keyof typeof FORMS](value) ? value : '[not shown]'
  }
  return clean
}
