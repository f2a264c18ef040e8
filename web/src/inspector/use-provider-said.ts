import type { Page, TraceItem } from '../../../src/client/index.ts'
import type { TurnStep } from '../log/round-picture.ts'
import { may } from '../state/may.ts'
import { useMe } from '../state/me.ts'
import { usePolled } from '../state/polled.ts'

const SELDOM_MS = 60_000

/** What the provider said of a failed attempt, for those who may read traces; without a number: of the last one. */
export function useProviderSaid(requestId: string, turn: TurnStep): (attempt?: number) => string | undefined {
  const mayRead = may(useMe(), 'trace:read')
  const isKept = [turn, ...turn.retries].some(({ providerSaid }) => providerSaid !== undefined)
  const path = mayRead && isKept ? `/api/rounds/${encodeURIComponent(requestId)}/trace` : null
  const trace = usePolled<Page<TraceItem>>(path, SELDOM_MS).value?.items ?? []
  return (attempt) =>
    trace.find((one) => one.type === 'model_call_failed' && one.turn === turn.turn && one.attempt === attempt)?.said
}
