import { sse, tokensOf, type CreateEncoder } from '../strict-provider/encode/encoder.ts'

const STATUS: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
}

export const googleError = (code: number, message: string) => ({
  error: { code, message, status: STATUS[code] ?? 'UNKNOWN' },
})

/** Gemini: every event is a piece of the whole, and a call comes in one. */
export const encodeGoogle: CreateEncoder = ({ id }) => {
  let call = { name: '', args: '' }
  const chunk = (parts: readonly object[], more: object = {}, rest: object = {}): string =>
    sse({
      candidates: [{ content: { parts, role: 'model' }, index: 0, ...more }],
      ...rest,
      modelVersion: 'gemini-3.8-flash',
      responseId: `resp_${id}`,
    })
  return {
    keepAlive: ': keep-alive\n\n',
    error: (status) => sse(googleError(status, 'The answer failed.')),
    part(part) {
      switch (part.type) {
        case 'reasoning-delta':
          return chunk([{ text: part.delta, thought: true }])
        case 'text-delta':
          return chunk([{ text: part.delta }])
        case 'tool-input-start':
          call = { name: part.toolName, args: '' }
          return ''
        case 'tool-input-delta':
          call.args += part.delta
          return ''
        case 'tool-input-end':
          return chunk([
            {
              functionCall: { name: call.name, args: JSON.parse(call.args) as object },
              thoughtSignature: Buffer.from(`thought ${id}`).toString('base64'),
            },
          ])
        case 'finish': {
          const { input, output } = tokensOf(part.usage)
          const usageMetadata = {
            promptTokenCount: input,
            candidatesTokenCount: output,
            totalTokenCount: input + output,
          }
          return chunk([{ text: '' }], { finishReason: 'STOP' }, { usageMetadata })
        }
        default:
          return ''
      }
    },
  }
}
