import type { PageProps } from '../filters.ts'
import { NewPrompt } from './new-prompt.tsx'
import { OnePrompt } from './one-prompt.tsx'
import { PromptList } from './prompt-list.tsx'
import '../css/prompts.css'

/** System prompts: what waits for review, all versions, one of them, or a new one. */
export function Prompts({ me, filters }: PageProps) {
  const { id, make } = filters
  if (make) return <NewPrompt workspaceId={make} />
  return id ? <OnePrompt key={id} id={id} me={me} /> : <PromptList me={me} filters={filters} />
}
