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
