import type { Recording } from './read-recording.ts'
import { framesOf } from './sse.ts'
import type { Shape } from './shape.ts'

/** What the server says when nothing is to be played: a short text as any provider may say it. */
export const ORDINARY = 'Very well.'

const CHUNKS: Readonly<Record<Shape, (modelId: string) => object[]>> = {
  anthropic: (model) => [
    {
      type: 'message_start',
      message: {
        id: 'msg_ordinary',
        type: 'message',
        role: 'assistant',
        model,
        content: [],
        stop_reason: null,
        usage: { input_tokens: 10, output_tokens: 1 },
      },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: ORDINARY } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 4 } },
    { type: 'message_stop' },
  ],
  responses: (model) => {
    const response = { id: 'resp_ordinary', object: 'response', created_at: 1_794_700_000, model }
    const item = { id: 'msg_ordinary', type: 'message', role: 'assistant' }
    const usage = { input_tokens: 10, output_tokens: 4, total_tokens: 14 }
    return [
      { type: 'response.created', sequence_number: 0, response },
      { type: 'response.output_item.added', sequence_number: 1, output_index: 0, item: { ...item, content: [] } },
      {
        type: 'response.output_text.delta',
        sequence_number: 2,
        output_index: 0,
        content_index: 0,
        item_id: item.id,
        delta: ORDINARY,
      },
      { type: 'response.output_item.done', sequence_number: 3, output_index: 0, item },
      { type: 'response.completed', sequence_number: 4, response: { ...response, usage } },
    ]
  },
  chat: (model) => {
    const chunk = { id: 'chatcmpl-ordinary', object: 'chat.completion.chunk', created: 1_794_700_000, model }
    const choice = { index: 0, delta: {}, finish_reason: null }
    return [
      { ...chunk, choices: [{ ...choice, delta: { role: 'assistant', content: ORDINARY } }] },
      { ...chunk, choices: [{ ...choice, finish_reason: 'stop' }] },
      { ...chunk, choices: [], usage: { prompt_tokens: 10, completion_tokens: 4, total_tokens: 14 } },
    ]
  },
  google: (modelVersion) => [
    {
      candidates: [{ content: { parts: [{ text: ORDINARY }], role: 'model' }, index: 0, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 4, totalTokenCount: 14 },
      modelVersion,
    },
  ],
}

export function ordinaryFrames({ shape, modelId }: Pick<Recording, 'shape' | 'modelId'>): Buffer[] {
  return framesOf({ shape, lines: CHUNKS[shape](modelId).map((chunk) => JSON.stringify(chunk)) })
}
