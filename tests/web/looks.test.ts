import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { FACES_SCRIPT, showFaces } from './support/faces.ts'
import { openStage } from './support/stage.ts'
import { visit } from './support/visit.ts'

const AXE = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')

interface Axe {
  run(options: object): Promise<{ violations: Violation[] }>
}

interface Violation {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/** What axe finds serious or critical, in sentences. */
async function barriers(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  const violations = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: Axe }
    return (await axe.run({ resultTypes: ['violations'] })).violations
  })
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
    )
}

test.each(['light', 'dark'] as const)(
  'nothing keeps people out who see or hear differently, in any face, %s',
  async (scheme) => {
    const stage = await openStage({ script: FACES_SCRIPT })
    const visitor = await visit(stage.url, { colorScheme: scheme, reducedMotion: 'reduce' })
    const found = new Map<string, string>()
    await showFaces(visitor, stage, async (face) => {
      for (const barrier of await barriers(visitor.page)) if (!found.has(barrier)) found.set(barrier, face)
    })
    expect(Object.fromEntries(found)).toEqual({})
  },
)

/** What is wider than the screen, or cannot be hit with a thumb. Given to the page as its source. */
function misfits(): string[] {
  const width = document.documentElement.clientWidth
  const faults: string[] = []
  if (document.documentElement.scrollWidth > width)
    faults.push(`The page is ${document.documentElement.scrollWidth} wide.`)
  const name = (element: Element): string =>
    `<${element.tagName.toLowerCase()} class="${element.getAttribute('class') ?? ''}"> ${(element.getAttribute('aria-label') ?? element.textContent).slice(0, 40)}`
  // Code, tables and rows of tabs scroll by themselves.
  const mayScroll = (element: Element): boolean => element.closest('pre, [role=tablist], nav, [class*=table]') !== null
  for (const element of document.querySelectorAll<HTMLElement>('body *')) {
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true, contentVisibilityAuto: true }))
      continue
    const { overflowX } = getComputedStyle(element)
    const scrolls = overflowX === 'auto' || overflowX === 'scroll'
    if (scrolls && element.scrollWidth > element.clientWidth + 1 && !mayScroll(element))
      faults.push(`It scrolls sideways: ${name(element)}`)
    if (!element.matches('button, a, input, select, textarea')) continue
    const { left, right, width: wide } = element.getBoundingClientRect()
    if (wide > 0 && (left < -1 || right > width + 1) && !mayScroll(element))
      faults.push(`It lies outside: ${name(element)}`)
  }
  return faults
}

test('on a phone everything fits, in any face', async () => {
  const stage = await openStage({ script: FACES_SCRIPT })
  const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 }
  const visitor = await visit(stage.url, phone)
  const found = new Map<string, string>()
  await showFaces(visitor, stage, async (face) => {
    for (const fault of await visitor.page.evaluate(misfits)) if (!found.has(fault)) found.set(fault, face)
  })
  expect(Object.fromEntries(found)).toEqual({})
})
