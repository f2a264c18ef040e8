import type { Command } from 'commander'
import { automationsOf } from '../../../client/index.ts'
import type { Action } from '../../../contract/automation.ts'
import { Problem } from '../../../contract/problem.ts'
import { actionIn, withActionFlags, type ActionFlags } from '../action-flags.ts'
import { enabling, listing, removing, shownAs, showing } from '../automation-commands.ts'
import { scheduleText } from '../automation-words.ts'
import { subcommand, type Answer, type Cli } from '../cli.ts'
import { automationId } from '../find-automation.ts'
import type { Reached } from '../reach.ts'

const KIND = { route: 'schedules', one: 'schedule', text: scheduleText } as const
const NONE = 'There are no schedules. Add one with: segno schedules add "0 9 * * *" --workflow <name>'

export function schedulesTopic(segno: Command, cli: Cli): void {
  const { looking } = cli
  const schedules = segno
    .command('schedules')
    .description('workflows and messages that the clock starts')
    .addHelpText('after', WALK)
  listing(schedules, cli, KIND, NONE)
  showing(schedules, cli, KIND)
  const adding = 'start something by the clock'
  const example = `segno schedules add "0 9 * * 1-5" --time-zone Europe/Berlin --workflow report`
  withScheduleFlags(subcommand(schedules, 'add <cron>', adding, example)).action(looking(addSchedule))
  const changing = 'change what is named here; everything else stays'
  withScheduleFlags(
    subcommand(schedules, 'change <id>', changing, 'segno schedules change 0199a5c1 --cron "0 8 * * *"'),
  )
    .option('--cron <cron>', 'other times')
    .action(looking(changeSchedule))
  enabling(schedules, cli, KIND)
  removing(schedules, cli, KIND)
}

const WALK = `
A schedule has five fields: minute, hour, day of the month, month, day of the week. In quotes, because of the stars:
  segno schedules add "0 9 * * 1-5" --time-zone Europe/Berlin --workflow report --input '{"of": "yesterday"}'
  segno schedules add "*/30 * * * *" --session 0199a5c1 --say "Is anything new in the queue?"
  segno schedules ls                              when each starts next, by your clock

It runs as you, with what you are allowed at that moment. What still runs from the last time is not started again.
After a downtime only the latest time that was missed is made up for, if that is less than an hour ago.`

const withScheduleFlags = (command: Command): Command =>
  withActionFlags(command, {
    input: 'what the workflow is given (default: {})',
    say: 'the message that is sent there',
  }).option('--time-zone <name>', 'where the clock stands, such as Europe/Berlin (default: UTC)')

interface ScheduleFlags extends ActionFlags {
  readonly timeZone?: string
  readonly cron?: string
}

async function addSchedule(reached: Reached, cron: string, flags: ScheduleFlags): Promise<Answer> {
  const action = await actionIn(reached, flags)
  if (action === undefined)
    throw new Problem('VALIDATION_ERROR', 'Say what it starts: --workflow <name>, or --session <id> --say "…".')
  const body = { cron, ...zoneIn(flags), ...fieldsOf(action) }
  return shownAs(reached.client, KIND, await automationsOf(reached.client).add('schedules', body))
}

const zoneIn = ({ timeZone }: ScheduleFlags) => (timeZone === undefined ? {} : { timeZone })

const fieldsOf = (action: Exclude<Action, { does: 'event' }>) =>
  action.does === 'workflow'
    ? { workflowId: action.workflowId, ...(action.input && { input: action.input }) }
    : { sessionId: action.sessionId, content: action.content }

async function changeSchedule(reached: Reached, given: string, flags: ScheduleFlags): Promise<Answer> {
  const action = await actionIn(reached, flags)
  const { cron } = flags
  const changes = { ...(cron !== undefined && { cron }), ...zoneIn(flags), ...(action && fieldsOf(action)) }
  if (Object.keys(changes).length === 0)
    throw new Problem('VALIDATION_ERROR', 'Say what to change, such as --cron "0 8 * * *"; --help lists all.')
  const { client } = reached
  return shownAs(
    client,
    KIND,
    await automationsOf(client).change('schedules', await automationId(client, 'schedules', given), changes),
  )
}
