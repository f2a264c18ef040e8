import { useEffect, useState } from 'react'
import { IconButton } from '../parts/button.tsx'
import { attempt } from './trouble.ts'

const SHOWN_MS = 2000

export function CopyButton({ label, text }: { label: string; text: () => string }) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async (): Promise<void> => {
    if (await attempt(navigator.clipboard.writeText(text()))) setCopied(true)
  }
  return (
    <IconButton label={isCopied ? 'Copied' : label} icon={isCopied ? 'check' : 'copy'} onClick={() => void copy()} />
  )
}
