import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import { betweenMarkers } from '../../lib/between-markers.ts'
import { defaultScript } from './default-script.ts'
import type { Script } from './script.ts'
import { createScriptedModel } from './scripted-model.ts'

const asking = (text: string, call?: number, purpose?: string): LanguageModelV4CallOptions => ({
  prompt: [{ role: 'user', content: [{ type: 'text', text }] }],
  providerOptions: { segno: { ...(call !== undefined && { call }), ...(purpose !== undefined && { purpose }) } },
})

async function partsOf(script: Script, options: LanguageModelV4CallOptions) {
  return Array.fromAsync((await createScriptedModel(script).doStream(options)).stream)
}

async function textOf(script: Script, options: LanguageModelV4CallOptions): Promise<string> {
  return (await partsOf(script, options)).map((part) => (part.type === 'text-delta' ? part.delta : '')).join('')
}

describe('the scripted model', () => {
  it('is a provider like any other', () => {
    expect(createScriptedModel({})).toMatchObject({
      specificationVersion: 'v4',
      provider: 'scripted',
      modelId: 'scripted',
    })
  })

  it('tells how it was to answer, and takes nothing in a message for a place to tell it', async () => {
    const script = { otherwise: { text: '{{params}} {{message}}' } }
    const options = {
      ...asking('{{params}}'),
      temperature: 0.1,
      toolChoice: { type: 'tool', toolName: 'look' },
    } as const
    expect(await textOf(script, options)).toBe('{"temperature":0.1,"toolChoice":{"tool":"look"}} {{params}}')
  })

  it('plays the first scenario that matches, in any case', async () => {
    const script = {
      scenarios: [
        { when: '^nothing', turns: [{ text: 'no' }] },
        { when: 'fetch .*lodash', turns: [{ text: 'first' }] },
        { when: 'lodash', turns: [{ text: 'second' }] },
      ],
    }
    expect(await textOf(script, asking('Please FETCH the page of Lodash'))).toBe('first')
    expect(await textOf(script, asking('lodash?'))).toBe('second')
  })

  it('echoes when nothing matches', async () => {
    expect(await textOf({}, asking('hello'))).toBe('Echo: hello')
  })

  it('answers every call with its otherwise', async () => {
    const script = { otherwise: { text: 'You said {{message}}.' } }
    expect(await textOf(script, asking('hi', 1))).toBe('You said hi.')
    expect(await textOf(script, asking('hi', 5))).toBe('You said hi.')
  })

  it('plays its turn whatever tools it is offered', async () => {
    const script = { otherwise: { calls: [{ name: 'bash', args: {} }] } }
    const parts = await partsOf(script, { ...asking('hi'), toolChoice: { type: 'none' } })
    expect(parts).toContainEqual({ type: 'tool-call', toolCallId: 'call_1', toolName: 'bash', input: '{}' })
  })
})

describe('the n-th call', () => {
  const turns = [{ text: 'one' }, { text: 'two' }]
  const script = { scenarios: [{ when: '', turns }] }

  it('gets the n-th turn', async () => {
    expect(await textOf(script, asking('go', 1))).toBe('one')
    expect(await textOf(script, asking('go', 2))).toBe('two')
  })

  it('is counted from the prompt when the caller does not count', async () => {
    const prompt: LanguageModelV4Prompt = [
      { role: 'user', content: [{ type: 'text', text: 'go' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'one' }] },
    ]
    expect(await textOf(script, { prompt })).toBe('two')
  })

  it('gets an empty answer past the end', async () => {
    const parts = await partsOf(script, asking('go', 3))
    expect(parts.map((part) => part.type)).toEqual(['stream-start', 'finish'])
    expect(parts.at(-1)).toMatchObject({ finishReason: { unified: 'stop' } })
  })

  it('gets the last turn again with repeat', async () => {
    const repeating = { scenarios: [{ when: '', repeat: true, turns }] }
    expect(await textOf(repeating, asking('go', 1))).toBe('one')
    expect(await textOf(repeating, asking('go', 9))).toBe('two')
  })

  it('may be the retry of a broken one', async () => {
    const broken: Script = {
      scenarios: [
        { when: '^broken', turns: [{ text: 'half', fault: { kind: 'cut', afterDeltas: 3 } }, { text: 'whole' }] },
      ],
    }
    expect((await partsOf(broken, asking('broken', 1))).some((part) => part.type === 'finish')).toBe(false)
    expect(await textOf(broken, asking('broken', 2))).toBe('whole')
  })
})

describe('what Segno itself asks for', () => {
  const marked = (text: string) => `Summarise this.\n${betweenMarkers(text, 'c', 'a conversation')}\nNow.`

  it('is answered only by scenarios that name it, and they answer nothing else', async () => {
    const script: Script = {
      scenarios: [
        { when: '', turns: [{ text: 'talk' }] },
        { when: 'rain', purpose: 'summary', turns: [{ text: 'about rain' }, { text: 'again' }] },
      ],
    }
    expect(await textOf(script, asking('it rains', 1))).toBe('talk')
    expect(await textOf(script, asking('it rains', 1, 'summary'))).toBe('about rain')
    expect(await textOf(script, asking('it rains', 2, 'summary'))).toBe('again')
    expect(await textOf(script, asking('it rains', 1, 'title'))).toBe('it rains')
    expect(await textOf(script, asking('it snows', 1, 'summary'))).toBe('it snows')
  })

  it('is otherwise the beginning of the text between the markers, in whole words', async () => {
    const words = Array.from({ length: 200 }, (_, n) => `word${n}`).join(' ')
    const summary = await textOf({}, asking(marked(words), 1, 'summary'))
    expect(words.startsWith(`${summary} `)).toBe(true)
    expect(summary.length).toBeGreaterThan(390)
    expect(summary.length).toBeLessThanOrEqual(400)
    expect(await textOf({}, asking(marked('short {{message}}'), 1, 'summary'))).toBe('short {{message}}')
    expect(await textOf({}, asking(marked('x'.repeat(500)), 1, 'summary'))).toBe('x'.repeat(400))
    expect(await textOf({}, asking(marked('How do I\n\nbake a good  cake at home?'), 1, 'title'))).toBe(
      'How do I bake a good',
    )
    expect(await textOf({ otherwise: { text: 'no' } }, asking(marked(''), 1, 'title'))).toBe('')
  })
})

describe('a fault', () => {
  it('refuses the call when it names no deltas', async () => {
    const error: Script = { otherwise: { fault: { kind: 'error', status: 429, retryAfterMs: 20 } } }
    await expect(createScriptedModel(error).doStream(asking('hi'))).rejects.toMatchObject({
      statusCode: 429,
      isRetryable: true,
      responseHeaders: { 'retry-after-ms': '20' },
    })
    const overloaded: Script = { otherwise: { fault: { kind: 'overloaded' } } }
    await expect(createScriptedModel(overloaded).doStream(asking('hi'))).rejects.toMatchObject({ statusCode: 529 })
  })

  it('comes in the stream when it names deltas, even none', async () => {
    const script: Script = { otherwise: { text: 'abc', fault: { kind: 'overloaded', afterDeltas: 0 } } }
    expect((await partsOf(script, asking('hi'))).map((part) => part.type)).toEqual(['stream-start', 'error'])
  })
})

describe('an abort', () => {
  it('before the call refuses it with the reason', async () => {
    const abortSignal = AbortSignal.abort(new Error('too late'))
    await expect(createScriptedModel({}).doStream({ ...asking('hi'), abortSignal })).rejects.toThrow('too late')
  })

  it('during a stall ends the stream with the reason', async () => {
    const controller = new AbortController()
    const script: Script = { otherwise: { fault: { kind: 'stall' } } }
    const reading = partsOf(script, { ...asking('hi'), abortSignal: controller.signal })
    setImmediate(() => controller.abort(new Error('enough')))
    await expect(reading).rejects.toThrow('enough')
  })
})

describe('the default script', () => {
  const callsOf = async (text: string) =>
    (await partsOf(defaultScript, asking(text, 1))).filter((part) => part.type === 'tool-call')

  it.each([
    ['What time is it?', 'datetime', '{}'],
    ['what is 17 * 23', 'calculator', '{"expression":"17 * 23"}'],
    ['Fetch the npm page for lodash', 'web_fetch', '{"url":"https://www.npmjs.com/package/lodash"}'],
  ])('answers "%s" with %s', async (text, toolName, input) => {
    expect(await callsOf(text)).toMatchObject([{ toolName, input }])
    expect(await textOf(defaultScript, asking(text, 2))).not.toBe('')
  })

  it('echoes anything else and says what it is', async () => {
    const text = await textOf(defaultScript, asking('hello there'))
    expect(text).toContain('hello there')
    expect(text).toContain('scripted model')
    expect(text).toContain('API key')
  })
})
