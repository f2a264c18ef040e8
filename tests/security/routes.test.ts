import { fairShare } from '../../src/lib/fair-share.ts'
import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import { expect, onTestFinished, test } from 'vitest'
import { failedSignInCounter, createRate } from '../../src/account/index.ts'
import { createHttpApp } from '../../src/channel/http/index.ts'
import { soleCluster } from '../../src/cluster/index.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { createLog, createMetrics } from '../../src/telemetry/index.ts'
import { CALLS } from './support/calls.ts'
import { readOperations } from './support/operations.ts'
import { openStage } from './support/stage.ts'

/** The page and its files, and what tells what there is: the same to everybody. */
const PAGES = ['GET /', 'GET /assets/{file}', 'GET /icon.svg', 'GET /docs', 'GET /openapi.json']

/** What nodes ask each other: signed with what only they know, and not there for anybody else. */
const OF_NODES = ['POST /internal/wake', 'GET /internal/follow']

test('every route is described with what it needs, and the table of wrong actors knows how to call it', async () => {
  const stage = await openStage()
  onTestFinished(() => stage.close())
  const described = (await readOperations(stage.segno)).map(({ method, path }) => `${method} ${path}`)
  const nothing = (): number => 0
  const metrics = createMetrics(
    {
      streams: nothing,
      roundsRunning: nothing,
      roundsQueued: nothing,
      sessionsLive: nothing,
      spansLost: nothing,
      nodes: nothing,
      leaseLeft: nothing,
    },
    { version: '1', knownModel: () => true },
  )
  onTestFinished(() => metrics.close())
  const { routes } = createHttpApp({
    ...stage.segno,
    openStream: (options) => stage.segno.stream(LOCAL_OWNER, options),
    cluster: soleCluster(systemClock, '1', () => ({ sessions: 0, rounds: 0, slots: 0 })),
    nodeStreams: { open: () => undefined },
    metrics,
    log: createLog({ level: 'off' }),
    rate: createRate(0, systemClock),
    countFailedSignIn: failedSignInCounter(systemClock),
    streams: fairShare(1),
    settings: {
      protocol: 'unified',
      bodyBytes: 1,
      documentBytes: 1,
      answerBytes: 1,
      eventDepth: 1,
      fileBytes: 1,
      messageFiles: 1,
      promptTokens: 1,
      waitMs: 1,
      maxStreams: 1,
      requireKey: true,
      corsOrigins: [],
      twoStage: true,
      version: '1',
    },
  })
  // Middleware answers any method; everything else is a way in.
  const there = new Set(
    routes.filter(({ method }) => method !== 'ALL').map(({ method, path }) => `${method} ${braced(path)}`),
  )
  expect([...there].filter((one) => ![...PAGES, ...OF_NODES].includes(one)).toSorted()).toEqual(described.toSorted())
  expect(Object.keys(CALLS).toSorted()).toEqual(described.toSorted())
})

const braced = (path: string): string => path.replace(/:(\w+)/g, '{$1}')
