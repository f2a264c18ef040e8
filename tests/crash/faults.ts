import { spawn } from 'node:child_process'
import { draftEvent, type NewEvent, type StoredEvent } from '../../src/contract/event.ts'
import type { InputBody } from '../../src/contract/input.ts'
import type { Tool } from '../../src/contract/tool.ts'
import { delay } from '../../src/lib/delay.ts'
import type { Deps } from '../../src/round/index.ts'
import type { Change, Store } from '../../src/store/index.ts'

interface Fault {
  readonly store?: (store: Store) => Store
  readonly deps?: (deps: Deps) => Deps
  readonly tool?: (tool: Tool) => Tool
}

/** Planted on purpose, around the ports and never in the product, to see whether the checks notice. */
const FAULTS = {
  'effect before its start is durable': { store: startsLate },
  'result shown before its commit': { store: (store) => showsEarly(store, (type) => type === 'tool.result') },
  'numbered frame before its commit': { store: (store) => showsEarly(store, () => true) },
  'recovery runs a started unsafe call': { store: unsafeReadsAsPure },
  'approval decision is lost': { store: (store) => swallows(store, 'decision') },
  'result that comes later is lost': { store: (store) => swallows(store, 'result') },
  'results out of order': { store: swapsResults },
  'one key for two calls': { deps: sameKey },
  'fork runs an inherited call': { store: forksOpen },
  'question is left behind': { store: leavesQuestions },
  'bash without a sandbox': { tool: (tool) => (tool.name === 'bash' ? { ...tool, run: unguarded } : tool) },
  /** planted where servers are configured: it leaves the group that is watched */
  'MCP server of its own': {},
} as const satisfies Record<string, Fault>

export type FaultName = keyof typeof FAULTS

export function plantInStore(name: FaultName | undefined, store: Store): Store {
  const fault: Fault | undefined = name && FAULTS[name]
  return fault?.store?.(store) ?? store
}

export function plantInDeps(name: FaultName | undefined, deps: Deps): Deps {
  const fault: Fault | undefined = name && FAULTS[name]
  return fault?.deps?.(deps) ?? deps
}

export function plantInTools(name: FaultName | undefined, tools: readonly Tool[]): Tool[] {
  const fault: Fault | undefined = name && FAULTS[name]
  return tools.map((tool) => fault?.tool?.(tool) ?? tool)
}

const LATE_MS = 40

/** Says that a start is stored and stores it with whatever comes next. */
function startsLate(store: Store): Store {
  let held: Change | undefined
  return {
    ...store,
    async commit(change) {
      const before = held
      held = undefined
      if (before) await store.commit(before)
      if (!change.events.some(({ type }) => type === 'tool.started')) return store.commit(change)
      held = change
      return { kind: 'committed', events: [] }
    },
  }
}

/** Tells followers of events that are not stored yet. */
function showsEarly(store: Store, which: (type: StoredEvent['type']) => boolean): Store {
  const listeners = new Set<Parameters<Store['subscribe']>[0]>()
  return {
    ...store,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async commit(change) {
      const { sessionId, expected, events } = change
      const tell = (numbered: readonly StoredEvent[]): void =>
        listeners.forEach((listener) => listener(sessionId, numbered))
      const early = events.some(({ type }) => which(type))
      if (early) tell(events.map((event, at) => ({ ...event, sessionId, seq: expected + 1 + at })))
      if (early) await delay(LATE_MS)
      const result = await store.commit(change)
      if (!early && result.kind === 'committed') tell(result.events)
      return result
    },
  }
}

function unsafeReadsAsPure(store: Store): Store {
  return {
    ...store,
    async readSlice(sessionId, after, most) {
      const { events, isLast } = await store.readSlice(sessionId, after, most)
      const wrong = events.map((one) =>
        one.type === 'tool.started' ? { ...one, data: { ...one.data, effect: 'pure' as const } } : one,
      )
      return { events: wrong, isLast }
    },
  }
}

function swallows(store: Store, kind: InputBody['kind']): Store {
  return {
    ...store,
    putInput: async (input, ...more) => (input.body.kind === kind ? 'stored' : store.putInput(input, ...more)),
  }
}

function swapsResults(store: Store): Store {
  return { ...store, commit: (change) => store.commit({ ...change, events: swapped(change.events) }) }
}

function swapped(events: readonly NewEvent[]): NewEvent[] {
  const results = events.filter(({ type }) => type === 'tool.result').reverse()
  return events.map((event) => (event.type === 'tool.result' ? (results.shift() ?? event) : event))
}

function sameKey(deps: Deps): Deps {
  const { tools } = deps
  return {
    ...deps,
    async tools(...place) {
      const registry = await tools(...place)
      return {
        all: registry.all,
        get(name) {
          const found = registry.get(name)
          if (!found) return undefined
          const run: typeof found.tool.run = (args, ctx) =>
            found.tool.run(args, { ...ctx, idempotencyKey: 'segno-the-same' })
          return { ...found, tool: { ...found.tool, run } }
        },
      }
    },
  }
}

/** A fork keeps what its parent had not answered, as if it were its own. */
function forksOpen(store: Store): Store {
  const open = ({ events, ...change }: Change): Change => ({
    ...change,
    events: change.create?.parent ? events.slice(0, 1) : events,
  })
  return { ...store, commit: (change) => store.commit(open(change)) }
}

/** A question of a call that died stays open. */
function leavesQuestions(store: Store): Store {
  const silent = (event: NewEvent): NewEvent =>
    event.type === 'approval.decided' && event.data.decision === 'stale'
      ? { ...event, ...draftEvent('notice', { text: 'nothing', reason: 'planted' }) }
      : event
  return { ...store, commit: (change) => store.commit({ ...change, events: change.events.map(silent) }) }
}

/** A process that has nothing to do with its Segno any more. */
const unguarded: Tool['run'] = (args, { folder, say }) =>
  new Promise((resolve) => {
    const child = spawn('bash', ['-c', args['command'] as string], {
      cwd: folder,
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    child.stdout.setEncoding('utf8').on('data', say)
    child.on('close', (code) => resolve(`ended with ${code}`))
  })
