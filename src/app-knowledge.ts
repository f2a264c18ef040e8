import type { Config, Rooms } from './config/index.ts'
import type { Actor } from './contract/actor.ts'
import {
  createDocuments,
  createFind,
  createParsing,
  createRetrieval,
  createVectors,
  scopeOf,
  type Documents,
  type Embedding,
  type Memories,
} from './knowledge/index.ts'
import type { Clock } from './lib/clock.ts'
import { chooseEmbedder, type Embedder } from './model/index.ts'
import { passageText } from './round/index.ts'
import type { Store } from './store/index.ts'
import type { Log } from './telemetry/index.ts'
import type { KnowledgeQuery } from './tool/index.ts'
import type { Contexts } from './workspace/index.ts'

/** What a round is told at most; more would rather distract, and the model can search further. */
const PASSAGES = 8

interface KnowledgeParts {
  readonly settings: Rooms
  readonly config: Config
  readonly store: Store
  readonly clock: Clock
  readonly embedder: Embedder
  readonly log: Log
  readonly closed: AbortSignal
  people(tenant: string): Promise<ReadonlySet<string>>
  workspace(actor: Actor, id: string): Promise<unknown>
  onParked(): void
}

/** Documents and finding them, with the vectors that this takes. */
export function openKnowledge(parts: KnowledgeParts) {
  const { settings, config, store, clock, embedder, log, closed, people, workspace, onParked } = parts
  const vectors = createVectors(store, {
    ...settings.finder,
    clock,
    embedder,
    embedderOf: remembered(config),
    attempts: settings.jobs.attempts,
    onFailure: (code) => log.warn('job_failed', { reason: 'embedding', code }),
    onParked(code) {
      onParked()
      log.warn('job_parked', { reason: 'embedding', code })
    },
  })
  const find = createFind(store, { ...settings.finder, vectorOf: vectors.vectorOf })
  const parse = createParsing({ ...settings.documents, signal: closed })
  const { fourEyes } = settings.documents
  const documents: Documents = createDocuments(store, { fourEyes, clock, people, parse, workspace, find, vectors })
  return {
    documents,
    /** Embeds in the background. */
    start: vectors.start,
    /** What the tool of models needs. */
    search: {
      hasDocuments: (tenant: string) => store.hasPublished(tenant),
      find: ({ workspaceId, ...query }: KnowledgeQuery) => find({ ...query, workspaceIds: scopeOf(workspaceId) }),
    },
    /** What rounds begin with. */
    retrieval: (memories: Pick<Memories, 'usable'>, contextOf: Contexts['of']) =>
      createRetrieval({
        ...settings.finder,
        passages: PASSAGES,
        hasDocuments: (tenant) => store.hasPublished(tenant),
        // As it is told again later, from the log.
        find: async (query) => (await find(query)).map((one) => ({ ...one, text: passageText(one) })),
        memoriesFor: memories.usable,
        embed: vectors.vectorOfConfigured,
        contextOf,
      }),
  }
}

/** Finds models of earlier configurations; undefined for one that cannot be used any more. */
function remembered({ providers, namedProviders }: Config): (key: string) => Embedding | undefined {
  const known = new Map<string, Embedding | undefined>()
  const find = (key: string): Embedding | undefined => {
    const builtIn = chooseEmbedder()
    if (builtIn.key === key) return builtIn
    try {
      return chooseEmbedder(key, providers, namedProviders)
    } catch {
      return undefined
    }
  }
  return (key) => {
    if (!known.has(key)) known.set(key, find(key))
    return known.get(key)
  }
}
