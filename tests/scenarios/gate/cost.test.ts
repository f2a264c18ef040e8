import { describe, expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { JsonObject } from '../../../src/contract/message.ts'
import type { CostRule, Tool } from '../../../src/contract/tool.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest, type Opening } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

const LIMIT = 1_000

/** A tool that costs something, a model that calls it with each of these, and a user with 1,000 micro-dollars a day. */
async function paying(
  more: Partial<Tool>,
  calls: JsonObject[] = [{}],
  opening: Opening = {},
  dailyToolCost: number | null = LIMIT,
) {
  const tool = probe('search', { effect: 'unsafe', ...more })
  const segno = await segnoUnderTest({
    tools: [tool],
    turns: [{ calls: calls.map((args) => ({ name: 'search', args })) }, { text: 'Done.' }],
    ...opening,
  })
  await segno.segno.budgets.set(LOCAL_OWNER, LOCAL_OWNER.id, { dailyToolCost })
  const left = async () => (await segno.segno.budgets.get(LOCAL_OWNER)).left.tools
  async function pay(options: Parameters<typeof segno.ask>[1] = { attended: false }) {
    const { events, ...completion } = await segno.ask('Go.', options)
    const results = said(events, 'tool.result')
    return {
      ...completion,
      events,
      results,
      codes: results.map(({ code, outcome }) => code ?? outcome),
      reserved: said(events, 'tool.started').map(({ reserved }) => reserved),
      paid: results.map(({ cost }) => cost),
      left: await left(),
    }
  }
  return { segno, tool, pay, left }
}

const rules: Record<string, [cost: CostRule, args: JsonObject, expected: number]> = {
  'a fixed cost': [300, {}, 300],
  'a cost by character': [{ each: 2, unit: 'character', field: 'q' }, { q: 'abcde' }, 10],
  'a cost by record and call': [{ fixed: 100, each: 5, unit: 'record', field: 'n' }, { n: 4 }, 120],
  'a cost a function works out': [({ n }) => Number(n) * 10, { n: 7 }, 70],
}
for (const [what, [cost, args, expected]] of Object.entries(rules))
  verifies('GOV-9', `${what} is set aside with the start and spent with the result`, async () => {
    const { pay } = await paying({ cost }, [args])
    expect(await pay()).toMatchObject({ codes: ['ok'], reserved: [expected], paid: [expected], left: LIMIT - expected })
  })

for (const protocol of ['unified', 'triggered'] as const)
  verifies('GOV-9', `${protocol}: a call that costs more than is left is refused, and the round goes on`, async () => {
    const { pay, tool } = await paying({ cost: LIMIT + 1 })
    const paid = await pay({ protocol, attended: false })
    expect(paid).toMatchObject({ codes: ['BUDGET_EXCEEDED'], content: 'Done.', finishReason: 'complete', left: LIMIT })
    expect(tool.runs).toEqual([])
  })

verifies('GOV-9', 'calls of one turn share what is left', async () => {
  const { pay, tool } = await paying({ cost: 400 }, [{ n: 1 }, { n: 2 }, { n: 3 }])
  expect(await pay()).toMatchObject({ codes: ['ok', 'ok', 'BUDGET_EXCEEDED'], left: 200 })
  expect(tool.runs).toHaveLength(2)
})

verifies('GOV-9', 'pure calls that cost something share what is left too', async () => {
  const { pay } = await paying({ effect: 'pure', cost: 400 }, [{ n: 1 }, { n: 2 }, { n: 3 }])
  expect(await pay()).toMatchObject({ codes: ['ok', 'ok', 'BUDGET_EXCEEDED'], left: 200 })
})

verifies('GOV-9', 'a cost nobody knows asks a person each time, and is denied where nobody is there', async () => {
  const { pay, segno, tool } = await paying({ cost: 'unknown', effect: 'pure' }, [{}], {}, null)
  expect(await pay()).toMatchObject({ codes: ['UNATTENDED'] })
  const { round, approvals } = await segno.askUntilWaiting()
  expect(approvals).toMatchObject([{ rememberable: false }])
  expect(approvals[0]?.reason).toContain('what search costs is not known')
  await segno.decide(approvals[0], 'approve')
  await round.completion
  expect(tool.runs).toHaveLength(1)
})

verifies('GOV-9', 'a cost by a field that was not given is not known', async () => {
  const { pay } = await paying({ cost: { each: 1, unit: 'record', field: 'n' } }, [{}], {}, null)
  expect(await pay()).toMatchObject({ codes: ['UNATTENDED'] })
})

verifies('GOV-9', 'a cost that cannot be worked out refuses the call; nobody is asked', async () => {
  const cannot = () => {
    throw new Error('no price list')
  }
  const { pay, tool } = await paying({ cost: cannot, approval: 'always' })
  expect(await pay({ attended: true })).toMatchObject({
    codes: ['COST_ESTIMATE_FAILED'],
    content: 'Done.',
    left: LIMIT,
  })
  expect(tool.runs).toEqual([])
})

describe('what a call says it really cost', () => {
  const said500: Record<string, [charge: number, expected: number]> = {
    'less than was set aside': [120, 120],
    nothing: [0, 0],
    'more than was set aside': [900, 500],
    'a part of a micro-dollar': [0.5, 1],
    'less than nothing': [-50, 500],
    'no number': [Number.NaN, 500],
  }
  for (const [what, [charge, expected]] of Object.entries(said500))
    verifies('GOV-9', `is spent if it is ${what}: ${expected} of 500`, async () => {
      const { pay } = await paying({
        cost: 500,
        run(_, ctx) {
          ctx.charge(charge)
          return 'found'
        },
      })
      expect(await pay()).toMatchObject({ reserved: [500], paid: [expected], left: LIMIT - expected })
    })

  verifies('GOV-9', 'counts when it fails after that, and all counts when it said nothing', async () => {
    const failing = (charge?: number) =>
      paying({
        cost: 500,
        run(_, ctx) {
          if (charge !== undefined) ctx.charge(charge)
          throw new Error('no')
        },
      })
    expect(await (await failing(70)).pay()).toMatchObject({ codes: ['error'], paid: [70], left: LIMIT - 70 })
    expect(await (await failing()).pay()).toMatchObject({ codes: ['error'], paid: [500], left: LIMIT - 500 })
  })
})

verifies('GOV-9', 'what the operator says of the cost counts, whatever the tool declares', async () => {
  const { pay } = await paying({ cost: 0 }, [{}], { policy: { tools: { search: { cost: 700 } } } })
  expect(await pay()).toMatchObject({ paid: [700], left: 300 })
})

verifies('GOV-9', 'what is refused, denied or invalid costs nothing', async () => {
  const input = { type: 'object', properties: { n: { type: 'integer' } } } as const
  const policy = { rules: [{ decide: 'deny', args: { n: '1' } }] } as const
  const { pay } = await paying({ cost: 500, input, approval: 'ask' }, [{ n: 'x' }, { n: 1 }, { n: 2 }], { policy })
  expect(await pay()).toMatchObject({ codes: ['INVALID', 'POLICY', 'UNATTENDED'], reserved: [], left: LIMIT })
})

verifies('GOV-9', 'a call that was running when Segno stopped costs what was set aside', async () => {
  let begun: () => void = () => {}
  const running = new Promise<void>((resolve) => (begun = resolve))
  const { segno, left } = await paying(
    {
      cost: 400,
      run(_, ctx) {
        ctx.charge(1)
        begun()
        return new Promise((resolve) => ctx.signal.addEventListener('abort', () => resolve('')))
      },
    },
    [{}],
    { limits: { DRAIN_MS: 0 } },
  )
  const { requestId } = await segno.send()
  await running
  expect(await left()).toBe(LIMIT - 400)
  await segno.reopen()
  await segno.segno.completion(segno.sessionId, requestId)
  expect(said(await segno.events(), 'tool.result')).toMatchObject([{ outcome: 'unknown', cost: 400 }])
  expect((await segno.segno.budgets.get(LOCAL_OWNER)).left.tools).toBe(LIMIT - 400)
})

verifies('GOV-9', 'a fork from the middle of a paid call pays nothing for it', async () => {
  const { segno, pay, left } = await paying({ cost: 300 })
  await pay()
  const { sessions } = segno.segno
  const events = await sessions.events(LOCAL_OWNER, segno.sessionId)
  const seq = events.find(({ type }) => type === 'tool.started')?.seq ?? 0
  const fork = await sessions.fork(LOCAL_OWNER, segno.sessionId, seq)
  const closed = said(await sessions.events(LOCAL_OWNER, fork.id), 'tool.result')
  expect(closed).toMatchObject([{ outcome: 'unknown', cost: 0 }])
  expect(await left()).toBe(LIMIT - 300)
})
