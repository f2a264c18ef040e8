import { createGoogle } from '@ai-sdk/google'
import type { Connect } from '../provider-table.ts'

export const connect: Connect = (settings) => createGoogle(settings)
