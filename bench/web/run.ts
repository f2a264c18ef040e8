import { parseArgs } from 'node:util'
import type { Browser } from 'playwright-core'
import { buildPage } from '../../tests/web/support/build-page.ts'
import { launchChromium } from '../../tests/web/support/launch-chromium.ts'
import { makePlace, type Place } from '../place.ts'
import { printTable, type Line } from '../report.ts'
import { measureBundle } from './bundle.ts'
import { benchLoading } from './loading.ts'
import { benchMarkdown } from './markdown.ts'
import { benchStreaming } from './streaming.ts'

type Bench = (browser: Browser, place: Place, quick: boolean) => Line[] | Promise<Line[]>

const BENCHES: Readonly<Record<string, Bench>> = {
  loading: (browser, place, quick) => benchLoading(browser, place, quick ? 5 : 15),
  streaming: (browser, place, quick) => benchStreaming(browser, place, quick ? 20 : 60),
  markdown: benchMarkdown,
  bundle: measureBundle,
}

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const unknown = positionals.filter((name) => !(name in BENCHES))
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}. Known: ${Object.keys(BENCHES).join(', ')}.`)
  process.exit(2)
}

await buildPage()
const place = makePlace()
const browser = await launchChromium()
try {
  const lines: Line[] = []
  for (const [name, bench] of Object.entries(BENCHES))
    if (positionals.length === 0 || positionals.includes(name))
      lines.push(...(await bench(browser, place, values.quick)))
  printTable(lines)
} finally {
  await browser.close()
  place.remove()
}
