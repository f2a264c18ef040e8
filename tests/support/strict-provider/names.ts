export const FORMAT_NAMES = ['anthropic', 'openai-chat', 'openai', 'deepseek'] as const
export type FormatName = (typeof FORMAT_NAMES)[number]

/** Tells the number of a model call in its round, as a script counts them; no provider knows it. */
export const CALL_HEADER = 'x-segno-call'
/** Tells what Segno itself asks for. */
export const PURPOSE_HEADER = 'x-segno-purpose'
