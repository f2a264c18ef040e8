import { tokensOf, type CreateEncoder } from '../strict-provider/encode/encoder.ts'

const line = (data: object): string => `${JSON.stringify(data)}\n`

/** Ollama's own format: a JSON object a line, and a call in one piece. */
export const encodeOllama: CreateEncoder = ({ model }) => {
  let call = { name: '', args: '' }
  const message = (said: object): string =>
    line({
      model,
      created_at: '2026-11-01T10:00:00Z',
      message: { role: 'assistant', content: '', ...said },
      done: false,
    })
  return {
    keepAlive: '\n',
    error: () => line({ error: 'The answer failed.' }),
    part(part) {
      switch (part.type) {
        case 'reasoning-delta':
          return message({ thinking: part.delta })
        case 'text-delta':
          return message({ content: part.delta })
        case 'tool-input-start':
          call = { name: part.toolName, args: '' }
          return ''
        case 'tool-input-delta':
          call.args += part.delta
          return ''
        case 'tool-input-end':
          return message({
            tool_calls: [{ function: { name: call.name, arguments: JSON.parse(call.args) as object } }],
          })
        case 'finish': {
          const { input, output } = tokensOf(part.usage)
          return line({
            model,
            message: { role: 'assistant', content: '' },
            done: true,
            done_reason: 'stop',
            prompt_eval_count: input,
            eval_count: output,
          })
        }
        default:
          return ''
      }
    },
  }
}
