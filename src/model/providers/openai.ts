import { createOpenAI } from '@ai-sdk/openai'
import type { Connect } from '../provider-table.ts'

/** The Responses API. */
export const connect: Connect = (settings) => createOpenAI(settings).responses
