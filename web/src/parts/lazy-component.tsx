import { Component, lazy, Suspense, useState, type ComponentType, type ReactNode } from 'react'
import { client, wordsOf } from '../api/client.ts'
import { Button } from './button.tsx'

/**
 * A part of the page that is loaded when it is first shown, or earlier when the browser is idle, so that it is there
 * even if the server is not.
 */
export function lazyComponent<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const Loaded = lazy(async () => ({ default: await load() }))
  whenIdle(() => void load().catch(() => {}))
  return (props) => (
    <ErrorBoundary>
      <Suspense>
        <Loaded {...props} />
      </Suspense>
    </ErrorBoundary>
  )
}

const whenIdle = (run: () => void): unknown =>
  'requestIdleCallback' in window ? requestIdleCallback(run, { timeout: 5000 }) : setTimeout(run, 2000)

interface ErrorBoundaryProps {
  readonly children: ReactNode
  /** id of what it shows; when it changes, the children are tried again */
  readonly of?: string | undefined
}

/** An error in its children leaves the rest of the page as it is. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly hasFailed: boolean }> {
  override readonly state = { hasFailed: false }

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true }
  }

  override componentDidUpdate({ of }: ErrorBoundaryProps): void {
    if (this.state.hasFailed && of !== this.props.of) this.setState({ hasFailed: false })
  }

  override render(): ReactNode {
    return this.state.hasFailed ? <NotShown /> : this.props.children
  }
}

function NotShown() {
  const [problem, setProblem] = useState('')
  // After an upgrade the file has another name, so only loading the whole page again helps.
  const again = (): void => {
    client.requestJson('GET', '/health').then(
      () => location.reload(),
      (error: unknown) => setProblem(wordsOf(error)),
    )
  }
  return (
    <div className="not-shown column" role="alert">
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
