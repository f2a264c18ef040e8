import { expect } from 'vitest'
import type { SentPromptView } from '../../../src/contract/views.ts'
import { verifies } from '../../support/verifies.ts'
import { ended, fact, said, started } from '../../conformance/store/facts.ts'
import { SessionWriter } from '../../conformance/store/session-writer.ts'
import { openStoreOf } from '../../support/store-under-test.ts'
import { newHome, segno, serving } from '../account/support/cli.ts'

verifies(
  'LIN-8',
  'segno replay --prompt shows what each turn was sent, for people and as JSON',
  async () => {
    const home = newHome()
    const { url } = await serving(home)
    const post = async (path: string, body: object) =>
      (await (
        await fetch(url + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      ).json()) as Record<string, unknown>
    const id = String((await post('/api/sessions', {}))['id'])
    await segno(home, ['preferences', 'set', '--length', 'concise'])
    await post(`/api/sessions/${id}/messages?wait=1`, { content: 'What is 17 * 23?' })
    await post(`/api/sessions/${id}/messages?wait=1`, { content: 'Hello\u202e there.' })

    const shown = await segno(home, ['replay', id, '--prompt'])
    expect(shown).toMatchObject({ code: 0, err: '' })
    const turns = shown.out.split('\n\n').filter((block) => block.startsWith('Round '))
    expect(turns.map((turn) => /turn (\d), sent to scripted/.exec(turn)?.[1])).toEqual(['1', '2', '1'])
    expect(shown.out).toContain('core · core · ')
    expect(shown.out).toContain('preferences · preferences, version ')
    expect(shown.out).toContain('tools: ')
    expect(shown.out, 'what cannot be seen is shown as its number').not.toContain('\u202e')

    const { out } = await segno(home, ['replay', id, '--prompt', '--json'])
    const views = out.split('\n').map((line) => JSON.parse(line) as SentPromptView)
    expect(views.map(({ turn, isExact }) => [turn, isExact])).toEqual([
      [1, true],
      [2, true],
      [1, true],
    ])
    const [last] = views.slice(-1)
    const one = await segno(home, ['replay', id, '--prompt', '--json', '--round', last?.requestId ?? ''])
    expect(JSON.parse(one.out)).toEqual(last)

    expect(await segno(home, ['preferences', 'forget'])).toMatchObject({ code: 0 })
    const later = await segno(home, ['replay', id, '--prompt'])
    expect(later).toMatchObject({ code: 0, err: '' })
    expect(later.out).toContain('not exactly what was sent')
    expect(later.out).toContain('(erased)')
    expect(later.out).not.toContain('Answer briefly.')
  },
  120_000,
)

verifies(
  'LIN-8',
  'segno replay --prompt passes over turns of which nothing is recorded, and says so',
  async () => {
    const home = newHome()
    const store = await openStoreOf(home)
    const writer = await SessionWriter.create(store, { actor: { id: 'owner', tenant: 'local' } })
    const turn = { turn: 1, model: 'scripted', last: false, layerHashes: ['abc'] }
    await writer.write(started('r1'), said('hello'), fact('turn.started', turn, 'r1'), ended('r1'))
    await store.close()
    expect(await segno(home, ['replay', writer.id, '--prompt'])).toEqual({
      code: 0,
      err: '',
      out: 'Round r1, turn 1: what was sent is not recorded',
    })
    expect(await segno(home, ['replay', writer.id, '--prompt', '--json'])).toEqual({ code: 0, err: '', out: '' })
  },
  120_000,
)
