import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { verifies } from '../../../tests/support/verifies.ts'
import type { World } from './cli.ts'
import { program } from './program.ts'

const unused = () => Promise.reject(new Error('not asked for'))

/** A command line whose every way to a Segno is noted and ends there. */
function noting(): { segno: Command; looked: (boolean | undefined)[] } {
  const looked: (boolean | undefined)[] = []
  const world: World = {
    version: '0',
    serve: unused,
    converse: unused,
    diagnose: unused,
    migrate: unused,
    copy: unused,
    print() {},
    write: unused,
    confirm: undefined,
    reach(_, passive) {
      looked.push(passive)
      return unused()
    },
  }
  return { segno: program(world), looked }
}

const named = (command: Command): [string, Command][] =>
  command.commands.flatMap((one) =>
    one.commands.length === 0
      ? [[one.name(), one] as [string, Command]]
      : named(one).map(([name, inner]): [string, Command] => [`${one.name()} ${name}`, inner]),
  )

verifies('REL-4', 'no command lets rounds go on but those that are about it', async () => {
  const acting: string[] = []
  const { segno, looked } = noting()
  for (const [name, command] of named(segno)) {
    const before = looked.length
    const args = [...name.split(' '), ...command.registeredArguments.filter(({ required }) => required).map(() => '1')]
    await segno.parseAsync(args, { from: 'user' }).catch(() => {})
    if (looked.slice(before).includes(false)) acting.push(name)
  }
  expect(acting).toEqual([
    'rounds resume',
    'rounds continue',
    'approvals approve',
    'approvals deny',
    'calls reconcile',
    'workflows invoke',
  ])
})

test.each([
  ['knowledge rm', 'segno knowledge rm'],
  ['chat a b --nothing', 'segno chat'],
  ['knowledge nothing', 'segno knowledge'],
  ['nothing', 'segno'],
])('segno %s tells where help is', async (args, where) => {
  const { segno } = noting()
  let told = ''
  const all = [segno, ...segno.commands, ...named(segno).map(([, command]) => command)]
  for (const one of all) one.configureOutput({ writeErr: (text) => void (told += text) })
  await segno.parseAsync(args.split(' '), { from: 'user' }).catch(() => {})
  expect(told).toContain(`(${where} --help tells `)
})
