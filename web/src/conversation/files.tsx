import { useEffect, useState } from 'react'
import type { FilePart } from '../../../src/contract/message.ts'
import { request } from '../api/client.ts'
import { bytes } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'
import { saveFile } from '../parts/save-file.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { visibleText } from '../text/visible.ts'
import { PICTURES } from './read-files.ts'
import { attempt } from './trouble.ts'

const filePath = (sessionId: string, hash: string): string =>
  `/api/sessions/${encodeURIComponent(sessionId)}/files/${encodeURIComponent(hash)}`

export const fetchFile = async (sessionId: string, { hash }: FilePart): Promise<Blob> =>
  (await request('GET', filePath(sessionId, hash))).blob()

/** Pictures as pictures, everything else as a name to save. */
export function Files({ sessionId, files }: { sessionId: string; files: readonly FilePart[] }) {
  if (files.length === 0) return null
  return (
    <ul className="conv-files">
      {files.map((file, at) => (
        <li key={`${file.hash} ${at}`}>
          {PICTURES.includes(file.mediaType) ? (
            <Picture sessionId={sessionId} file={file} />
          ) : (
            <FileChip sessionId={sessionId} file={file} />
          )}
        </li>
      ))}
    </ul>
  )
}

function FileChip({ sessionId, file }: { sessionId: string; file: FilePart }) {
  const name = file.name ?? file.mediaType
  return (
    <button type="button" className="button conv-file" title="Save" onClick={() => void attempt(save(sessionId, file))}>
      <Icon name="attach" />
      <span className="conv-file-name">
        <VisibleText text={name} />
      </span>
      <small className="muted">{bytes(file.bytes)}</small>
    </button>
  )
}

function Picture({ sessionId, file }: { sessionId: string; file: FilePart }) {
  const [address, setAddress] = useState<string>()
  const [hasFailed, setFailed] = useState(false)
  const { hash, mediaType } = file
  useEffect(() => {
    const leaving = new AbortController()
    let made: string | undefined
    request('GET', filePath(sessionId, hash), undefined, { signal: leaving.signal })
      .then((response) => response.blob())
      .then((blob) => {
        if (leaving.signal.aborted) return
        // Only what it is said to be: the type decides what the browser does with it.
        made = URL.createObjectURL(new Blob([blob], { type: mediaType }))
        setAddress(made)
      })
      .catch(() => setFailed(!leaving.signal.aborted))
    return () => {
      leaving.abort()
      if (made !== undefined) URL.revokeObjectURL(made)
    }
  }, [sessionId, hash, mediaType])
  if (hasFailed) return <FileChip sessionId={sessionId} file={file} />
  return (
    <button
      type="button"
      className="conv-picture"
      aria-label={`Save ${visibleText(file.name ?? 'picture')}`}
      onClick={() => void attempt(save(sessionId, file))}
    >
      {address !== undefined && <img src={address} alt={visibleText(file.name ?? 'picture')} />}
    </button>
  )
}

async function save(sessionId: string, file: FilePart): Promise<void> {
  saveFile(await fetchFile(sessionId, file), file.name ?? 'file')
}
