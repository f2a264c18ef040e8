import type { Command } from 'commander'
import type { Client } from '../../client/index.ts'
import type { Action } from '../../contract/automation.ts'
import { Problem } from '../../contract/problem.ts'
import { jsonObject } from './cli.ts'
import { workflowId } from './find-automation.ts'
import { findSession } from './find-session.ts'
import type { Reached } from './reach.ts'

export interface ActionFlags {
  readonly workflow?: string
  readonly input?: string
  readonly session?: string
  readonly say?: string
}

/** The flags that say what a hook or schedule starts. */
export const withActionFlags = (command: Command, words: { readonly input: string; readonly say: string }): Command =>
  command
    .option('--workflow <name>', 'run this workflow')
    .option('--input <json>', words.input)
    .option('--session <id>', 'or say something in this conversation')
    .option('--say <text>', words.say)

/** What the flags name, undefined if nothing. */
export async function actionIn(
  reached: Reached,
  flags: ActionFlags,
): Promise<Exclude<Action, EventAction> | undefined> {
  const { workflow, input, session, say } = flags
  if (workflow !== undefined && (session ?? say) !== undefined)
    throw new Problem('VALIDATION_ERROR', 'Say one thing to do: --workflow, or --session with --say.')
  if (input !== undefined && workflow === undefined)
    throw new Problem('VALIDATION_ERROR', 'Say which workflow --input is for: --workflow <name>.')
  if (workflow !== undefined) return workflowAction(reached.client, workflow, input)
  if (session === undefined && say === undefined) return undefined
  if (session === undefined || say === undefined)
    throw new Problem('VALIDATION_ERROR', 'Give --session and --say together.')
  return { does: 'message', sessionId: (await findSession(reached, session)).id, content: say }
}

type EventAction = Extract<Action, { does: 'event' }>

async function workflowAction(client: Client, name: string, input: string | undefined) {
  const given = input === undefined ? {} : { input: jsonObject(input, 'The input') as Input }
  return { does: 'workflow', workflowId: await workflowId(client, name), ...given } as const
}

type Input = NonNullable<Extract<Action, { does: 'workflow' }>['input']>
