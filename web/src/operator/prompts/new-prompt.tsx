import { useState } from 'react'
import { Select } from '../field.tsx'
import { goWith } from '../filters.ts'
import { makePrompt } from './prompt-api.ts'
import { placeOf, PromptForm } from './prompt-form.tsx'
import { useWorkspaces } from '../use-workspaces.ts'

/** The first draft of a prompt. */
export function NewPrompt({ workspaceId }: { workspaceId: string }) {
  const [where, setWhere] = useState(workspaceId)
  const workspaces = useWorkspaces('wherever there is no other')
  return (
    <>
      <h2>New prompt</h2>
      <PromptForm
        place={placeOf('new')}
        name=""
        go="Save as a draft"
        save={async (written) => goWith('prompts', { id: (await makePrompt({ ...written, workspaceId: where })).id })}
        cancel={() => goWith('prompts', {})}
      >
        <Select label="Workspace" options={workspaces} value={where} choose={setWhere} />
      </PromptForm>
    </>
  )
}
