import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const MODULES = fileURLToPath(new URL('../../../node_modules/', import.meta.url))
const PACKAGE = join(MODULES, '@sparticuz/chromium')
const CACHE = join(MODULES, '.cache')
const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as { version: string }

/** Where the Chromium that `npm ci` brought is, once it is unpacked: a folder that is whole or not there. */
export const CHROMIUM_FOLDER = join(CACHE, `segno-chromium-${version}`)

/**
 * Unpacks it, once for each version. The package itself unpacks into the system's temporary folder and takes whatever
 * it finds there for the whole of it, even what another process has only half written.
 */
export async function unpackChromium(): Promise<void> {
  if (existsSync(CHROMIUM_FOLDER)) return
  mkdirSync(CACHE, { recursive: true })
  const folder = mkdtempSync(`${CHROMIUM_FOLDER}-`)
  try {
    await withTemporaryFolder(folder, async () => {
      const { default: chromium, inflate } = await import('@sparticuz/chromium')
      await chromium.executablePath()
      // Libraries that a small machine may not have.
      await inflate(join(PACKAGE, 'bin', 'al2023.tar.br'))
    })
    writeFileSync(join(folder, 'fonts', 'fonts.conf'), fontsConf(CHROMIUM_FOLDER))
    renameSync(folder, CHROMIUM_FOLDER)
  } catch (error) {
    // Somebody else was faster.
    if (!existsSync(CHROMIUM_FOLDER)) throw error
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function withTemporaryFolder(folder: string, work: () => Promise<void>): Promise<void> {
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = folder
  try {
    await work()
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
}

/** The fonts of the package come first, so that pages look the same on every machine. */
function fontsConf(folder: string): string {
  const prefer = (font: string, family: string): string =>
    `<match target="pattern"><test name="family"><string>${family}</string></test>` +
    `<edit name="family" mode="prepend" binding="strong"><string>${font}</string></edit></match>`
  return [
    '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>',
    '<include ignore_missing="yes">/etc/fonts/fonts.conf</include>',
    `<dir>${folder}/fonts</dir><cachedir>${folder}/fonts-cache</cachedir>`,
    prefer('Open Sans', 'system-ui'),
    prefer('Open Sans', 'sans-serif'),
    prefer('DejaVu Sans Mono', 'monospace'),
    '</fontconfig>\n',
  ].join('\n')
}
