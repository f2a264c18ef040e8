import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { guard } from './support/guard.ts'
import { launchChromium } from './support/launch-chromium.ts'
import { HOSTILE, sweep } from './support/hostile.ts'

const browser = await launchChromium()
afterAll(() => browser.close())

/** A page that does as it likes. */
async function open(html: string) {
  const server = createServer((_, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html', 'content-security-policy': "script-src 'unsafe-inline'" })
      .end(html),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const context = await browser.newContext()
  onTestFinished(async () => {
    await context.close()
    server.close()
  })
  const watched = guard(context, url)
  const page = await context.newPage()
  await page.goto(url)
  return { page, watched }
}

test.each([
  ['asks another origin', '<img src="http://127.0.0.2:9/x.png">', /another origin: http:\/\/127.0.0.2/],
  ['opens a dialog', '<script>alert("boo")</script>', /dialog: boo/],
  ['throws', '<script>setTimeout(() => { throw new Error("boo") })</script>', /threw: Error: boo/],
  ['logs an error', '<script>console.error("boo")</script>', /error: boo/],
  ['breaks its own policy', '<script src="data:text/javascript,1"></script>', /error: .*Content Security Policy/],
  ['has a frame', '<iframe srcdoc="x"></iframe>', /frame/],
  ['opens a window', '<script>open("about:blank")</script>', /window/],
])('a page that %s is told of', async (_, html, expected) => {
  const { watched } = await open(`<!doctype html><link rel="icon" href="data:,"><body>${html}`)
  await expect.poll(() => watched.breaches.join('\n')).toMatch(expected)
})

test.each([
  ['<img src="x" onerror="1">', /onerror/],
  ['<marquee>x</marquee>', /<marquee>/],
  ['<a href="javascript:1">x</a>', /leads to "javascript:1"/],
  ['<a href="https://evil.example">x</a>', /tells who comes/],
  ['<p title="a&#x202e;b">x</p>', /hides characters in title/],
  ['<p>a&#x202e;b</p>', /Characters are hidden in <p>/],
  ['<div style="background: url(/x)"></div>', /has a style/],
  ['<script>window.hacked = 1</script>', /was run/],
])('an element that a text has made is found: %s', async (html, expected) => {
  const { page } = await open(`<!doctype html><body>${html}`)
  const { faults } = await page.evaluate(sweep)
  expect(faults.join('\n')).toMatch(expected)
})

test('the corpus has more than a hundred texts, each once', () => {
  expect(HOSTILE.length).toBeGreaterThan(100)
  expect(new Set(HOSTILE).size).toBe(HOSTILE.length)
})
