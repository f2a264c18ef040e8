import { brave } from './brave.ts'
import type { EngineAddress, SearchEngine } from './search-engine.ts'
import { searxng } from './searxng.ts'
import { tavily } from './tavily.ts'

/** All engines, by what SEGNO_SEARCH calls them. */
export const ENGINES = { brave, tavily, searxng } as const satisfies Record<
  string,
  (address: EngineAddress) => SearchEngine
>
