import { useEffect, useState } from 'react'
import { IconButton } from './button.tsx'

const SHOWN_MS = 2000

/** Copies a text and says for a moment what came of it. Where the page may not copy, `select` helps the reader to. */
export function useCopy(text: () => string, select?: () => void) {
  const [outcome, setOutcome] = useState<string>()
  useEffect(() => {
    const timer = setTimeout(() => setOutcome(undefined), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text())
      setOutcome('Copied')
    } catch {
      select?.()
      setOutcome(select ? 'Selected' : 'This browser does not let the page copy')
    }
  }
  return { outcome, copy: () => void copy() }
}

export function CopyButton({ label, text }: { label: string; text: () => string }) {
  const { outcome, copy } = useCopy(text)
  return <IconButton label={outcome ?? label} icon={outcome === 'Copied' ? 'check' : 'copy'} onClick={copy} />
}
