import { useEffect, useState } from 'react'
import { IconButton } from '../parts/button.tsx'
import { bytes } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'
import { VisibleText } from '../text/visible-text.tsx'
import { visibleText } from '../text/visible.ts'
import { PICTURES } from './read-files.ts'
import type { NewFile } from './unsent.ts'

/** Files that go with the next message, and why others do not. */
export function Attached({
  files,
  problems,
  remove,
}: {
  files: readonly NewFile[]
  problems: readonly string[]
  remove: (file: NewFile) => void
}) {
  return (
    <>
      {files.length > 0 && (
        <ul className="conv-files" aria-label="Attached files">
          {files.map((file, at) => (
            <li key={at} className="conv-attached">
              {PICTURES.includes(file.mediaType) ? <Preview file={file} /> : <Icon name="attach" />}
              <span className="conv-file-name">
                <VisibleText text={file.name} />
              </span>
              <small className="muted">{bytes(file.bytes)}</small>
              <IconButton label={`Remove ${visibleText(file.name)}`} icon="cross" onClick={() => remove(file)} />
            </li>
          ))}
        </ul>
      )}
      <div role="status">
        {problems.map((problem) => (
          <p key={problem} className="danger conv-attach-problem">
            <VisibleText text={problem} />
          </p>
        ))}
      </div>
    </>
  )
}

function Preview({ file }: { file: NewFile }) {
  const [address, setAddress] = useState<string>()
  const { data, mediaType } = file
  useEffect(() => {
    const content = Uint8Array.from(atob(data), (one) => one.charCodeAt(0))
    const made = URL.createObjectURL(new Blob([content], { type: mediaType }))
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [data, mediaType])
  return address === undefined ? null : <img className="conv-preview" src={address} alt="" />
}
