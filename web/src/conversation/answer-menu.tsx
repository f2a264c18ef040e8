import { useState } from 'react'
import type { ModelParams, ParamChanges } from '../../../src/client/index.ts'
import { IconButton } from '../parts/button.tsx'
import { lazyComponent } from '../parts/lazy-component.tsx'
import { visibleText } from '../text/visible.ts'
import { paramWords } from './param-words.ts'

const AnswerDialog = lazyComponent(async () => (await import('./answer-dialog.tsx')).AnswerDialog)

interface AnswerMenuProps {
  /** nothing: the default */
  readonly model: string | undefined
  readonly params: ModelParams
  readonly change: (changes: ParamChanges) => unknown
}

/** How the model answers in this conversation: how much it thinks, how long it may answer, with which tools. */
export function AnswerMenu({ model, params, change }: AnswerMenuProps) {
  const [isOpen, setOpen] = useState(false)
  const words = visibleText(paramWords(params))
  return (
    <>
      <IconButton
        label={words === '' ? 'How the model answers' : `How the model answers: ${words}`}
        icon="sliders"
        className={words === '' ? '' : 'is-set'}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      />
      {isOpen && <AnswerDialog model={model} params={params} change={change} onClose={() => setOpen(false)} />}
    </>
  )
}
