import { useState, type ReactNode } from 'react'
import type { Page } from '../../../../src/client/index.ts'
import { AskBox } from '../../conversation/ask-box.tsx'
import { Problem } from '../../parts/attempt.tsx'
import { UnifiedDiff } from '../../parts/unified-diff.tsx'
import { usePolled } from '../../state/polled.ts'
import { VisibleText } from '../../text/visible-text.tsx'
import { Select } from '../field.tsx'
import { queryOf } from '../filters.ts'
import { compareFirst, othersOf, STATUS, titleOf, type Prompt } from './prompt.ts'
import { pathOf } from './prompt-api.ts'

interface PromptDiff {
  readonly diff: string
  readonly added: number
  readonly removed: number
}

/** All versions of its workspace, newest first, as far as one page has them. */
export function useVersions({ workspaceId }: Pick<Prompt, 'workspaceId'>): readonly Prompt[] {
  const path = `/api/prompts?${queryOf({ workspaceId, limit: '200' })}`
  return usePolled<Page<Prompt>>(path, 10_000).value?.items ?? []
}

interface ChangesProps {
  readonly prompt: Prompt
  /** shown while there is nothing to compare it with */
  readonly otherwise?: ReactNode
}

/** What is different from the active version, or from another one. */
export function Changes({ prompt, otherwise }: ChangesProps) {
  const [chosen, choose] = useState<string>()
  const others = othersOf(prompt, useVersions(prompt))
  const against = others.find(({ id }) => id === chosen) ?? compareFirst(prompt, others)
  if (others.length === 0) return otherwise
  return (
    <div className="column op-changes">
      <Select
        label="Compared with"
        options={[
          ...(against ? [] : [['', 'choose a version'] as const]),
          ...others.map((other) => [other.id, `${titleOf(other)} (${STATUS[other.status][0]})`] as const),
        ]}
        value={against?.id ?? ''}
        choose={choose}
      />
      {against ? <Difference prompt={prompt} against={against} /> : otherwise}
    </div>
  )
}

function Difference({ prompt, against }: { prompt: Prompt; against: Prompt }) {
  const path = `${pathOf(prompt.id)}/diff?against=${encodeURIComponent(against.id)}`
  const { value, error } = usePolled<PromptDiff>(path, 10_000)
  if (!value) return <Problem text={error} />
  if (value.diff === '') return <p className="muted">Both say the same.</p>
  return (
    <>
      <AskBox label={`Changes from ${titleOf(against)} to ${titleOf(prompt)}`}>
        <UnifiedDiff diff={value.diff} />
      </AskBox>
      <p className="muted op-note">
        {value.added} {value.added === 1 ? 'line' : 'lines'} added, {value.removed} removed
      </p>
    </>
  )
}

export function Words({ prompt }: { prompt: Prompt }) {
  return (
    <AskBox label={`Words of ${titleOf(prompt)}`}>
      <VisibleText text={prompt.content} spaces="prose" />
    </AskBox>
  )
}
