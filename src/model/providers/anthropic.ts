import { createAnthropic } from '@ai-sdk/anthropic'
import type { Connect } from './provider-table.ts'

export const connect: Connect = ({ apiKey, baseURL, fetch }) => createAnthropic({ apiKey, baseURL, fetch })
