import { useEffect, useState, type RefObject } from 'react'
import { useMe } from '../state/me.ts'
import { useStore } from '../state/store.ts'
import { keepDraft, readDraft } from './keep.ts'
import { takenBack } from './outbox.ts'
import { readFiles } from './read-files.ts'
import { shownIn, type NewFile } from './unsent.ts'

/** Until the server has told its own. */
const SOME_LIMITS = { fileBytes: 3_000_000, messageFiles: 10, bodyBytes: 4_000_000 }

/** What is in a composer. Its text is kept with every key. */
export function useWritten(sessionId: string | undefined, field: RefObject<HTMLElement | null>) {
  const place = sessionId ?? 'new'
  const [text, setText] = useState(() => readDraft(place))
  const [files, setFiles] = useState<readonly NewFile[]>([])
  const [problems, setProblems] = useState<readonly string[]>([])
  const limits = useMe()?.limits ?? SOME_LIMITS

  const write = (next: string): void => {
    setText(next)
    keepDraft(place, next)
  }

  const back = useStore(takenBack)
  useEffect(() => {
    if (!back || shownIn(back) !== sessionId) return
    takenBack.set(undefined)
    setText((before) => {
      const next = [back.text, before].filter((one) => one.trim() !== '').join('\n\n')
      keepDraft(place, next)
      return next
    })
    setFiles((before) => [...back.files, ...before])
    field.current?.focus()
  }, [back, field, place, sessionId])

  return {
    text,
    files,
    problems,
    write,
    async attach(chosen: readonly File[]): Promise<void> {
      if (chosen.length === 0) return
      const read = await readFiles(chosen, files, limits)
      setFiles((before) => [...before, ...read.taken])
      setProblems(read.problems)
      field.current?.focus()
    },
    remove: (file: NewFile): void => setFiles((before) => before.filter((one) => one !== file)),
    clear(): void {
      write('')
      setFiles([])
      setProblems([])
    },
  }
}
