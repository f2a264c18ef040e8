export { buildPrompt, type PromptOptions } from './build-prompt.ts'
export { fileHashes } from './files.ts'
export { tokensOf } from './cut.ts'
