import { expect, test } from 'vitest'
import { reach } from '../../src/channel/cli/index.ts'
import { replay } from '../../src/channel/cli/topics/replay.ts'
import { delay } from '../../src/lib/delay.ts'
import { newHome, segno } from '../scenarios/account/support/cli.ts'
import { probe } from '../support/probe-tool.ts'
import { segnoUnderTest } from '../support/segno-under-test.ts'
import { verifies } from '../support/verifies.ts'

verifies(
  'COO-2',
  'segno rounds tells how rounds stand and why they ended, and cancels them',
  async () => {
    const it = await segnoUnderTest({
      tools: [probe('probe', { approval: 'always', cost: 1500 })],
      script: {
        scenarios: [
          { when: 'use it', turns: [{ calls: [{ name: 'probe', args: {} }] }, { text: 'Done.' }] },
          { when: 'break', turns: [{ fault: { kind: 'error', status: 400 } }] },
        ],
        otherwise: { text: 'Done.' },
      },
      limits: { RETRIES: 0 },
    })
    const { requestId: done } = await it.ask('hello')
    const { requestId: broken, error = '' } = await it.ask('break')
    const { round } = await it.askUntilWaiting('use it')
    await it.segno.close()
    const run = async (...args: string[]): Promise<string> => {
      const { code, out, err } = await segno(it.home, ['rounds', ...args])
      expect([code, err]).toEqual([0, ''])
      return out
    }
    const lines = (await run('ls', '--session', it.sessionId)).split('\n')
    expect(lines.map((line) => line.slice(0, 36))).toEqual([round.requestId, broken, done])
    expect(lines[0]).toContain('waiting for approval')
    expect(lines[1]).toContain('Failed')
    expect(await run('ls', '--state', 'paused')).toBe('There are no such rounds.')

    const failed = await run('show', broken)
    expect(failed).toMatch(new RegExp(`^round ${broken}: Failed\n  because  `))
    expect(error).not.toBe('')
    expect(failed).toContain(error)
    const waiting = await run('show', round.requestId)
    expect(waiting).toContain('call     probe → not finished')
    expect(waiting).toContain('segno approvals ls')

    expect(await run('cancel', round.requestId)).toMatch(/cancelled|Cancelled/)
    const { finishReason } = JSON.parse(await run('show', round.requestId, '--json')) as { finishReason: string }
    expect(finishReason).toBe('cancelled')
    expect(await run('cancel', done)).toBe('The round has ended: Done.')
    const resumed = await segno(it.home, ['rounds', 'resume', done])
    expect([resumed.code, resumed.out]).toEqual([1, ''])
    expect(resumed.err).toContain('ended, not paused')
  },
  60_000,
)

verifies(
  'GOV-7',
  'segno rounds continue goes on from a round that used up its turns, and rounds show tells of it',
  async () => {
    const it = await segnoUnderTest({
      tools: [probe('probe')],
      turns: [{ calls: [{ name: 'probe', args: {} }] }, { text: 'Enough.' }],
      limits: { MAX_ITERATIONS: 1 },
    })
    const { requestId } = await it.ask('hello')
    await it.segno.close()
    const shown = await segno(it.home, ['rounds', 'show', requestId])
    expect(shown.out).toContain(`next     segno rounds continue ${requestId}`)
    const [, next = ''] =
      /^It goes on as round (\S+)\.$/m.exec((await segno(it.home, ['rounds', 'continue', requestId])).out) ?? []
    const again = await segno(it.home, ['rounds', 'continue', requestId, '--json'])
    expect(JSON.parse(again.out)).toMatchObject({ requestId: next })
    const said = await segno(it.home, ['sessions', 'show', it.sessionId])
    expect(said.out).toMatch(/User\n {4}hello\n[^]*\bContinued\n/)
    expect(said.out).not.toContain('wants you to go on')
    const other = await segno(it.home, ['rounds', 'continue', 'nowhere'])
    expect([other.code, other.err]).toEqual([1, expect.stringContaining('There is no round nowhere.')])
  },
  60_000,
)

verifies(
  'LIN-1',
  'segno replay plays every stored event in its order, with the pauses there were, and calls nothing',
  async () => {
    const slow = probe('probe', {
      async run(_, { signal }) {
        await delay(50, signal)
        return 'raw output'
      },
    })
    const it = await segnoUnderTest({
      tools: [slow],
      turns: [{ text: 'Looking.', calls: [{ name: 'probe', args: {} }] }, { text: 'Found.' }],
    })
    const { requestId } = await it.ask('Where?')
    await it.ask('And again?')
    const [asked, ran] = [it.requests.length, slow.runs.length]
    const reached = await reach({ home: it.home, key: undefined, server: undefined, open: async () => it.segno })

    async function play(speed: number | undefined, json: boolean) {
      let waited = 0
      const flags = { round: requestId, ...(speed !== undefined && { speed }) }
      const wait = async (ms: number): Promise<void> => void (waited += ms)
      return { texts: await Array.fromAsync(replay(reached, it.sessionId, { ...flags, json }, wait)), waited }
    }
    const events = (await it.events()).filter((event) => event.requestId === requestId)
    const lasted = (events.at(-1)?.at ?? 0) - (events[0]?.at ?? 0)
    expect(lasted).toBeGreaterThanOrEqual(45)
    const atOnce = await play(undefined, true)
    expect(atOnce.texts.map((text) => (JSON.parse(text) as { id: string }).id)).toEqual(events.map(({ id }) => id))
    expect(atOnce.waited).toBe(0)
    expect((await play(1, false)).waited).toBe(lasted)
    expect((await play(20, false)).waited).toBeCloseTo(lasted / 20)
    expect([it.requests.length, slow.runs.length]).toEqual([asked, ran])

    await it.segno.close()
    const { code, out } = await segno(it.home, ['replay', it.sessionId.slice(0, 13)])
    expect(code).toBe(0)
    expect(out).toMatch(/User\n {4}Where\?[^]*Looking\.[^]*probe → ok[^]*Found\.[^]*Done · [^]*And again\?/)
    expect(out).not.toContain('raw output')
  },
)

test.each([
  ['a speed that is none', ['replay', 'abcdef', '--speed', 'fast'], 2, 'fast'],
  ['a speed of nothing', ['replay', 'abcdef', '--speed', '0'], 2, '0'],
  ['a round that is not there', ['rounds', 'show', 'nowhere'], 1, 'no round nowhere'],
  ['a state that is none', ['rounds', 'ls', '--state', 'asleep'], 1, 'state'],
])('says what is wrong with %s', async (_, args, code, named) => {
  const ran = await segno(newHome(), args)
  expect([ran.code, ran.out]).toEqual([code, ''])
  expect(ran.err).toContain(named)
  expect(ran.err).not.toMatch(/\n\s+at /)
})
