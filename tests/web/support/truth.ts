import type { Page } from 'playwright-core'
import { answers, said } from './person.ts'
import type { Stage } from './stage.ts'

interface Part {
  readonly type: string
  readonly text?: string
}

export interface Talk {
  readonly said: string[]
  readonly answered: string[]
}

/** What is stored of a conversation, without spaces at line ends. For texts that are plain words. */
export async function storedTalk(stage: Stage, sessionId: string): Promise<Talk> {
  const body = await stage.get(`/api/sessions/${sessionId}/messages`)
  const items = (body.items ?? []) as unknown as { role: string; content: Part[] }[]
  const of = (role: string): string[] =>
    items
      .filter((item) => item.role === role)
      .map(({ content }) => words(content.map(({ type, text }) => (type === 'text' ? (text ?? '') : '')).join(' ')))
      .filter((text) => text !== '')
  return { said: of('user'), answered: of('assistant') }
}

/** What the page shows of it: the text between the heading of a message and its last line. */
export async function shownTalk(page: Page): Promise<Talk> {
  const texts = (articles: ReturnType<typeof said>): Promise<string[]> =>
    articles.evaluateAll((all) =>
      all.map((article) =>
        [...article.querySelectorAll('p, .conv-plain')]
          .filter((part) => !part.closest('.conv-quiet, header'))
          .map((part) => part.textContent)
          .join(' '),
      ),
    )
  return { said: (await texts(said(page))).map(words), answered: (await texts(answers(page))).map(words) }
}

const words = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
