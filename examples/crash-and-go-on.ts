/**
 * Nothing lost, nothing done twice: this program starts itself as a child, kills the child without warning right after
 * a tool had its effect, and goes on where it was. The message is answered, and the effect happened once.
 *
 *   node --conditions=segno-source examples/crash-and-go-on.ts
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSegno, type Segno, type Tool } from 'segno'

const model = {
  scenarios: [
    {
      when: 'transfer',
      turns: [{ text: 'Transferring.', calls: [{ name: 'transfer', args: { euros: 100 } }] }, { text: 'It is done.' }],
    },
  ],
}

/** Money moves by a line in a file. The tool can look whether a transfer with this key is there. */
function transferTool(ledger: string, afterwards: () => Promise<void>): Tool {
  const isDone = (key: string): boolean => readFileSync(ledger, { encoding: 'utf8', flag: 'a+' }).includes(key)
  return {
    name: 'transfer',
    description: 'Transfers money.',
    input: { type: 'object', properties: { euros: { type: 'number' } }, required: ['euros'] },
    effect: 'verifiable',
    approval: 'auto',
    async run({ euros }, { idempotencyKey }) {
      appendFileSync(ledger, `${idempotencyKey} ${euros as number}\n`)
      await afterwards()
      return 'transferred'
    },
    async verify(_args, { idempotencyKey }) {
      return isDone(idempotencyKey) ? { happened: true, output: 'transferred' } : { happened: false }
    },
  }
}

const open = (home: string, afterwards: () => Promise<void>): Promise<Segno> =>
  createSegno({ home, model, tools: [transferTool(join(home, 'ledger'), afterwards)] })

/** The child: the money has moved, and then nobody gets to note it down. */
async function beKilled(home: string): Promise<void> {
  const segno = await open(home, () => new Promise(() => process.send?.('the money has moved')))
  const session = await segno.createSession()
  const { requestId } = await segno.streamRequest(session.id, 'Please transfer 100 euros.')
  process.send?.({ sessionId: session.id, requestId })
}

async function main(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'segno-crash-'))
  const child = spawn(process.execPath, [...process.execArgv, import.meta.filename, home], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  let sent: { sessionId: string; requestId: string } | undefined
  for (let moved = false; !moved || !sent;) {
    const [message] = (await once(child, 'message')) as [NonNullable<typeof sent> | string]
    if (typeof message === 'string') moved = true
    else sent = message
    console.log('child:', message)
  }
  child.kill('SIGKILL')
  await once(child, 'exit')
  console.log('the child is dead; going on')

  const segno = await open(home, async () => {})
  const answer = await segno.completion(sent.sessionId, sent.requestId)
  console.log(`transfer: ${answer.calls[0]?.outcome}, effect ${answer.calls[0]?.effect}`)
  console.log(`answer: ${answer.content}`)
  assert.equal(answer.finishReason, 'complete')
  assert.deepEqual(
    answer.calls.map(({ name, outcome, effect }) => [name, outcome, effect]),
    [['transfer', 'ok', 'done']],
  )
  assert.equal(readFileSync(join(home, 'ledger'), 'utf8').trim().split('\n').length, 1, 'the money moved once')
  await segno.close()
  rmSync(home, { recursive: true })
}

const [home] = process.argv.slice(2)
await (home === undefined ? main() : beKilled(home))
