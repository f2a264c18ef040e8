import { createDeepSeek } from '@ai-sdk/deepseek'
import type { Connect } from './provider-table.ts'

export const connect: Connect = (settings) => createDeepSeek(settings)
