import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { probe } from '../../../support/probe-tool.ts'
import { segnoUnderTest, type SegnoUnderTest } from '../../../support/segno-under-test.ts'

const TURNS = 8

/**
 * A round of more than sixty events: tools in every turn but the last, text in many small deltas, a turn that is cut
 * off and tried again, a call that asks a person. The last tool stays in its call until it is let go. `pace`: waited for
 * before every piece of text.
 */
export async function longRound(pace = async () => {}): Promise<SegnoUnderTest & { letGo(): void }> {
  const gate = Promise.withResolvers<void>()
  const look = probe('look')
  const mail = probe('mail', { effect: 'unsafe', approval: 'ask' })
  const hold = probe('hold', { run: () => gate.promise.then(() => 'held') })
  const turns = Array.from({ length: TURNS }, (_, i) => ({
    text: `This is turn ${i + 1}: it takes its time and is told in small pieces. `,
    reasoning: i % 2 ? 'Hm, let me see.' : '',
    calls:
      i === TURNS - 1
        ? []
        : [{ name: i === 4 ? 'mail' : i === TURNS - 2 ? 'hold' : 'look', args: { i } }, { name: 'look' }],
    deltaChars: 3,
    delayMs: 1,
  }))
  const cut = { text: 'This is not how turn 3 will', deltaChars: 3, delayMs: 1 }
  turns.splice(2, 0, { ...cut, fault: { kind: 'cut', afterDeltas: 7 } } as never)
  const u = await segnoUnderTest({
    tools: [look, mail, hold],
    turns,
    model: (scripted) => paced(scripted, pace),
    limits: { MAX_ITERATIONS: 20, MAX_TOOL_CALLS: 50 },
  })
  return Object.assign(u, { letGo: gate.resolve })
}

function paced(model: LanguageModelV4, pace: () => Promise<void>): LanguageModelV4 {
  return {
    ...model,
    async doStream(options) {
      const { stream } = await model.doStream(options)
      const steps = new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
        async transform(part, controller) {
          if (part.type === 'text-delta') await pace()
          controller.enqueue(part)
        },
      })
      return { stream: stream.pipeThrough(steps) }
    },
  }
}
