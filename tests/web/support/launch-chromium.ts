import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Browser } from 'playwright-core'
import { CHROMIUM_FOLDER, unpackChromium } from './unpack-chromium.ts'

/** A Chromium of its own for who asks. Its own libraries are used where the machine has none. */
export async function launchChromium(args: readonly string[] = []): Promise<Browser> {
  await unpackChromium()
  const libraries = ['/usr/lib/x86_64-linux-gnu/libnss3.so', '/usr/lib64/libnss3.so'].some(existsSync)
    ? {}
    : { LD_LIBRARY_PATH: join(CHROMIUM_FOLDER, 'al2023', 'lib') }
  try {
    return await chromium.launch({
      executablePath: join(CHROMIUM_FOLDER, 'chromium'),
      args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none', ...args],
      env: { ...process.env, FONTCONFIG_PATH: join(CHROMIUM_FOLDER, 'fonts'), ...libraries },
    })
  } catch (error) {
    throw new Error(
      `The Chromium of @sparticuz/chromium did not start, and the tests of the page need it (x64 Linux with libnss3): ` +
        `run it yourself to see why: ${join(CHROMIUM_FOLDER, 'chromium')} --no-sandbox --headless --dump-dom about:blank`,
      { cause: error },
    )
  }
}
