import type { ReactNode } from 'react'

interface FormProps {
  readonly label: string
  readonly className: string
  /** what is done instead of sending it; without it nothing is */
  readonly run?: () => void
  readonly children: ReactNode
}

/** Fields that belong together. */
export const Form = ({ label, className, run, children }: FormProps) => (
  <form
    className={className}
    aria-label={label}
    onSubmit={(event) => {
      event.preventDefault()
      run?.()
    }}
  >
    {children}
  </form>
)
