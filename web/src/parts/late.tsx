import { Component, lazy, Suspense, useState, type ComponentType, type ReactNode } from 'react'
import { get } from '../api/client.ts'
import { wordsOf } from '../api/problem.ts'
import { Button } from './button.tsx'

/**
 * A part of the page that is loaded when somebody looks, or before, when there is nothing else to do: who only talks
 * does not wait for it, and it is there when the server is not.
 */
export function late<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const Part = lazy(async () => ({ default: await load() }))
  whenIdle(() => void load().catch(() => {}))
  return (props) => (
    <Apart>
      <Suspense>
        <Part {...props} />
      </Suspense>
    </Apart>
  )
}

const whenIdle = (run: () => void): unknown =>
  'requestIdleCallback' in window ? requestIdleCallback(run, { timeout: 5000 }) : setTimeout(run, 2000)

interface ApartProps {
  readonly children: ReactNode
  /** what it shows: of something else it is tried again */
  readonly of?: string | undefined
}

/** What goes wrong in it leaves the rest of the page as it is. */
export class Apart extends Component<ApartProps, { readonly hasFailed: boolean }> {
  override readonly state = { hasFailed: false }

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true }
  }

  override componentDidUpdate({ of }: ApartProps): void {
    if (this.state.hasFailed && of !== this.props.of) this.setState({ hasFailed: false })
  }

  override render(): ReactNode {
    return this.state.hasFailed ? <NotShown /> : this.props.children
  }
}

function NotShown() {
  const [problem, setProblem] = useState('')
  // A part that did not come does not come to this page any more: after an upgrade it has another name.
  const again = (): void => {
    get('/health').then(
      () => location.reload(),
      (error: unknown) => setProblem(wordsOf(error)),
    )
  }
  return (
    <div className="not-shown" role="alert">
      <h2>This part of the page could not be loaded</h2>
      <p className="muted">
        Segno was away, or it was upgraded since this page was opened. What was stored is safe, and so is what you
        wrote.
      </p>
      {problem !== '' && <p className="danger">{problem}</p>}
      <Button icon="retry" onClick={again}>
        Try again
      </Button>
    </div>
  )
}
