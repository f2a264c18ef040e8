import { chatEncoder } from './dialects/chat.ts'
import { nativeEncoder } from './dialects/native.ts'
import { phasedEncoder } from './dialects/phased.ts'
import { TURNS_PACE_MS, turnsEncoder } from './dialects/turns.ts'
import type { Encoder, EncoderOptions } from './wire.ts'

const ENCODERS = { native: nativeEncoder, phased: phasedEncoder, chat: chatEncoder, turns: turnsEncoder }

export type Dialect = keyof typeof ENCODERS

export const createEncoder = (dialect: Dialect, options: EncoderOptions): Encoder => ENCODERS[dialect](options)

/** How long a writer waits between two batches; 0: not at all. */
export const paceOf = (dialect: Dialect): number => (dialect === 'turns' ? TURNS_PACE_MS : 0)
