import type { Browser } from 'playwright-core'
import type { Place } from '../place.ts'
import { compare, type Line } from '../report.ts'
import { seedLongSession } from '../../tests/web/support/seed.ts'
import { startFloorServer } from './floor-server.ts'
import { firstPaint, inNewPage, serveSegno, timeUntil } from './subject.ts'

const MESSAGES = 2000
const START = 'What shall we do?'

interface Load {
  readonly url: string
  readonly words: string
}

/** Opening the page, and opening a long conversation in it, next to a bare page of the same text. */
export async function benchLoading(browser: Browser, place: Place, samples: number): Promise<Line[]> {
  const home = place.folder('web')
  const { sessionId, last } = await seedLongSession(home, MESSAGES)
  const server = await serveSegno(home, { otherwise: { text: 'Yes.' } })
  const floor = await startFloorServer()
  try {
    floor.show('/start', [START, 'A long conversation'])
    floor.show('/long', await textOf(server.url, sessionId))
    const start = await inTurns(browser, samples, [
      { url: `${server.url}/`, words: START },
      { url: `${floor.url}/start`, words: START },
    ])
    const long = await inTurns(browser, samples, [
      { url: `${server.url}/#/s/${sessionId}`, words: last },
      { url: `${floor.url}/long`, words: last },
    ])
    return [
      compare('first paint', start[0]?.first, start[1]?.first, 2),
      compare('the words of the start painted', start[0]?.words, start[1]?.words),
      compare(`opening ${MESSAGES} messages: the last one painted`, long[0]?.words, long[1]?.words),
    ]
  } finally {
    floor.close()
    await server.kill()
  }
}

async function textOf(url: string, sessionId: string): Promise<string[]> {
  const response = await fetch(`${url}/api/sessions/${sessionId}/messages`)
  const { items } = (await response.json()) as { items: { content: { type: string; text?: string }[] }[] }
  return items.map(({ content }) => content.map(({ text }) => text ?? '').join('\n'))
}

interface Times {
  readonly first: number[]
  readonly words: number[]
}

/** Each in a browser that has seen nothing yet, one after the other, so that both have the same machine. */
async function inTurns(browser: Browser, samples: number, loads: readonly Load[]): Promise<Times[]> {
  const times = loads.map((): Times => ({ first: [], words: [] }))
  for (let i = -2; i < samples; i++)
    for (const [which, { url, words }] of loads.entries())
      await inNewPage(browser, async (page) => {
        const shown = await timeUntil(page, url, words)
        const first = await firstPaint(page)
        if (i < 0) return
        times[which]?.words.push(shown)
        times[which]?.first.push(first)
      })
  return times
}
