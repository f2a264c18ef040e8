import { describe, expect, onTestFinished } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { Script } from '../../../src/model/index.ts'
import type { Segno, SegnoOptions } from '../../../src/segno.ts'
import type { Change, Store } from '../../../src/store/index.ts'
import { composeUnderTest } from '../../support/compose-under-test.ts'
import { said, type ScriptedTurn } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { BASE } from '../http/ask.ts'
import { tempFolder } from '../workspace/support.ts'

const HOUR = 3_600_000

interface Given {
  readonly title?: ScriptedTurn | undefined
  readonly env?: Readonly<Record<string, string>>
  readonly limits?: SegnoOptions['limits']
  readonly faults?: (store: Store) => Partial<Store>
}

/** A Segno that finds titles, with every commit it makes and a clock that can be moved. */
async function titling({ title = { text: '"Foxes at dawn"' }, env, limits, faults }: Given = {}) {
  const changes: Change[] = []
  let ahead = 0
  const script: Script = {
    scenarios: [
      { when: '', purpose: 'title', turns: [title] },
      { when: '^Fail', turns: [{ fault: { kind: 'error', status: 401 } }] },
    ],
    otherwise: { text: 'Noted.' },
  }
  const segno = await composeUnderTest(
    {
      home: tempFolder(),
      env: env ?? { SEGNO_TITLE_MODEL: 'scripted' },
      durability: 'normal',
      builtInTools: false,
      model: script,
      limits: { RETRY_BASE_MS: 1, DRAIN_MS: 50, BREAKER_FAILURES: 0, ...limits },
    },
    {
      clock: { now: () => Date.now() + ahead },
      store(open) {
        const store = open()
        const commit: Store['commit'] = (change) => {
          changes.push(change)
          return store.commit(change)
        }
        return { ...store, commit, ...faults?.(store) }
      },
    },
  )
  onTestFinished(() => segno.close())
  const { id: sessionId } = await segno.createSession()
  return {
    segno,
    sessionId,
    changes,
    later: (ms: number) => void (ahead += ms),
    title: async () => (await segno.sessions.get(LOCAL_OWNER, sessionId)).title,
    events: () => segno.sessions.events(LOCAL_OWNER, sessionId),
    jobs: async () => (await segno.jobs.list(LOCAL_OWNER)).items,
    async say(words: string) {
      const { requestId } = await segno.rounds.send(LOCAL_OWNER, sessionId, words)
      return segno.completion(sessionId, requestId)
    },
    until: (what: () => Promise<boolean>) => expect.poll(what).toBe(true),
  }
}

/** Jobs that are taken once `resolve` was called. */
function held() {
  const { promise, resolve } = Promise.withResolvers<void>()
  const faults = (store: Store): Partial<Store> => ({
    async takeJob(...given) {
      await promise
      return store.takeJob(...given)
    },
  })
  return { faults, resolve }
}

const http = async (segno: Segno, method: string, path: string): Promise<[number, unknown]> => {
  const response = await segno.fetch(new Request(BASE + path, { method }))
  const text = await response.text()
  return [response.status, text === '' ? undefined : JSON.parse(text)]
}

describe('a title', () => {
  verifies('GOV-20', 'is a job in the commit of the first answer, and is found after it', async () => {
    const it = await titling()
    expect(await it.title()).toBe('New conversation')
    expect(await it.say('Tell me about foxes, please.')).toMatchObject({ finishReason: 'complete', content: 'Noted.' })
    const withJobs = it.changes.filter(({ jobs }) => jobs !== undefined)
    expect(withJobs).toHaveLength(1)
    expect(withJobs[0]?.jobs).toMatchObject([{ kind: 'title', payload: { sessionId: it.sessionId } }])
    expect(withJobs[0]?.events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['message.assistant', 'round.ended']),
    )
    await it.until(async () => (await it.title()) === 'Foxes at dawn')
    await it.until(async () => (await it.jobs()).length === 0)
    const events = await it.events()
    const types = events.map(({ type }) => type)
    expect(types.indexOf('model.asked')).toBeGreaterThan(types.indexOf('round.ended'))
    expect(said(events, 'model.asked')).toMatchObject([{ purpose: 'title', model: 'scripted' }])
    await it.say('And wolves?')
    expect(it.changes.filter(({ jobs }) => jobs !== undefined)).toHaveLength(1)
  })

  verifies('GOV-20', 'that people chose stands, before the job and after it', async () => {
    const named = await titling()
    await named.segno.sessions.change(LOCAL_OWNER, named.sessionId, { title: 'Mine' })
    await named.say('Tell me about foxes.')
    expect(named.changes.flatMap(({ jobs = [] }) => jobs)).toEqual([])

    const { faults, resolve } = held()
    const it = await titling({ faults })
    await it.say('Tell me about foxes.')
    await it.segno.sessions.change(LOCAL_OWNER, it.sessionId, { title: 'Mine' })
    resolve()
    await it.until(async () => (await it.jobs()).length === 0)
    await it.say('And wolves?')
    expect(await it.title()).toBe('Mine')
    expect(said(await it.events(), 'model.asked')).toEqual([])
  })

  verifies(
    'GOV-20',
    'is asked for once, also if it is the beginning of the message and the job comes again',
    async () => {
      let isMute = true
      const it = await titling({
        // As the page calls it until then.
        title: { text: 'Tell me about foxes' },
        faults: (store) => ({
          async finishJob(id) {
            if (isMute) throw new Error('not now')
            return store.finishJob(id)
          },
        }),
      })
      await it.say('Tell me about foxes, please.')
      await it.until(async () => said(await it.events(), 'model.answered').length === 1)
      isMute = false
      it.later(HOUR)
      await it.until(async () => (await it.jobs()).length === 0)
      // What the job left in the inbox is dealt with before the next message.
      await it.say('And wolves?')
      expect(said(await it.events(), 'model.asked')).toHaveLength(1)
      expect(await it.title()).toBe('Tell me about foxes')
    },
  )

  verifies('GOV-20', 'that no model finds stays as it is, and nothing else suffers', async () => {
    for (const title of [{ fault: { kind: 'error', status: 500 } }, {}, { text: ' \n' }] satisfies ScriptedTurn[]) {
      const it = await titling({ title })
      await it.say('Tell me about foxes.')
      await it.until(async () => said(await it.events(), 'model.answered').length === 1)
      expect(said(await it.events(), 'model.answered')[0]?.failed).toMatch(/^The model (?:call failed|gave no answer)/)
      expect(await it.title()).toBe('New conversation')
      expect(await it.say('And wolves?')).toMatchObject({ finishReason: 'complete' })
      expect(said(await it.events(), 'model.asked')).toHaveLength(1)
    }
  })

  verifies('GOV-20', 'is not wanted where no model is set for it, nor by a round that failed', async () => {
    const off = await titling({ env: {} })
    await off.say('Tell me about foxes.')
    expect(off.changes.flatMap(({ jobs = [] }) => jobs)).toEqual([])
    const failed = await titling()
    expect(await failed.say('Fail.')).toMatchObject({ finishReason: 'error' })
    expect(failed.changes.flatMap(({ jobs = [] }) => jobs)).toEqual([])
  })

  verifies(['GOV-20', 'GOV-9'], 'is reserved and settled on the budget of who owns the conversation', async () => {
    const it = await titling({ title: { text: 'Foxes', usage: { input: 30, output: 3 } } })
    await it.segno.budgets.set(LOCAL_OWNER, LOCAL_OWNER.id, { dailyTokens: 100_000 })
    await it.say('Tell me about foxes.')
    const before = (await it.segno.budgets.get(LOCAL_OWNER)).left.tokens ?? 0
    await it.until(async () => (await it.title()) === 'Foxes')
    expect(said(await it.events(), 'model.asked')[0]?.reserved?.tokens).toBeGreaterThan(33)
    expect((await it.segno.budgets.get(LOCAL_OWNER)).left.tokens).toBe(before - 33)
  })

  verifies('GOV-20', 'over budget is not asked for', async () => {
    const { faults, resolve } = held()
    const it = await titling({ faults })
    await it.say('Tell me about foxes.')
    await it.segno.budgets.set(LOCAL_OWNER, LOCAL_OWNER.id, { dailyTokens: 50 })
    resolve()
    await it.until(async () => said(await it.events(), 'model.answered').length === 1)
    const events = await it.events()
    expect(said(events, 'model.asked')).toEqual([])
    expect(said(events, 'model.answered')[0]?.failed).toContain('The title needs more than is left')
  })
})

describe('a job whose handler fails', () => {
  verifies(
    ['GOV-20', 'REL-1'],
    'is tried again after growing waits, then parked and shown, and tried again when somebody says so',
    async () => {
      const times: number[] = []
      let isBroken = true
      const it = await titling({
        limits: { JOB_ATTEMPTS: 3 },
        faults: (store) => ({
          async putInput(input, ...more) {
            if (input.body.kind === 'title') times.push(input.at)
            if (input.body.kind === 'title' && isBroken)
              throw Object.assign(new Error('secret words'), { code: 'ENOSPC' })
            return store.putInput(input, ...more)
          },
        }),
      })
      await it.say('Tell me about foxes.')
      for (let tried = 1; tried <= 3; tried += 1) {
        await it.until(async () => times.length === tried)
        it.later(HOUR)
      }
      await it.until(async () => (await it.jobs())[0]?.state === 'parked')
      const [status, body] = await http(it.segno, 'GET', '/api/jobs?state=parked')
      expect([status, body]).toMatchObject([200, { items: [{ kind: 'title', attempts: 3, reason: 'ENOSPC' }] }])
      expect(JSON.stringify(body)).not.toContain('secret')
      expect(await it.title()).toBe('New conversation')
      isBroken = false
      const [job] = await it.jobs()
      expect((await http(it.segno, 'POST', `/api/jobs/${job?.id}/retry`))[0]).toBe(204)
      await it.until(async () => (await it.title()) === 'Foxes at dawn')
      await it.until(async () => (await it.jobs()).length === 0)
    },
  )

  verifies('GOV-20', 'of a session that is gone meanwhile is done without it', async () => {
    const { faults, resolve } = held()
    const it = await titling({ faults })
    await it.say('Tell me about foxes.')
    await it.segno.sessions.delete(LOCAL_OWNER, it.sessionId)
    resolve()
    await it.until(async () => (await it.jobs()).length === 0)
  })
})
