import type { Command } from 'commander'
import type { Provider } from '../../../client/index.ts'
import { Problem } from '../../../contract/problem.ts'
import type { ProviderInput } from '../../../contract/provider.ts'
import { visible } from '../../../lib/visible.ts'
import { listed, subcommand, type Answer, type Cli } from '../cli.ts'
import type { Reached } from '../reach.ts'
import { readWords } from '../read-text.ts'
import { readVariable } from '../read-variable.ts'

const KEYS = `
A key is never given on the command line, where others on this machine could see it:
  segno providers set anthropic --key-env MY_KEY
  segno providers set house --url https://models.example.org/v1 --key-stdin < key.txt
  segno providers set house --key-stdin < new-key.txt        # what is not named stays as it was

What settings set up (ANTHROPIC_API_KEY, SEGNO_PROVIDERS …) counts, and is changed there.`

/** Providers of models, and the key of their secrets. */
export function providersTopic(segno: Command, { looking }: Cli): void {
  const providers = segno.command('providers').description('where models come from')
  subcommand(providers, 'ls', 'those of settings, and those set while Segno runs').action(looking(listProviders))
  subcommand(providers, 'set <name>', 'set one up, or change it; it can be used at once')
    .option('--kind <kind>', 'one that Segno knows, such as anthropic (default: its name, else openai-compatible)')
    .option('--url <url>', 'where its server is; public, unless SEGNO_PRIVATE_ORIGINS names its origin')
    .option('--key-env <variable>', 'read its key from this variable, now; it is stored encrypted')
    .option('--key-stdin', 'read its key from standard input')
    .option('--no-key', 'take its key away')
    .option('--header <name=value...>', 'sent with every request; given once they replace all earlier ones')
    .option('--header-env <name=variable...>', 'the same, with the value from a variable')
    .option('--query <name=value...>', 'added to the address of every request')
    .option('--local', 'it runs on your own machines: its models cost nothing')
    .option('--no-local', 'its models cost something after all')
    .addHelpText('after', KEYS)
    .action(looking(setProvider))
  subcommand(providers, 'rm <name>', 'remove one, with its key').action(looking(removeProvider))
  subcommand(providers, 'test <name>', 'does it answer? exit code 1 if not', 'segno providers test house')
    .option('--model <id>', 'what it calls one of its models, if it does not list them')
    .action(looking(testProvider))

  const secrets = segno.command('secrets').description('keys and tokens that Segno has stored, encrypted')
  const rotating = 'encrypt all of them with a new key, and drop the earlier ones from the key file'
  const forgetting = 'remove those that cannot be read, because their key is lost'
  subcommand(secrets, 'forget-lost', forgetting, 'segno secrets forget-lost').action(looking(forgetLost))
  subcommand(secrets, 'rotate', rotating, 'segno secrets rotate').action(looking(rotateSecrets))
}

async function listProviders({ client }: Reached): Promise<Answer> {
  const none = 'No provider is set up. Set one with: segno providers set <name> (--help tells how)'
  return listed(await client.providers(), providerText, none)
}

function providerText({ name, kind, baseURL, hasKey, setting, missing, local }: Provider): string {
  const more = [hasKey ? 'with a key' : 'without a key', ...(local ? ['local'] : [])].join(', ')
  const from = setting === undefined ? 'set while Segno ran' : `set by ${setting}`
  const where = baseURL === undefined ? '' : ` at ${visible(baseURL)}`
  const why = missing === undefined ? '' : `\n  cannot be used: ${visible(missing)}`
  return `${name}  ${kind}${where}, ${more}, ${from}${why}`
}

interface SetFlags {
  readonly kind?: string
  readonly url?: string
  readonly key?: boolean
  readonly keyEnv?: string
  readonly keyStdin?: boolean
  readonly header?: readonly string[]
  readonly headerEnv?: readonly string[]
  readonly query?: readonly string[]
  readonly local?: boolean
}

async function setProvider({ client }: Reached, name: string, flags: SetFlags): Promise<Answer> {
  const { kind, url, header, headerEnv, query, local } = flags
  const key = await keyIn(flags)
  const input: ProviderInput = {
    ...(kind !== undefined && { kind }),
    ...(url !== undefined && { baseURL: url }),
    ...(key !== undefined && { key }),
    ...((header || headerEnv) && { headers: { ...pairs(header), ...fromVariables(headerEnv) } }),
    ...(query && { query: pairs(query) }),
    ...(local !== undefined && { local }),
  }
  const set = await client.setProvider(name, input)
  const next = `Does it answer? segno providers test ${name}`
  return { json: set, text: `${providerText(set)}\n${next}` }
}

/** Undefined if it stays as it is. */
async function keyIn({ key, keyEnv, keyStdin }: SetFlags): Promise<string | null | undefined> {
  const ways = [key === false, keyEnv !== undefined, keyStdin === true].filter(Boolean)
  if (ways.length > 1)
    throw new Problem('VALIDATION_ERROR', 'Say once where the key is: --key-env, --key-stdin or --no-key.')
  if (key === false) return null
  if (keyEnv !== undefined) return readVariable(keyEnv)
  return keyStdin === true ? (await readWords('-')).trim() : undefined
}

function pairs(texts: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const [name = '', value] = text.split(/=(.*)/s)
      if (value === undefined) throw new Problem('VALIDATION_ERROR', `"${name}" has no value, expected name=value.`)
      return [name, value]
    }),
  )
}

const fromVariables = (texts: readonly string[] = []): Record<string, string> =>
  Object.fromEntries(Object.entries(pairs(texts)).map(([name, from]) => [name, readVariable(from)]))

async function removeProvider({ client }: Reached, name: string): Promise<Answer> {
  await client.removeProvider(name)
  return { json: { name, removed: true }, text: `${name} is removed, and its key is forgotten.` }
}

async function testProvider({ client }: Reached, name: string, { model }: { model?: string }): Promise<Answer> {
  const tested = await client.testProvider(name, model)
  return { json: tested, text: tested.message, ok: tested.ok }
}

async function rotateSecrets({ client }: Reached): Promise<Answer> {
  const rotated = await client.rotateSecrets()
  const { key, secrets, keepsEarlier } = rotated
  const left = keepsEarlier
    ? '\nThe key file could not be written: take every key but the first one out of it yourself.'
    : ''
  const many = secrets === 1 ? '1 secret is' : `${secrets} secrets are`
  return { json: rotated, text: `${many} encrypted with the new key ${key}.${left}` }
}

async function forgetLost({ client }: Reached): Promise<Answer> {
  const answer = await client.forgetLostSecrets()
  const { forgotten } = answer
  const text = forgotten.length === 0 ? 'All secrets can be read.' : `Forgotten: ${forgotten.map(visible).join(', ')}.`
  return { json: answer, text }
}
