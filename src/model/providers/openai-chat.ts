import { createOpenAI } from '@ai-sdk/openai'
import type { Connect } from './provider-table.ts'

/** The older Chat Completions API, under the same key. */
export const connect: Connect = (settings) => createOpenAI(settings).chat
