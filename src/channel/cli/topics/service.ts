import type { Command } from 'commander'
import type { SettingView } from '../../../config/index.ts'
import type { ModelView, ProviderNote } from '../../../model/index.ts'
import type { Answer, Cli, Flags } from '../cli.ts'
import { mark, modelRow, table } from '../model-rows.ts'

const SETTINGS = `
Settings come from the environment, or from segno.config.json or segno.config.ts in this folder:
  SEGNO_HOST, SEGNO_PORT   where to listen (127.0.0.1, 4747; port 0 picks one)
  SEGNO_HOME               folder of the database (~/.segno)
  SEGNO_DATABASE_URL       PostgreSQL instead, such as postgres://user:password@host:5432/segno; several nodes on it
                           also need SEGNO_CLUSTER_SECRET and SEGNO_NODE_URL (docs/cluster.md)
  SEGNO_REQUIRE_KEY        on: everybody needs a key, also on this machine
  ANTHROPIC_API_KEY, OPENAI_API_KEY, DEEPSEEK_API_KEY, GOOGLE_GENERATIVE_AI_API_KEY
                           one of them is enough; or OPENAI_COMPATIBLE_BASE_URL, or a local Ollama
  SEGNO_PROVIDERS          more of them, such as {"house": {"baseURL": "http://127.0.0.1:8000/v1"}} (docs/models.md)
  SEGNO_MODEL              the model to use, such as claude-sonnet or openai:gpt-4o (segno doctor lists them)
  SEGNO_SEARCH             the engine of web_search: brave, tavily or searxng, with BRAVE_API_KEY, TAVILY_API_KEY or
                           SEGNO_SEARCH_URL (docs/tools.md)
  SEGNO_SCRIPT             scenarios for the scripted model
  SEGNO_PROTOCOL           unified or triggered
  SEGNO_DURABILITY         full or normal
  SEGNO_LIMITS_...         see docs/settings.md`

export function serviceTopic(segno: Command, { world, print }: Cli): void {
  segno
    .command('serve')
    .description('run the server')
    .addHelpText('after', SETTINGS)
    .action(() => world.serve())

  segno
    .command('doctor')
    .description(
      'tell how things stand: the model in use and why, which providers and models are usable, what is missing',
    )
    .option('--settings', 'every setting with its value, default and origin')
    .option('--ask', 'ask the default model something, to see that its key works (this may cost a little)')
    .option('--json', 'for programs')
    .action(async (flags: DoctorFlags) => print(doctorAnswer(await world.diagnose(flags.ask === true), flags), flags))
}

interface DoctorFlags extends Flags {
  readonly settings?: boolean
  readonly ask?: boolean
}

export interface Diagnosis {
  readonly version: string
  readonly node: string
  readonly home: { readonly path: string; readonly fault?: string }
  /** PostgreSQL, if configured */
  readonly database?: { readonly path: string; readonly fault?: string; readonly note: string }
  readonly standard: string
  readonly why: string
  /** why the configured model cannot be used */
  readonly fault?: string
  readonly providers: readonly ProviderNote[]
  readonly models: readonly ModelView[]
  /** of the bash tool */
  readonly sandbox: { readonly ok: boolean; readonly note: string }
  /** of web_search */
  readonly search: { readonly ok: boolean; readonly note: string }
  /** what makes those of documents and memories */
  readonly vectors: { readonly ok: boolean; readonly note: string }
  /** where workflows report what comes later */
  readonly results: { readonly ok: boolean; readonly note: string }
  readonly settings: readonly SettingView[]
  /** the result of trying the default model */
  readonly asked?: { readonly ok: boolean; readonly text: string }
}

function doctorAnswer(diagnosis: Diagnosis, { settings }: DoctorFlags): Answer {
  const { home, database, providers, models, standard, why, asked } = diagnosis
  const faults = [home.fault, database?.fault, diagnosis.fault]
  const ok = faults.every((fault) => fault === undefined) && diagnosis.vectors.ok && asked?.ok !== false
  const lines = [
    `Segno ${diagnosis.version} on Node ${diagnosis.node}`,
    `home      ${home.path} (${home.fault ?? 'can be written'})`,
    ...(database ? [`database  ${database.path} (${database.note})`] : []),
    `model     ${standard}: ${why}`,
    ...(asked ? [`asked     ${asked.text}`] : []),
    `bash      ${diagnosis.sandbox.note}`,
    `search    ${diagnosis.search.note}`,
    `vectors   ${diagnosis.vectors.note}`,
    `results   ${diagnosis.results.note}`,
    '',
    'Providers of settings',
    ...table(providers.map(({ name, usable, note }) => [mark(usable), name, note])),
    '',
    'Models',
    ...table(models.map((one) => modelRow({ ...one, model: one.modelId, tools: one.tools ?? true }))),
    '',
    'Providers that were set while Segno ran are not looked at here: segno providers ls',
    'segno doctor --ask tries the model; --settings lists every setting; docs/models.md tells how to add models.',
  ]
  const text = settings ? settingsTable(diagnosis.settings) : lines.join('\n')
  return { json: { ok, ...diagnosis }, indent: 2, text, ok }
}

function settingsTable(settings: readonly SettingView[]): string {
  const rows = settings.map((one) => [one.name, one.value || '-', one.default || '-', one.origin])
  return table([['setting', 'value', 'default', 'from'], ...rows]).join('\n')
}
