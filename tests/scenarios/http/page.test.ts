import { expect, test } from 'vitest'
import { segnoUnderTest } from '../../support/segno-under-test.ts'

/** `npm ci` has built the page into dist/web. */
async function asking() {
  const { segno } = await segnoUnderTest()
  return (path: string, headers: Record<string, string> = {}) =>
    segno.fetch(new Request(`http://localhost${path}`, { headers }))
}

test('the page at / may run its own scripts, ask its own server and nothing else', async () => {
  const ask = await asking()
  const page = await ask('/')
  expect(page.headers.get('content-type')).toContain('text/html')
  const rules = page.headers.get('content-security-policy')?.split('; ') ?? []
  expect(rules).toContain("default-src 'none'")
  expect(rules).toContain("script-src 'self'")
  expect(rules).toContain("connect-src 'self'")
  expect(rules).toContain("frame-ancestors 'none'")
  expect(rules.join()).not.toMatch(/unsafe|https?:|\*|data:/)
})

test('everything the page loads comes from this server, zipped for who can read that, under names that change with it', async () => {
  const ask = await asking()
  const text = await (await ask('/')).text()
  const files = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path)
  expect(files.length).toBeGreaterThan(2)
  for (const file of files) {
    const plain = await ask(file)
    const zipped = await ask(file, { 'accept-encoding': 'gzip, br' })
    expect([file, plain.status, zipped.headers.get('content-encoding')]).toEqual([file, 200, 'gzip'])
    const bytes = new Blob([await zipped.arrayBuffer()]).stream().pipeThrough(new DecompressionStream('gzip'))
    expect(await new Response(bytes).text()).toBe(await plain.text())
    if (file.startsWith('/assets/')) expect(plain.headers.get('cache-control')).toContain('immutable')
  }
})

test.each([
  '/assets/..%2f..%2fpackage.json',
  '/assets/%2e%2e/index.html',
  '/assets/nothing.js',
  '/assets/',
  '/index.html/../../package.json',
])('nothing else can be read through it: %s', async (path) => {
  const ask = await asking()
  expect((await ask(path)).status).toBe(404)
})
