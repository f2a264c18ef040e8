import type { Model } from '../model.ts'
import type { ModelRequest } from '../render/render.ts'
import { promptTokens } from './estimate.ts'
import { LEAST_LEARNED, type LearnedWindows } from './learned-windows.ts'
import { toldWindow } from './told-window.ts'

/**
 * Remembers the window of a model that found a request too long; a provider that names no smaller one says at least that
 * the request does not fit.
 */
export async function learnWindow(
  windows: LearnedWindows,
  model: Model,
  { prompt, tools, output }: ModelRequest,
  words = '',
): Promise<void> {
  // Providers quote schemas, and whoever wrote one must not decide about a window for everybody.
  if (output !== undefined) return
  const told = toldWindow(words) ?? Infinity
  if (told < model.window) return windows.learn(model, told)
  const tokens = await promptTokens(prompt, tools, model, Infinity)
  // What fits into the smallest window was refused for something else.
  if (tokens > LEAST_LEARNED) windows.learn(model, tokens)
}
