import { useState } from 'react'
import { wordsOf } from '../api/client.ts'
import { VisibleText } from '../text/visible-text.tsx'

type Attempt = (work: Promise<unknown> | void) => Promise<boolean>

/** Does something and keeps what went wrong, for `Problem`. `attempt` resolves to whether it worked. */
export function useAttempt(): [problem: string, attempt: Attempt, setProblem: (problem: string) => void] {
  const [problem, setProblem] = useState('')
  const attempt: Attempt = async (work) => {
    setProblem('')
    try {
      await work
      return true
    } catch (error) {
      setProblem(wordsOf(error))
      return false
    }
  }
  return [problem, attempt, setProblem]
}

export function Problem({ text }: { text: string | undefined }) {
  return text === undefined || text === '' ? null : (
    <p role="alert" className="problem">
      <VisibleText text={text} />
    </p>
  )
}
