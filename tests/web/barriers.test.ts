import { expect, test } from 'vitest'
import { barriers } from './support/barriers.ts'
import { FACES_SCRIPT, showFaces } from './support/faces.ts'
import { openStage } from './support/stage.ts'
import { visit } from './support/visit.ts'

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
