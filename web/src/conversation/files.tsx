import { useEffect, useState } from 'react'
import type { FilePart } from '../../../src/contract/message.ts'
import { client } from '../api/client.ts'
import { bytes } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'
import { saveFile } from '../parts/save-file.ts'
import { useSession } from '../state/session.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { visibleText } from '../text/visible.ts'
import { PICTURES } from './read-files.ts'
import { attempt } from './trouble.ts'

const filePath = (sessionId: string, hash: string): string =>
  `/api/sessions/${encodeURIComponent(sessionId)}/files/${encodeURIComponent(hash)}`

export const fetchFile = async (sessionId: string, { hash }: FilePart): Promise<Blob> =>
  (await client.request('GET', filePath(sessionId, hash))).blob()

/** Pictures as pictures, everything else as a name to save. */
export function Files({ files }: { files: readonly FilePart[] }) {
  if (files.length === 0) return null
  return (
    <ul className="conv-files">
      {files.map((file, at) => (
        <li key={`${file.hash} ${at}`}>
          {PICTURES.includes(file.mediaType) ? <Picture file={file} /> : <FileChip file={file} />}
        </li>
      ))}
    </ul>
  )
}

function FileChip({ file }: { file: FilePart }) {
  const { id } = useSession()
  const name = file.name ?? file.mediaType
  return (
    <button type="button" className="button conv-file" title="Save" onClick={() => void attempt(save(id, file))}>
      <Icon name="attach" />
      <VisibleText as="span" className="ellipsis" text={name} />
      <small>{bytes(file.bytes)}</small>
    </button>
  )
}

function Picture({ file }: { file: FilePart }) {
  const { id } = useSession()
  const [address, setAddress] = useState<string>()
  const [hasFailed, setFailed] = useState(false)
  const { hash, mediaType } = file
  useEffect(() => {
    const leaving = new AbortController()
    let made: string | undefined
    client
      .request('GET', filePath(id, hash), { signal: leaving.signal })
      .then((response) => response.blob())
      .then((blob) => {
        if (leaving.signal.aborted) return
        // The declared type, not the one the response claims, decides what the browser does with it.
        made = URL.createObjectURL(new Blob([blob], { type: mediaType }))
        setAddress(made)
      })
      .catch(() => setFailed(!leaving.signal.aborted))
    return () => {
      leaving.abort()
      if (made !== undefined) URL.revokeObjectURL(made)
    }
  }, [id, hash, mediaType])
  if (hasFailed) return <FileChip file={file} />
  return (
    <button
      type="button"
      className="conv-picture"
      aria-label={`Save ${visibleText(file.name ?? 'picture')}`}
      onClick={() => void attempt(save(id, file))}
    >
      {address !== undefined && <img src={address} alt={visibleText(file.name ?? 'picture')} />}
    </button>
  )
}

async function save(sessionId: string, file: FilePart): Promise<void> {
  saveFile(await fetchFile(sessionId, file), file.name ?? 'file')
}
