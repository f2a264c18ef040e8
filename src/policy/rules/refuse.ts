import type { RefusalCode, Verdict } from '../../contract/outcome.ts'

export const refuse = (code: RefusalCode, message: string): Verdict => ({ kind: 'refuse', code, message })
