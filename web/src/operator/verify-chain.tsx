import { useState } from 'react'
import { get } from '../api/client.ts'
import { wordsOf } from '../api/problem.ts'
import { CopyButton } from '../conversation/copy-button.tsx'
import { Button } from '../parts/button.tsx'
import { count } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'
import { VisibleText } from '../text/visible-text.tsx'
import type { Verified } from './shapes.ts'

/** Every row is sealed with the one before it: this computes all seals again. */
export function VerifyChain() {
  const [isBusy, setBusy] = useState(false)
  const [found, setFound] = useState<Verified>()
  const [error, setError] = useState('')
  const verify = (): void => {
    setBusy(true)
    setError('')
    get<Verified>('/api/audit/verify')
      .then(setFound, (reason: unknown) => setError(wordsOf(reason)))
      .finally(() => setBusy(false))
  }
  return (
    <div className="op-verify">
      <Button icon="shield" disabled={isBusy} onClick={verify}>
        {isBusy ? 'Verifying…' : 'Verify the chain'}
      </Button>
      <div role="status">
        {error !== '' && (
          <p className="danger">
            <VisibleText text={error} />
          </p>
        )}
        {found && error === '' && <Found found={found} />}
      </div>
    </div>
  )
}

function Found({ found: { ok, rows, records, head, findings } }: { found: Verified }) {
  return (
    <>
      <p className={`op-state ${ok ? 'ok' : 'danger'}`}>
        <Icon name={ok ? 'check' : 'warn'} />
        {ok
          ? `Unbroken: ${count(records)} records in ${count(rows)} rows are as they were written.`
          : `Broken: ${findings.length} ${findings.length === 1 ? 'place is' : 'places are'} not as written.`}
      </p>
      {findings.length > 0 && (
        <ul>
          {findings.map((finding) => (
            <li key={finding}>
              <VisibleText text={finding} />
            </li>
          ))}
        </ul>
      )}
      <p className="muted op-head-line">
        It ends with row {head.seq}, seal <code className="op-break">{head.hash}</code>
        <CopyButton label="Copy the end of the chain" text={() => `${head.seq} ${head.hash}`} />
        <span>Keep it elsewhere: it shows later whether the end was cut off.</span>
      </p>
    </>
  )
}
