import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Context } from 'hono'
import type { App } from './route.ts'

/** In the built package, and in the `dist` of the sources. */
const FOLDERS = ['./web/', '../../../dist/web/'].map((path) => fileURLToPath(new URL(path, import.meta.url)))

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

/** Only scripts and requests of the page itself are allowed. */
const PROTECTED = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  // No DNS lookup for a link before somebody follows it.
  'x-dns-prefetch-control': 'off',
}
const NOT_BUILT = `<!doctype html><meta charset="utf-8"><title>Segno</title>
<p>Segno is running, but its page is not built: <code>npm run build:web</code>. The API is described at <a href="/docs">/docs</a>.</p>`

interface Asset {
  readonly plain: Uint8Array<ArrayBuffer>
  readonly zipped: Uint8Array<ArrayBuffer>
}

export function webPage(app: App): void {
  const kept = new Map<string, Promise<Asset | undefined>>()

  app.get('/', async (c) => {
    const page = await read('index.html')
    return answer(c, 'index.html', page ?? (await asset(Buffer.from(NOT_BUILT))), 'no-cache')
  })
  app.get('/icon.svg', async (c) => send(c, 'icon.svg', 'max-age=86400'))
  // The names contain a hash of the content.
  app.get('/assets/:file', async (c) => send(c, `assets/${c.req.param('file')}`, 'max-age=31536000, immutable'))

  async function send(c: Context, name: string, caching: string): Promise<Response> {
    if (!/^(assets\/)?[\w.-]+$/.test(name)) return c.notFound()
    let found = kept.get(name)
    if (!found) kept.set(name, (found = read(name)))
    const file = await found
    if (file) return answer(c, name, file, caching)
    kept.delete(name)
    return c.notFound()
  }
}

async function read(name: string): Promise<Asset | undefined> {
  for (const folder of FOLDERS) {
    const plain = await readFile(folder + name).catch(() => undefined)
    if (plain) return asset(plain)
  }
  return undefined
}

async function asset(plain: Buffer): Promise<Asset> {
  return { plain: new Uint8Array(plain), zipped: new Uint8Array(await promisify(gzip)(plain)) }
}

function answer(c: Context, name: string, { plain, zipped }: Asset, caching: string): Response {
  const isZipped = /\bgzip\b/.test(c.req.header('accept-encoding') ?? '')
  return c.body(isZipped ? zipped : plain, 200, {
    ...PROTECTED,
    'content-type': TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
    'cache-control': caching,
    vary: 'accept-encoding',
    ...(isZipped && { 'content-encoding': 'gzip' }),
  })
}
