import type { Dict } from '../support/strict-provider/values.ts'
import type { Recording } from './read-recording.ts'

/** The chunks as a provider of this format would send them, one frame each; `done`: with the mark after the last. */
export function framesOf({ lines, shape }: Pick<Recording, 'lines' | 'shape'>, done = true): Buffer[] {
  const frames = lines.map((line) => {
    const event = shape === 'anthropic' ? `event: ${String((JSON.parse(line) as Dict)['type'])}\n` : ''
    return Buffer.from(`${event}data: ${line}\n\n`)
  })
  return shape === 'chat' && done ? [...frames, Buffer.from('data: [DONE]\n\n')] : frames
}
