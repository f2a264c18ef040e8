import { useState } from 'react'
import type { MeView } from '../../../../src/client/index.ts'
import type { DocumentStatus } from '../../../../src/contract/knowledge.ts'
import { Problem, useAttempt } from '../../parts/attempt.tsx'
import { Button } from '../../parts/button.tsx'
import type { IconName } from '../../parts/icon.tsx'
import { Question } from '../../parts/question.tsx'
import { RenameField } from '../../parts/rename-field.tsx'
import { goWith } from '../filters.ts'
import { deleteDocument, renameDocument, takeStep } from './document-api.ts'
import { deedsFor, foundBefore, titleOf, type Deed, type Doc } from './document.ts'
import { UploadBox } from './upload-box.tsx'

const FACES = {
  submit: ['send', 'Submit for review', 'primary'],
  publish: ['play', 'Publish…', 'primary'],
  rename: ['edit', 'Rename', 'plain'],
  archive: ['archive', 'Archive…', 'plain'],
  delete: ['trash', 'Delete…', 'danger'],
} as const satisfies Partial<Record<Deed, readonly [IconName, string, string]>>
type Pressed = keyof typeof FACES

/** What a new version does to a document besides having other words. */
const VERSION_WORDS: Readonly<Partial<Record<DocumentStatus, string>>> = {
  pending_review: 'It becomes a draft again, to be submitted anew.',
  approved: 'It becomes a draft again, to be approved anew.',
  published: 'It becomes a draft; what is published now is found until that is.',
}

/** The buttons for what can be done with a document now. */
export function Actions({ doc, me }: { doc: Doc; me: MeView }) {
  const [asking, ask] = useState<Pressed>()
  const [problem, attempt] = useAttempt()
  const deeds = deedsFor(me, doc)
  const close = (): void => ask(undefined)
  const renamed = (title: string | undefined): void => {
    close()
    if (title !== undefined) void attempt(renameDocument(doc, title))
  }
  return (
    <>
      <div className="op-actions row wrap">
        {deeds.map((deed) => {
          if (deed === 'version') return null
          const [icon, words, kind] = FACES[deed]
          return (
            <Button
              key={deed}
              icon={icon}
              kind={kind}
              onClick={() => (deed === 'submit' ? void attempt(takeStep(doc, 'submit')) : ask(deed))}
            >
              {words}
            </Button>
          )
        })}
        <Problem text={problem} />
      </div>
      {asking === 'rename' && (
        <RenameField className="op-against" title={doc.title} label="Title of the document" onDone={renamed} />
      )}
      {deeds.includes('version') && (
        <UploadBox to={{ documentId: doc.id, revision: doc.revision }} label="New version from a file…">
          <span className="muted">or drop it here. {VERSION_WORDS[doc.status]}</span>
        </UploadBox>
      )}
      {(asking === 'publish' || asking === 'archive' || asking === 'delete') && (
        <Asking deed={asking} doc={doc} onClose={close} />
      )}
    </>
  )
}

interface AskingProps {
  readonly deed: 'publish' | 'archive' | 'delete'
  readonly doc: Doc
  readonly onClose: () => void
}

function Asking({ deed, doc, onClose }: AskingProps) {
  const title = titleOf(doc)
  if (deed === 'delete')
    return (
      <Question
        title={`Delete ${title}?`}
        keep="Keep it"
        go="Delete"
        icon="trash"
        run={async () => {
          await deleteDocument(doc.id)
          goWith('knowledge', {})
        }}
        onClose={onClose}
      >
        <p>
          All its versions are erased, also from what was cited and from prompts that were sent before. What answers
          said in their own words stays. This cannot be undone.
        </p>
      </Question>
    )
  const isPublish = deed === 'publish'
  return (
    <Question
      title={isPublish ? `Publish ${title}?` : `Archive ${title}?`}
      go={isPublish ? 'Publish' : 'Archive'}
      isHarmless={isPublish}
      reason="Why (optional)"
      run={(reason) => takeStep(doc, deed, reason)}
      onClose={onClose}
    >
      <p>
        {isPublish
          ? publishWords(doc)
          : 'It is not found any more. What cites it stays, and it can be published again.'}
      </p>
    </Question>
  )
}

function publishWords(doc: Doc): string {
  const who = doc.workspaceId === 'system' ? 'all conversations here' : 'the conversations of its workspace'
  const before = foundBefore(doc)
  return `From their next message on, ${who} find it${before === undefined ? '' : ` instead of version ${before}`}.`
}
