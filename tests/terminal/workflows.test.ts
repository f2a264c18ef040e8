import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { segno, serving } from '../scenarios/account/support/cli.ts'
import { verifies } from '../support/verifies.ts'
import { workReceiver } from '../support/work-receiver.ts'
import { homeWith, openTerminal } from './support/terminal.ts'

verifies(
  'GOV-12',
  'segno chat says which workflow it waits for and since when, and goes on when its result comes',
  async () => {
    const other = await workReceiver()
    const calls = [{ name: 'workflow_later', args: { file: 'a.png' } }]
    const given = homeWith({ scenarios: [{ when: '^smaller', turns: [{ calls }, { text: 'Smaller by now.' }] }] })
    const env = { ...given.env, SEGNO_WORKFLOW_ORIGINS: other.origin }
    writeFileSync(join(given.home, 'in.json'), JSON.stringify({ type: 'object' }))
    await serving(given.home, env)
    const told = async (...args: string[]): Promise<string> => {
      const { code, out, err } = await segno(given.home, args, env)
      expect([code, err]).toEqual([0, ''])
      return out
    }
    const at = ['--engine', 'http', '--url', `${other.origin}/later`, '--input', 'in.json', '--description', 'Later']
    await told('workflows', 'add', 'later', ...at, '--approval', 'auto')
    const terminal = openTerminal({ ...given, env })
    await terminal.waitFor('›')
    terminal.type('smaller\r')
    await terminal.waitFor(/waiting for a workflow since \d\d:\d\d: workflow_later/)
    const [run] = JSON.parse(await told('workflows', 'runs', '--json')) as { id: string }[]
    await told('workflows', 'settle', run?.id ?? '', 'success', '--output', '{"file": "a.small.png"}')
    await terminal.waitFor(/✓ workflow_later[^]*Smaller by now\.[^]*Done/)
  },
)
