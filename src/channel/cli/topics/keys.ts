import { Option, type Command } from 'commander'
import { ROLES } from '../../../contract/actor.ts'
import { common, wholeNumber, type Cli, type Common } from '../cli.ts'
import { addKey, listKeys, removeKey, type NewKeyFlags } from '../keys-command.ts'

export function keysTopic(segno: Command, { looking }: Cli): void {
  const keys = segno.command('keys').description('keys that let others in')
  common(
    keys.command('add <name>').description('make a key; it is shown once'),
    'segno keys add "web app" --user app --scope chat:* --days 90',
  )
    .option('--user <id>', 'who asks with this key (default: the owner of this machine)')
    .addOption(new Option('--role <role>', 'what it may do').choices(ROLES).default('user'))
    .option('--scope <permission...>', 'only these of what the role may, e.g. chat:read')
    .option('--tenant <name>', 'of which tenant (default: local); another one than your own needs operator')
    .option(
      '--operator',
      'it may also run the installation: the database, stored jobs, keys of all tenants, the whole audit log',
    )
    .option('--days <n>', 'after how many days it ends (default: never)', wholeNumber)
    .action((name: string, flags: NewKeyFlags & Common) =>
      looking(flags, (reached, json) => addKey(reached, name, flags, json)),
    )
  common(keys.command('ls').description('list the keys, without their secrets')).action((flags: Common) =>
    looking(flags, listKeys),
  )
  common(keys.command('rm <id>').description('revoke a key; streams open under it end, rounds go on')).action(
    (id: string, flags: Common) => looking(flags, (reached, json) => removeKey(reached, id, json)),
  )
}
