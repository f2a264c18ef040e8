import type { Pulse } from '../../contract/pulse.ts'

/**
 * A pulse as JSON. There are more of them than of anything else, so they are written by hand. `before` and `after` are
 * fields, written already, that stand at the top and at the end.
 */
export function pulseJson(pulse: Pulse, before: string, after: string): string {
  const head = `{${before}"requestId":${JSON.stringify(pulse.requestId)},"turn":${pulse.turn}`
  if (pulse.type === 'reset') return `${head},"reason":${JSON.stringify(pulse.reason)}${after}}`
  const { kind, callId, name, offset, text } = pulse
  const call = callId === undefined ? '' : `,"callId":${JSON.stringify(callId)},"name":${JSON.stringify(name ?? '')}`
  return `${head},"kind":"${kind}"${call},"offset":${offset},"text":${JSON.stringify(text)}${after}}`
}
