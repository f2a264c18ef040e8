import { buildPage } from './build-page.ts'
import { unpackChromium } from './unpack-chromium.ts'

/** Once, before any test of the page: what all of them need. */
export async function setup(): Promise<void> {
  await unpackChromium()
  await buildPage()
}
