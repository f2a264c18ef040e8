export { createPrompts, type Prompts } from './prompts.ts'
