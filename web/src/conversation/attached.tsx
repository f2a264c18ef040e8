import { useEffect, useState } from 'react'
import { IconButton } from '../parts/button.tsx'
import { bytes } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'
import { VisibleText } from '../text/visible-text.tsx'
import { visibleText } from '../text/visible.ts'
import { PICTURES } from './read-files.ts'
import type { NewFile } from './unsent.ts'

interface AttachedProps {
  readonly files: readonly NewFile[]
  readonly problems: readonly string[]
  readonly remove: (file: NewFile) => void
}

/** Files that go with the next message, and why others do not. */
export function Attached({ files, problems, remove }: AttachedProps) {
  return (
    <>
      {files.length > 0 && (
        <ul className="conv-files" aria-label="Attached files">
          {files.map((file, at) => (
            <li key={at} className="conv-attached row">
              {PICTURES.includes(file.mediaType) ? <Preview file={file} /> : <Icon name="attach" />}
              <VisibleText as="span" className="ellipsis" text={file.name} />
              <small>{bytes(file.bytes)}</small>
              <IconButton label={`Remove ${visibleText(file.name)}`} icon="cross" onClick={() => remove(file)} />
            </li>
          ))}
        </ul>
      )}
      <div role="status">
        {problems.map((problem) => (
          <VisibleText key={problem} as="p" className="danger conv-attach-problem" text={problem} />
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
