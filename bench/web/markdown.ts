import { createMarkdownStream } from '../../web/src/text/parse-markdown.ts'
import { atMost, inMs, type Line } from '../report.ts'
import { spreadOf } from '../sampling.ts'

/** What a model that speaks 200 times a second adds to one frame of the screen. */
const FRAME_CHARS = 27
const FRAME_MS = 1000 / 60
const TEXT_CHARS = 100_000

const paragraph = (i: number): string =>
  `Some **bold** words and \`code\` of part ${i}, a [link](https://a.example/${i}) and so on to the end of a line.\n\n`

const TEXTS: Readonly<Record<string, (i: number) => string>> = {
  'a mixed answer': (i) =>
    `## Part ${i}\n\n${paragraph(i)}- one **item**\n- \`another\`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n\`\`\`ts\nlet a = ${i}\n\`\`\`\n\n`,
  'one block of code': (i) => `${i === 0 ? '```ts\n' : ''}const value${i} = compute(${i}, "text")\n`,
  'one list': (i) => `- item ${i} with **bold** words and \`code\` that explain it at some length\n`,
  'one table': (i) => `${i === 0 ? '| name | value |\n|---|---|\n' : ''}| row ${i} | some **words** about it |\n`,
}

/** How long the page parses in each frame while a long answer comes. Its floor is the frame itself. */
export function benchMarkdown(): Line[] {
  return Object.entries(TEXTS).map(([name, part]) => {
    let text = ''
    for (let i = 0; text.length < TEXT_CHARS; i++) text += part(i)
    const stream = createMarkdownStream()
    const times = timeFrames(text, (piece) => stream.append(piece))
    const mean = times.reduce((sum, ms) => sum + ms, 0) / times.length
    return {
      name: `parsing ${name} of 100 kB, a frame`,
      segno: `${inMs(spreadOf(times))}, mean ${mean.toFixed(3)} ms`,
      floor: `${FRAME_MS.toFixed(1)} ms`,
      ratio: mean / FRAME_MS,
      ...atMost(mean / FRAME_MS, 0.05),
    }
  })
}

function timeFrames(text: string, add: (piece: string) => unknown): number[] {
  return Array.from({ length: Math.ceil(text.length / FRAME_CHARS) }, (_, at) => {
    const start = performance.now()
    add(text.slice(at * FRAME_CHARS, (at + 1) * FRAME_CHARS))
    return performance.now() - start
  })
}
