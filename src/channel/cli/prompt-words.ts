import type { PromptVersion } from '../../client/index.ts'
import { visible, visibleText } from '../../lib/visible.ts'
import type { Answer } from './cli.ts'

export function promptLine({ id, workspaceId, name, version, status, tokens, author, ...more }: PromptVersion): string {
  const review = more.selfApproved ? `, self-approved` : more.reviewer ? `, approved by ${visible(more.reviewer)}` : ''
  const what = `${visible(name)} v${version} of ${visible(workspaceId)}`
  return `${id}  ${status}  ${what}, ${tokens} tokens, by ${visible(author)}${review}`
}

/** All of it, with its words. */
export function promptText(prompt: PromptVersion): string {
  const { editors, reason, content } = prompt
  return [
    promptLine(prompt),
    `  revision ${prompt.revision}`,
    ...(editors.length > 0 ? [`  changed by ${editors.map(visible).join(', ')}`] : []),
    ...(reason === undefined
      ? []
      : [`  ${prompt.status === 'draft' ? 'rejected, because' : 'because'}: ${visible(reason)}`]),
    '',
    visibleText(content),
  ].join('\n')
}

/** What it is now, and what can be done with it. */
export function told(prompt: PromptVersion): Answer {
  const { id, status } = prompt
  const next = {
    draft: `segno prompts edit ${id} --file <path>, or segno prompts submit ${id}`,
    pending_review: `somebody else says: segno prompts approve ${id}   (or reject ${id} --reason "…")`,
    approved: `segno prompts activate ${id}`,
    active: `it counts from the next message on; segno prompts deprecate ${id} ends that`,
    deprecated: `segno prompts activate ${id} brings it back`,
  }[status]
  return { json: prompt, text: `${promptLine(prompt)}\n  ${next}` }
}
