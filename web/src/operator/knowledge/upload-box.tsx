import { useRef, useState, type ReactNode } from 'react'
import { Button } from '../../parts/button.tsx'
import { Problem } from '../../parts/attempt.tsx'
import { bytes } from '../../parts/format.ts'
import { useMe } from '../../state/me.ts'
import { useStore } from '../../state/store.ts'
import { visibleText } from '../../text/visible.ts'
import { VisibleText } from '../../text/visible-text.tsx'
import { State } from '../parts.tsx'
import { hrefOfDocument } from './document.ts'
import { forgetEnded, tryAgain, upload, uploads, type Upload, type UploadTo } from './uploads.ts'

const ENDINGS = '.md,.markdown,.txt,.html,.htm,.pdf,.docx'

interface UploadBoxProps {
  readonly to: UploadTo
  /** of the button */
  readonly label: string
  readonly children: ReactNode
}

/** Files are chosen or dropped here, and go to the server one after the other. */
export function UploadBox({ to, label, children }: UploadBoxProps) {
  const chooser = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const most = useMe()?.limits.documentBytes ?? Infinity
  const isNew = 'workspaceId' in to
  const shown = useStore(uploads).filter((one) =>
    isNew ? 'workspaceId' in one.to : 'documentId' in one.to && one.to.documentId === to.documentId,
  )
  const take = (files: FileList | null): void => {
    setOver(false)
    // A document has one file.
    upload([...(files ?? [])].slice(0, isNew ? Infinity : 1), to, most)
  }
  return (
    <div
      className={isOver ? 'op-drop over' : 'op-drop'}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        take(event.dataTransfer.files)
      }}
    >
      <div className="row wrap">
        <Button icon="attach" onClick={() => chooser.current?.click()}>
          {label}
        </Button>
        <input
          ref={chooser}
          type="file"
          multiple={isNew}
          accept={ENDINGS}
          hidden
          aria-label={label}
          onChange={(event) => {
            take(event.target.files)
            event.target.value = ''
          }}
        />
        {children}
      </div>
      {shown.length > 0 && <UploadList shown={shown} />}
    </div>
  )
}

function UploadList({ shown }: { shown: readonly Upload[] }) {
  const done = shown.filter(({ state }) => state === 'done').length
  const hasEnded = shown.every(({ state }) => state === 'done' || state === 'failed')
  return (
    <>
      <ul className="op-uploads" aria-label="Uploads">
        {shown.map((one) => (
          <li key={one.key}>
            <OneUpload one={one} />
          </li>
        ))}
      </ul>
      <p className="row muted">
        <span role="status">
          {done} of {shown.length} uploaded
        </span>
        {hasEnded && (
          <Button kind="quiet" onClick={forgetEnded}>
            Clear the list
          </Button>
        )}
      </p>
    </>
  )
}

function OneUpload({ one }: { one: Upload }) {
  const { file, state, sent, document, problem } = one
  const name = visibleText(file.name)
  const hasGone = state === 'sending' && sent === file.size && sent > 0
  return (
    <>
      <div className="row wrap">
        {document ? (
          <a href={hrefOfDocument(document.id)}>{visibleText(document.title)}</a>
        ) : (
          <VisibleText text={name} />
        )}
        {state === 'waiting' && <span className="muted">waits</span>}
        {state === 'sending' && (
          <>
            {/* Without a value it shows that something is done, but not how much. */}
            <progress aria-label={`Upload of ${name}`} max={file.size || 1} {...(!hasGone && { value: sent })} />
            <span className="muted">{hasGone ? 'reading…' : `${bytes(sent)} of ${bytes(file.size)}`}</span>
          </>
        )}
        {document && (
          <State icon="check" tone="ok">
            {document.chunks === 1 ? '1 passage' : `${document.chunks} passages`}
          </State>
        )}
        {state === 'failed' && (
          <Button icon="retry" onClick={() => tryAgain(one)}>
            Try again
          </Button>
        )}
      </div>
      {state === 'failed' && <Problem text={problem} />}
    </>
  )
}
