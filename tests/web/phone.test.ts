import { expect, test } from 'vitest'
import { FACES_SCRIPT, showFaces } from './support/faces.ts'
import { openStage } from './support/stage.ts'
import { visit } from './support/visit.ts'

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
    const { left, right, width: wide, height } = element.getBoundingClientRect()
    if (wide > 1 && height > 1 && height < 24 && element.matches('button, select'))
      faults.push(`It is ${Math.round(height)} px high: ${name(element)}`)
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
