import type { Outcome } from '../contract/outcome.ts'
import { betweenMarkers, plainName } from '../lib/between-markers.ts'

const ENDS: { readonly [O in Outcome]?: string } = {
  ok: 'returned',
  error: 'failed with',
  timeout: 'came to before its time was up',
  cancelled: 'came to before it was stopped',
}

/** A result as a model reads it; Segno's own words about a call that did not run need no markers. */
export function presentResult(content: string, tool: string, callId: string, outcome: Outcome): string {
  const what = ENDS[outcome]
  return what === undefined ? content : betweenMarkers(content, callId, `what ${plainName(tool)} ${what}`)
}
