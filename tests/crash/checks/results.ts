import { heardOf, type Check } from './evidence.ts'

/** A result that was acknowledged is that of its call, and the only one. */
export const results: Check = (evidence) =>
  heardOf(evidence, 'result').flatMap(({ sessionId, callId, content }) => {
    const log = evidence.state.sessions.find(({ id }) => id === sessionId)?.events ?? []
    const stored = log.flatMap((one) =>
      one.type === 'tool.result' && one.data.callId === callId ? [one.data.content] : [],
    )
    if (stored.length === 1 && stored[0] === content) return []
    const what = `the result of ${callId} was acknowledged, ${stored.join(' and ') || 'nothing'} is stored`
    return [{ harm: 'lost', check: 'results are kept', what } as const]
  })
