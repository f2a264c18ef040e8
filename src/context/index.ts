export { buildPrompt } from './build-prompt.ts'
export { fileHashes } from './files.ts'
export { forgetUnshown, isOver, tokensOf, type CutLimits } from './cut.ts'
