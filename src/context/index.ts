export { buildPrompt, type PromptOptions } from './build-prompt.ts'
export { fileHashes } from './files.ts'
export { cutExchanges, tokensOf, type CutLimits } from './cut.ts'
