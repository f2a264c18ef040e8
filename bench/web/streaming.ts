import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, CDPSession, Page } from 'playwright-core'
import type { Place } from '../place.ts'
import { atMost, inMs, type Line } from '../report.ts'
import { spreadOf } from '../sampling.ts'
import { startFloorServer } from './floor-server.ts'
import type { Streaming } from './probe.ts'
import { inNewPage, serveSegno, timeUntil } from './subject.ts'
import { numberedPieces } from './words.ts'

const PER_SECOND = 200
const LOOK_MS = 10_000
/** React keeps what it has drawn twice, and the page what has come; a page that keeps every frame has ten times as much. */
const MOST_MEMORY = 2.5

interface Watched extends Streaming {
  /** megabytes in use after each ten seconds, what is not needed collected */
  readonly heap: number[]
  readonly seconds: number
}

/** A model that speaks 200 times a second for a minute, in the page of Segno and in a bare one. */
export async function benchStreaming(browser: Browser, place: Place, seconds: number): Promise<Line[]> {
  // More than is needed: nobody stops speaking before the end.
  const pieces = numberedPieces(PER_SECOND * seconds * 1.5)
  const segno = await watchSegno(browser, place, pieces, seconds)
  const floor = await watchFloor(browser, pieces, seconds)
  return linesOf(segno, floor)
}

async function watchSegno(
  browser: Browser,
  place: Place,
  pieces: string[],
  seconds: number,
): Promise<Watched & { readonly opened: number }> {
  // A timer comes late by about a millisecond.
  const turn = { text: pieces.join(''), deltaChars: 8, delayMs: 1000 / PER_SECOND - 1 }
  const server = await serveSegno(place.folder('web'), { otherwise: turn })
  try {
    const post = (path: string, body: object): Promise<{ id: string }> => postJson(server.url + path, body)
    const { id } = await post('/api/sessions', { title: 'Streaming' })
    const url = `${server.url}/#/s/${id}`
    const watched = await inNewPage(browser, async (page) => {
      await page.goto(url)
      await page.getByRole('textbox', { name: 'Message' }).waitFor()
      await post(`/api/sessions/${id}/messages`, { content: 'speak' })
      return watch(page, seconds)
    })
    const opened = await inNewPage(browser, async (page) => {
      await timeUntil(page, url, `w${PER_SECOND * seconds}`)
      return heapOf(await page.context().newCDPSession(page))
    })
    return { ...watched, opened }
  } finally {
    await server.kill()
  }
}

async function watchFloor(browser: Browser, pieces: string[], seconds: number): Promise<Watched> {
  const floor = await startFloorServer()
  try {
    floor.play(pieces, 1000 / PER_SECOND)
    return await inNewPage(browser, async (page) => {
      await page.goto(`${floor.url}/stream.html`)
      return watch(page, seconds)
    })
  } finally {
    floor.close()
  }
}

async function watch(page: Page, seconds: number): Promise<Watched> {
  const devTools = await page.context().newCDPSession(page)
  const heap: number[] = []
  const collections: { from: number; to: number }[] = []
  const start = performance.now()
  for (let at = LOOK_MS; at <= seconds * 1000; at += LOOK_MS) {
    await sleep(start + at - performance.now())
    const from = await now(page)
    heap.push(await heapOf(devTools))
    collections.push({ from, to: await now(page) })
  }
  const streaming = await page.evaluate(() => window.probe.streaming)
  // Collecting on demand stops the page; that is our doing.
  const longTasks = streaming.longTasks.filter(
    ({ at, ms }) => !collections.some(({ from, to }) => at < to + 5 && at + ms > from - 5),
  )
  return { ...streaming, longTasks, heap, seconds: (performance.now() - start) / 1000 }
}

const now = (page: Page): Promise<number> => page.evaluate(() => performance.now())

async function heapOf(devTools: CDPSession): Promise<number> {
  await devTools.send('HeapProfiler.collectGarbage')
  const { usedSize } = await devTools.send('Runtime.getHeapUsage')
  return usedSize / 1e6
}

function linesOf(segno: Watched & { readonly opened: number }, floor: Watched): Line[] {
  const median = (values: number[]): number => spreadOf(values).median
  const delay = { name: 'from a delta’s arrival to the screen', segno: inMs(spreadOf(segno.delays)) }
  const lateFrames = share(segno.frames, (frames) => frames > 1)
  const last = segno.heap.at(-1) ?? NaN
  const worst = Math.max(0, ...segno.longTasks.map(({ ms }) => ms))
  return [
    { ...delay, floor: inMs(spreadOf(floor.delays)), ratio: median(segno.delays) / median(floor.delays) },
    {
      name: 'deltas on screen in the next frame',
      segno: `${(100 - lateFrames * 100).toFixed(2)} % of ${segno.frames.length}`,
      floor: `${(100 - share(floor.frames, (frames) => frames > 1) * 100).toFixed(2)} %`,
      ratio: (1 - lateFrames) / (1 - share(floor.frames, (frames) => frames > 1)),
      aim: { text: '≥ 99 %', reached: lateFrames <= 0.01 },
    },
    {
      name: 'deltas a second',
      segno: (segno.deltas / segno.seconds).toFixed(0),
      floor: (floor.deltas / floor.seconds).toFixed(0),
      ratio: segno.deltas / segno.seconds / (floor.deltas / floor.seconds),
    },
    {
      name: 'frames a second',
      segno: rate(segno).toFixed(1),
      floor: rate(floor).toFixed(1),
      ratio: rate(segno) / rate(floor),
      aim: { text: '≥ 0.95×', reached: rate(segno) / rate(floor) >= 0.95 },
    },
    {
      name: `long tasks in ${segno.seconds.toFixed(0)} s`,
      segno: `${segno.longTasks.length}${worst > 0 ? `, longest ${worst.toFixed(0)} ms` : ''}`,
      floor: String(floor.longTasks.length),
      ratio: segno.longTasks.length / Math.max(1, floor.longTasks.length),
      aim: { text: 'none', reached: segno.longTasks.length === 0 },
    },
    {
      name: 'memory at the end, next to the same text just opened',
      segno: `${mb(last)} (${segno.heap.map((size) => size.toFixed(1)).join(' ')})`,
      floor: mb(segno.opened),
      ratio: last / segno.opened,
      ...atMost(last / segno.opened, MOST_MEMORY),
    },
  ]
}

const share = (values: readonly number[], is: (value: number) => boolean): number =>
  values.filter(is).length / Math.max(1, values.length)
const rate = ({ gaps }: Watched): number => 1000 / (gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length)
const mb = (size: number): string => `${size.toFixed(1)} MB`

async function postJson(url: string, body: object): Promise<{ id: string }> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`POST ${url}: status ${response.status}`)
  return (await response.json()) as { id: string }
}
