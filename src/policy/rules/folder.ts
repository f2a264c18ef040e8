import type { Rule } from '../judge.ts'
import { refuse } from './refuse.ts'

/** What nobody may touch is not worth asking a person about. */
export const folder: Rule = ({ folderRefused }) =>
  folderRefused === undefined ? undefined : refuse('FOLDER', folderRefused)
