import { readFile } from 'node:fs/promises'

const EVERY_MS = 20
/** What is its own: private, shared and swapped pages, and not the program's file. */
const AMOUNTS = /^(?:RssAnon|RssShmem|VmSwap):\s{1,20}(\d{1,20}) kB$/gm

/** Calls `onTooMuch` once when a process holds more than `most` bytes; where the system does not tell, never. */
export function watchMemory(pid: number | undefined, most: number, onTooMuch: () => void): () => void {
  let isOver = false
  const look = async (): Promise<void> => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
    if (isOver) return
    const bytes = status.matchAll(AMOUNTS).reduce((sum, [, kb]) => sum + Number(kb) * 1024, 0)
    if (bytes > most) onTooMuch()
    else timer = setTimeout(() => void look(), EVERY_MS)
  }
  let timer = setTimeout(() => void look(), EVERY_MS)
  if (pid === undefined || process.platform !== 'linux') clearTimeout(timer)
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}
