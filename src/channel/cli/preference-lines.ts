import type { Preferences } from '../../contract/preferences.ts'
import { visibleText } from '../../lib/visible.ts'

/** Preferences for people, one in a line. */
export function preferenceLines(preferences: Preferences): string[] {
  const { responseLength, formality, customInstructions, allowMemory, allowWebSearch } = preferences
  const yesOrNo = (value: boolean | undefined, otherwise: string): string =>
    value === undefined ? `not set (${otherwise})` : value ? 'on' : 'off'
  return [
    `length        ${responseLength ?? 'not set'}`,
    `formality     ${formality ?? 'not set'}`,
    `memory        ${yesOrNo(allowMemory, 'off')}`,
    `web search    ${yesOrNo(allowWebSearch, 'on')}`,
    `instructions  ${customInstructions === undefined ? 'none' : indented(customInstructions)}`,
  ]
}

const indented = (text: string): string => visibleText(text).replaceAll('\n', `\n${' '.repeat(14)}`)
