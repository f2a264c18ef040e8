import type { Settings } from './config.ts'
import { isWebAddress } from '../lib/is-web-address.ts'

/** What SEGNO_SEARCH may be, and the setting with its key. */
const KEYS = { brave: 'BRAVE_API_KEY', tavily: 'TAVILY_API_KEY', searxng: undefined } as const
export type SearchEngineName = keyof typeof KEYS
export const SEARCH_ENGINES = Object.keys(KEYS) as readonly SearchEngineName[]
export const SEARCH_KEYS = ['BRAVE_API_KEY', 'TAVILY_API_KEY'] as const

export interface SearchSettings {
  readonly engine: SearchEngineName
  readonly key: string | undefined
  /** of an engine that is not where it usually is */
  readonly url: string | undefined
  /** micro-dollars for a question; undefined if nobody said */
  readonly cost: number | undefined
}

/** For people who want web_search and do not have it. */
export const HOW_TO_SEARCH =
  'set SEGNO_SEARCH to brave (with BRAVE_API_KEY), tavily (with TAVILY_API_KEY) or searxng (with SEGNO_SEARCH_URL)'

/** The engine that web_search asks; undefined: there is none. Faults never quote a key. */
export function readSearch(
  engine: SearchEngineName | undefined,
  cost: number | undefined,
  env: Settings,
  faults: string[],
): SearchSettings | undefined {
  const url = env['SEGNO_SEARCH_URL']?.trim() || undefined
  if (url !== undefined && !isWebAddress(url))
    faults.push(
      'SEGNO_SEARCH_URL is not an address without a name, password or query, expected one such as http://127.0.0.1:8080',
    )
  if (engine === undefined) return undefined
  const named = KEYS[engine]
  const key = named && (env[named]?.trim() || undefined)
  if (named && key === undefined) faults.push(`SEGNO_SEARCH is ${engine}, which needs ${named}`)
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key))
    faults.push(`${named} holds a space or another character that no key has`)
  if (engine === 'searxng' && url === undefined)
    faults.push('SEGNO_SEARCH is searxng, which needs its address in SEGNO_SEARCH_URL')
  // Who runs the engine themselves pays nobody for a question.
  return { engine, key, url, cost: cost ?? (engine === 'searxng' ? 0 : undefined) }
}
