import type { RefObject } from 'react'
import { useMe } from '../state/me.ts'
import { changeDraft, draftAt, dropDraft, EMPTY, useDraft, type Draft } from './drafts.ts'
import { readFiles } from './read-files.ts'
import type { NewFile } from './unsent.ts'

/** Used until the server has said its own limits. */
const SOME_LIMITS = { fileBytes: 3_000_000, messageFiles: 10, bodyBytes: 4_000_000 }

/** The draft in a composer; each conversation has its own. */
export function useWritten(place: string, field: RefObject<HTMLElement | null>) {
  const draft = useDraft(place) ?? EMPTY
  const limits = useMe()?.limits ?? SOME_LIMITS
  const now = (): Draft => draftAt(place) ?? EMPTY
  return {
    ...draft,
    write: (text: string): void => changeDraft(place, { text }),
    async attach(chosen: readonly File[]): Promise<void> {
      if (chosen.length === 0) return
      const { taken, problems } = await readFiles(chosen, now().files, limits)
      changeDraft(place, { files: [...now().files, ...taken], problems })
      field.current?.focus()
    },
    remove: (file: NewFile): void => changeDraft(place, { files: now().files.filter((one) => one !== file) }),
    clear: (): void => dropDraft(place),
  }
}
