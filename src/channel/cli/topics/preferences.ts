import { Option, type Command } from 'commander'
import { FORMALITIES, RESPONSE_LENGTHS, type Preferences } from '../../../contract/preferences.ts'
import { Problem } from '../../../contract/problem.ts'
import { subcommand, type Answer, type Cli } from '../cli.ts'
import { preferenceLines } from '../preference-lines.ts'
import type { Reached } from '../reach.ts'
import { readWords } from '../read-text.ts'

const PATH = '/api/preferences'
const SWITCH = ['on', 'off'] as const

/** What `--unset` calls a preference. */
const NAMES = {
  length: 'responseLength',
  formality: 'formality',
  instructions: 'customInstructions',
  memory: 'allowMemory',
  'web-search': 'allowWebSearch',
} as const satisfies Record<string, keyof Preferences>

export function preferencesTopic(segno: Command, { looking }: Cli): void {
  const preferences = segno.command('preferences').description('what you want of every answer; your own only')
  subcommand(preferences, 'show', 'what is set').action(looking(showPreferences))
  const example = 'segno preferences set --length concise --instructions "I am a nurse; use metric units."'
  subcommand(preferences, 'set', 'set what is named here; everything else stays', example)
    .addOption(new Option('--length <how>', 'of an answer').choices(RESPONSE_LENGTHS))
    .addOption(new Option('--formality <how>', 'its tone').choices(FORMALITIES))
    .option('--instructions <text>', 'in your own words, for every answer')
    .option('--file <path>', 'the same from a file; - reads from standard input')
    .addOption(new Option('--memory <on|off>', 'may things about you be remembered? (off until set)').choices(SWITCH))
    .addOption(new Option('--web-search <on|off>', 'may the web be searched for you? (on until set)').choices(SWITCH))
    .addOption(new Option('--unset <name...>', 'take these back').choices(Object.keys(NAMES)))
    .action(looking(setPreferences))
  const forgetting = 'delete them; your words are erased also from what was sent to models'
  subcommand(preferences, 'forget', forgetting).action(looking(forgetPreferences))
}

const stored = ({ client }: Reached): Promise<Preferences> => client.preferences()

async function showPreferences(reached: Reached): Promise<Answer> {
  return shown(await stored(reached))
}

interface SetFlags {
  readonly length?: NonNullable<Preferences['responseLength']>
  readonly formality?: NonNullable<Preferences['formality']>
  readonly instructions?: string
  readonly file?: string
  readonly memory?: (typeof SWITCH)[number]
  readonly webSearch?: (typeof SWITCH)[number]
  readonly unset?: readonly (keyof typeof NAMES)[]
}

async function setPreferences(reached: Reached, flags: SetFlags): Promise<Answer> {
  const { length, formality, instructions, file, memory, webSearch, unset = [] } = flags
  if (instructions !== undefined && file !== undefined)
    throw new Problem('VALIDATION_ERROR', 'Give your words either with --instructions or with --file.')
  const words = file === undefined ? instructions : await readWords(file)
  const named = {
    ...(length !== undefined && { responseLength: length }),
    ...(formality !== undefined && { formality }),
    ...(words !== undefined && { customInstructions: words }),
    ...(memory !== undefined && { allowMemory: memory === 'on' }),
    ...(webSearch !== undefined && { allowWebSearch: webSearch === 'on' }),
  }
  if (Object.keys(named).length === 0 && unset.length === 0)
    throw new Problem('VALIDATION_ERROR', 'Say what to set, such as --length concise; --help lists all.')
  const dropped: readonly string[] = unset.map((name) => NAMES[name])
  const before = Object.entries(await stored(reached)).filter(([name]) => !dropped.includes(name))
  const body = { ...Object.fromEntries(before), ...named }
  return shown(await reached.client.requestJson<Preferences>('PUT', PATH, { body }))
}

async function forgetPreferences({ client }: Reached): Promise<Answer> {
  await client.requestEmpty('DELETE', PATH)
  return { json: { forgotten: true }, text: 'Your preferences are forgotten, and your words erased.' }
}

const shown = (preferences: Preferences): Answer => ({
  json: preferences,
  text: preferenceLines(preferences).join('\n'),
})
