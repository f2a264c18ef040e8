import { expect, test } from 'vitest'
import { expectLinear } from '../../../tests/support/linear.ts'
import { toldWindow } from './told-window.ts'

test.each<[string, string, number | undefined]>([
  ['Anthropic', 'prompt is too long: 213462 tokens > 200000 maximum', 200_000],
  [
    'Anthropic, with its answer',
    'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000',
    200_000,
  ],
  [
    'OpenAI, DeepSeek and vLLM',
    "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens (5000 in the messages).",
    8192,
  ],
  ['a number with commas', 'maximum context length is 131,072 tokens', 131_072],
  ['Gemini', 'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).', 1_048_575],
  [
    'Gemini, without brackets',
    'The input token count exceeds the maximum number of tokens allowed 1048576.',
    1_048_576,
  ],
  ['Mistral', 'Prompt contains 40960 tokens, too large for model with 32768 maximum context length', 32_768],
  ['vLLM', 'The decoder prompt (length 5000) is longer than the maximum model length of 4096.', 4096],
  ['xAI', "This model's maximum prompt length is 131072 but the request contains 537812 tokens.", 131_072],
  ['OpenRouter', 'Input length 9 exceeds the maximum allowed input length of 8000 tokens.', 8000],
  ['Together', "The input (100 tokens) is longer than the model's context length (50 tokens).", 50],
  ['Kimi', 'Your request exceeded model token limit: 262144 (requested: 269030)', 262_144],
  ['Copilot', 'prompt token count of 145000 exceeds the limit of 128000', 128_000],
  ['DashScope', 'Range of input length should be [1, 129024]', 129_024],
  ['llama.cpp', 'request (9000 tokens) exceeds the available context size (4096 tokens), try increasing it', 4096],
  ['Ollama, which names none', 'prompt too long; exceeded max context length by 12 tokens', undefined],
  ['OpenAI, which names none', 'Your input exceeds the context window of this model.', undefined],
])('the window is read from what %s says', (_, message, window) => {
  expect(toldWindow(message)).toBe(window)
})

test('time grows with the length of the message and no faster', () => {
  for (const piece of ['1', '1,', '1 > ', 'context length is ', 'range of input length should be [1'])
    expectLinear(
      () => toldWindow(piece.repeat(20_000)),
      () => toldWindow(piece.repeat(80_000)),
    )
})
