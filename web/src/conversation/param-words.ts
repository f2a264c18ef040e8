import type { ModelParams } from '../../../src/client/index.ts'

/** How a model is to answer, in a few words; none where all is as usual. */
export function paramWords({ effort, temperature, maxOutput, tools, toolChoice, output }: ModelParams): string {
  return [
    effort !== undefined && `effort ${effort}`,
    temperature !== undefined && `temperature ${temperature}`,
    maxOutput !== undefined && `at most ${maxOutput} tokens`,
    tools && (tools.length === 0 ? 'no tools' : `only ${tools.join(', ')}`),
    toolChoice !== undefined && `tool choice ${typeof toolChoice === 'string' ? toolChoice : toolChoice.tool}`,
    output && 'as JSON',
  ]
    .filter(Boolean)
    .join(', ')
}
