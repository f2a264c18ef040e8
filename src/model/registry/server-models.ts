import type { Provider } from '../providers/provider.ts'
import type { ListedModel } from './listed-model.ts'
import { describeListed, offered, probe } from './probe.ts'

/** How servers are asked for their models. */
export interface Listing {
  /** how long all of it may take for one server */
  readonly listMs: number
  /** how long an answer, or none, is good for */
  readonly keepMs: number
  /** models of one server */
  readonly most: number
}

export type ServerModels = ReturnType<typeof createServerModels>

/** What servers tell about their models. They are asked in the background, or by who wants a list; no round waits. */
export function createServerModels({ listMs, keepMs, most }: Listing, onTold: (provider: string) => void) {
  const told = new Map<string, ReadonlyMap<string, ListedModel>>()
  const asked = new Map<string, { readonly of: Provider; readonly at: number; readonly done: Promise<void> }>()

  async function ask(provider: Provider): Promise<void> {
    const found = await probe(async (signal) => {
      const listed = (await offered(provider, signal)).slice(0, most)
      return describeListed(provider, listed, signal)
    }, listMs)
    // What a server said before is better than nothing.
    if (found.length > 0) tell(provider, found)
  }

  function tell({ name }: Provider, models: readonly ListedModel[]): void {
    told.set(name, new Map(models.map((model) => [model.modelId, model])))
    onTold(name)
  }

  return {
    about: (provider: string, modelId: string): ListedModel | undefined => told.get(provider)?.get(modelId),
    all: (provider: string): readonly ListedModel[] => [...(told.get(provider)?.values() ?? [])],
    /** Asks a server, unless it was asked a short while ago; never rejects. */
    learn(provider: Provider): Promise<void> {
      if (!provider.lists || provider.missing !== undefined) return Promise.resolve()
      const before = asked.get(provider.name)
      const now = performance.now()
      if (before && before.of === provider && now - before.at < keepMs) return before.done
      if (before && before.of !== provider) told.delete(provider.name)
      const done = ask(provider)
      asked.set(provider.name, { of: provider, at: now, done })
      return done
    },
    tell,
  }
}
