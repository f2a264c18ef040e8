import { parseArgs } from 'node:util'
import { buildPage } from '../../tests/web/support/build-page.ts'
import { launchChromium } from '../../tests/web/support/launch-chromium.ts'
import { makePlace } from '../place.ts'
import { printTable } from '../report.ts'
import { measureBundle } from './bundle.ts'
import { benchLoading } from './loading.ts'
import { benchStreaming } from './streaming.ts'

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })

await buildPage()
const place = makePlace()
const browser = await launchChromium()
try {
  const loading = await benchLoading(browser, place, values.quick ? 5 : 15)
  const streaming = await benchStreaming(browser, place, values.quick ? 20 : 60)
  printTable([...loading, ...streaming, ...measureBundle()])
} finally {
  await browser.close()
  place.remove()
}
