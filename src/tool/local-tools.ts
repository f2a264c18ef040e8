import type { Tool } from '../contract/tool.ts'
import { calculator } from './local/calculator.ts'
import { datetime } from './local/datetime.ts'
import { listFiles } from './local/list-files.ts'
import { readFile } from './local/read-file.ts'
import { searchFiles } from './local/search-files.ts'
import { writeFile } from './local/write-file.ts'

/** The tools that need nothing but this machine. */
export function localTools({ now }: { readonly now: () => number }): readonly Tool[] {
  return [datetime(now), calculator, readFile, writeFile, listFiles, searchFiles()]
}
