import { foldCase } from '../lib/fold-case.ts'
import { cleanText } from './clean-text.ts'

export const searchWords = (search: string | undefined): string[] =>
  foldCase(cleanText(search ?? ''))
    .split(/\s+/)
    .filter((word) => word !== '')
