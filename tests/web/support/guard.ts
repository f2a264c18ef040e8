import type { BrowserContext, Page } from 'playwright-core'

/** What a page did that no page of Segno may do, in sentences. */
export interface Guard {
  readonly breaches: readonly string[]
  /** From now on an error in the console that matches is expected. */
  expect(message: RegExp): void
}

/** A browser says this of every answer that is not a success; the tests that cause one say so. */
export const REFUSED = /Failed to load resource: the server responded with a status of 4\d\d/
export const UNREACHABLE = /net::ERR_|Failed to load resource/

export function guard(context: BrowserContext, origin: string): Guard {
  const breaches: string[] = []
  const expected: RegExp[] = []
  const tell = (what: string): void => {
    if (!expected.some((pattern) => pattern.test(what))) breaches.push(what)
  }

  context.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(`${origin}/`) && !url.startsWith(`blob:${origin}/`)) tell(`It asked another origin: ${url}`)
  })
  context.on('console', (message) => {
    if (message.type() === 'error') tell(`It logged an error: ${message.text()} (${message.location().url})`)
  })
  context.on('weberror', (error) => tell(`It threw: ${error.error().stack ?? error.error().message}`))
  context.on('page', (page) => watch(page, tell))
  return { breaches, expect: (message) => void expected.push(message) }
}

function watch(page: Page, tell: (what: string) => void): void {
  page.on('dialog', (dialog) => {
    tell(`It opened a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('popup', () => tell('It opened a window.'))
  page.on('crash', () => tell('It crashed.'))
  page.on('websocket', (socket) => tell(`It opened a socket: ${socket.url()}`))
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame()) tell(`It has a frame: ${frame.url()}`)
  })
}
