import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import type { Script } from '../../src/model/index.ts'
import { startServer, type ServerProcess } from '../../tests/crash/server/server-process.ts'
import { installProbe, type Probe } from './probe.ts'

declare global {
  interface Window {
    readonly probe: Probe
  }
}

/** The command as anyone starts it, with a script. */
export function serveSegno(home: string, script: Script): Promise<ServerProcess> {
  const file = join(home, 'script.json')
  writeFileSync(file, JSON.stringify(script))
  return startServer({ home, env: { SEGNO_SCRIPT: file, SEGNO_LIMITS_RATE_PER_MINUTE: '1000000000' } })
}

/** A page in a browser that has never been there: nothing is cached. It is closed afterwards. */
export async function inNewPage<T>(browser: Browser, work: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  try {
    await context.addInitScript(installProbe)
    return await work(await context.newPage())
  } finally {
    await context.close()
  }
}

/** When these words were painted, in milliseconds since the navigation began. */
export async function timeUntil(page: Page, url: string, words: string): Promise<number> {
  await page.goto(url, { waitUntil: 'commit' })
  return page.evaluate((text) => window.probe.painted(text), words)
}

export function firstPaint(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) =>
        new PerformanceObserver((list) => {
          const [entry] = list.getEntriesByName('first-contentful-paint')
          if (entry) resolve(entry.startTime)
        }).observe({ type: 'paint', buffered: true }),
      ),
  )
}
