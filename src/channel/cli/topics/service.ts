import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { doctorCommand, type DoctorFlags } from '../doctor-command.ts'

const SETTINGS = `
Settings come from the environment, or from segno.config.json or segno.config.ts in this folder:
  SEGNO_HOST, SEGNO_PORT   where to listen (127.0.0.1, 4747; port 0 picks one)
  SEGNO_HOME               folder of the database (~/.segno)
  SEGNO_REQUIRE_KEY        on: everybody needs a key, also on this machine
  ANTHROPIC_API_KEY, OPENAI_API_KEY, DEEPSEEK_API_KEY, GOOGLE_GENERATIVE_AI_API_KEY
                           one of them is enough; or OPENAI_COMPATIBLE_BASE_URL, or a local Ollama
  SEGNO_MODEL              the model to use, such as claude-sonnet or openai:gpt-4o (segno doctor lists them)
  SEGNO_SCRIPT             scenarios for the scripted model
  SEGNO_PROTOCOL           unified or triggered
  SEGNO_DURABILITY         full or normal
  SEGNO_LIMITS_...         see docs/settings.md`

export function serviceTopic(segno: Command, { world, print, fail }: Cli): void {
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
    .option('--ask', 'ask the standard model something, to see that its key works (this may cost a little)')
    .option('--json', 'for programs')
    .action(async (flags: DoctorFlags & { ask?: boolean }) => {
      const { text, ok } = doctorCommand(await world.diagnose(flags.ask === true), flags)
      if (!ok) fail()
      print(text, flags)
    })
}
