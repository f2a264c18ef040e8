import type { Pulse } from '../../contract/pulse.ts'

/**
 * Written by hand, because there are more pulses than anything else. `top` (with the round) and `after` are fields in
 * JSON.
 */
export function pulseJson(pulse: Pulse, top: string, after: string): string {
  const head = `{${top},"turn":${pulse.turn}`
  if (pulse.type === 'reset') return `${head},"reason":${JSON.stringify(pulse.reason)}${after}}`
  const { kind, callId, name, offset, text } = pulse
  const call = callId === undefined ? '' : `,"callId":${JSON.stringify(callId)},"name":${JSON.stringify(name ?? '')}`
  return `${head},"kind":"${kind}"${call},"offset":${offset},"text":${JSON.stringify(text)}${after}}`
}
