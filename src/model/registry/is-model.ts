import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { Script } from '../scripted/script.ts'

export const isModel = (one: LanguageModelV4 | Script): one is LanguageModelV4 => 'doStream' in one
