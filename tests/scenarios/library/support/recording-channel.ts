import type { Channel, ChannelMessage } from '../../../../src/contract/channel.ts'

export interface RecordingChannel extends Channel {
  /** everything the channel was told, in order */
  readonly heard: string[]
  readonly text: string
}

/** A channel that writes down what it hears. It can be asked only if it is given something to answer with. */
export function recordingChannel(answer?: NonNullable<Channel['requestApproval']>, name = 'desk'): RecordingChannel {
  const heard: string[] = []
  return {
    name,
    heard,
    get text() {
      return heard.flatMap((line) => (line.startsWith('delta ') ? [line.slice('delta '.length)] : [])).join('')
    },
    streamDelta: (text) => void heard.push(`delta ${text}`),
    streamComplete: () => void heard.push('complete'),
    onToolCallStart: (tool) => void heard.push(`start ${tool}`),
    onToolCallResult: (tool, success) => void heard.push(`result ${tool} ${success}`),
    ...(answer && {
      requestApproval(request) {
        heard.push(`ask ${request.tool}`)
        return answer(request)
      },
    }),
  }
}

export function channelMessage(content: string, more: Partial<ChannelMessage> = {}): ChannelMessage {
  return { id: 'm1', userId: 'ada', content, timestamp: new Date(0), ...more }
}
