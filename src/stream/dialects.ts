import { chat } from './dialects/chat.ts'
import { native } from './dialects/native.ts'
import { phased } from './dialects/phased.ts'
import { turns } from './dialects/turns.ts'
import type { Dialect } from './wire.ts'

export const DIALECTS = { native, phased, chat, turns } satisfies Record<string, Dialect>

export type DialectName = keyof typeof DIALECTS
