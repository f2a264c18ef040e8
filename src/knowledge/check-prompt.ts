import { checkLine, checkText } from './check-text.ts'

export interface PromptInput {
  readonly name?: string
  readonly content?: string
}

const NAME_CHARS = 200

export function checkPromptInput({ name, content }: PromptInput, mostChars: number): void {
  if (name !== undefined) checkLine('name', name, NAME_CHARS)
  if (content !== undefined) checkText('content', content, mostChars, ' (limit PROMPT_CHARS)')
}
