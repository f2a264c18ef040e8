import type { Tool } from '../../contract/tool.ts'
import { dangersOf } from '../sandbox/dangers-of.ts'
import { endNote } from '../sandbox/end-note.ts'
import type { Sandbox, SandboxLimits } from '../sandbox/sandbox.ts'
import { textArgument } from './text-argument.ts'

const OUTPUT_CHARS = 100_000
/** It becomes one argument of a process, which may have 128 KiB, and a character may take three bytes. */
const LONGEST_COMMAND = 30_000
const NEWLINE = 10

export interface BashLimits extends SandboxLimits {
  /** the longest time for a command, also the default */
  readonly timeoutMs: number
}

/** A shell in a sandbox. */
export function bash(sandbox: Sandbox, limits: BashLimits): Tool {
  return {
    name: 'bash',
    description:
      'Runs a command with bash in the folder of this workspace and returns what it prints. It has no network, can ' +
      'change nothing outside the folder and /tmp, and is stopped at its time limit; /tmp and processes in the ' +
      'background do not outlast it.',
    input: {
      type: 'object',
      properties: {
        command: { type: 'string', minLength: 1, maxLength: LONGEST_COMMAND },
        timeoutMs: { type: 'integer', minimum: 1, maximum: limits.timeoutMs, description: 'milliseconds it may take' },
      },
      required: ['command'],
      additionalProperties: false,
    },
    effect: 'unsafe',
    inFolder: true,
    approval: (args) => (dangersOf(textArgument(args, 'command')).length === 0 ? 'ask' : 'always'),
    // It can read any file of the folder, but send nothing out.
    reach: ['secrets'],
    normalise: { command: 'command' },
    target: (args) => textArgument(args, 'command'),
    show: (args) => {
      const text = textArgument(args, 'command')
      return { kind: 'command', text, dangers: dangersOf(text) }
    },
    outputChars: OUTPUT_CHARS,
    timeoutMs: limits.timeoutMs,
    async *run(args, { folder, signal }) {
      const timeoutMs = Math.min(Number(args['timeoutMs'] ?? limits.timeoutMs), limits.timeoutMs)
      let last: number | undefined
      const running = sandbox.run(textArgument(args, 'command'), { folder, signal, timeoutMs })
      try {
        let next = await running.next()
        for (; next.done !== true; next = await running.next()) {
          last = next.value.at(-1)
          yield next.value
        }
        const note = endNote(next.value, limits, timeoutMs)
        if (note !== undefined) yield last === undefined || last === NEWLINE ? note : `\n${note}`
      } finally {
        // Stops the command if the output is no longer read.
        await running.return({ stopped: 'cancelled' })
      }
    },
  }
}
