import type { GovernedPrompt } from '../contract/governed-prompt.ts'
import { lineDiff } from '../lib/line-diff.ts'

export interface PromptDiff {
  /** ids of the two prompts */
  readonly from: string
  readonly to: string
  /** the hunks of a unified diff; empty if both say the same */
  readonly diff: string
  /** lines */
  readonly added: number
  readonly removed: number
}

export async function diffPrompts(from: GovernedPrompt, to: GovernedPrompt): Promise<PromptDiff> {
  // With a line end at the end of both, nothing has to be said about one that is missing.
  const diff = (await lineDiff(`${from.content}\n`, `${to.content}\n`)) ?? replaced(from.content, to.content)
  const lines = diff.split('\n')
  const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length
  return { from: from.id, to: to.id, diff, added: count('+'), removed: count('-') }
}

/** One hunk that takes everything away and adds everything, for texts that have too little in common. */
function replaced(before: string, after: string): string {
  const [gone, come] = [before.split('\n'), after.split('\n')]
  const head = `@@ -1,${gone.length} +1,${come.length} @@`
  return [head, ...gone.map((line) => `-${line}`), ...come.map((line) => `+${line}`)].join('\n')
}
