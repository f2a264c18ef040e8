import { useState } from 'react'
import { visibleText } from '../../text/visible.ts'
import { Field } from '../field.tsx'
import { goWith } from '../filters.ts'
import { makePrompt } from './prompt-api.ts'
import { placeOf, PromptForm } from './prompt-form.tsx'
import { useWorkspaces } from './use-workspaces.ts'

/** The first draft of a prompt. */
export function NewPrompt({ workspaceId }: { workspaceId: string }) {
  const [where, setWhere] = useState(workspaceId)
  const workspaces = useWorkspaces()
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
        <Field label="Workspace">
          {(id) => (
            <select id={id} className="input" value={where} onChange={(event) => setWhere(event.target.value)}>
              {workspaces.map(([known, name]) => (
                <option key={known} value={known}>
                  {visibleText(name)}
                </option>
              ))}
            </select>
          )}
        </Field>
      </PromptForm>
    </>
  )
}
