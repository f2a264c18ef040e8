import type { AuditReport } from '../../../src/contract/audit.ts'
import { useState } from 'react'
import { client } from '../api/client.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { Problem, useAttempt } from '../parts/attempt.tsx'
import { Button } from '../parts/button.tsx'
import { count } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'
import { VisibleText } from '../text/visible-text.tsx'

/** Every row is sealed with the one before it: this computes all seals again. */
export function VerifyChain() {
  const [isBusy, setBusy] = useState(false)
  const [found, setFound] = useState<AuditReport>()
  const [problem, attempt] = useAttempt()
  const verify = async (): Promise<void> => {
    setBusy(true)
    await attempt(client.requestJson<AuditReport>('GET', '/api/audit/verify').then(setFound))
    setBusy(false)
  }
  return (
    <div className="op-verify">
      <Button icon="shield" disabled={isBusy} onClick={() => void verify()}>
        {isBusy ? 'Verifying…' : 'Verify the chain'}
      </Button>
      <div role="status">
        <Problem text={problem} />
        {found && problem === '' && <Found found={found} />}
      </div>
    </div>
  )
}

function Found({ found: { ok, rows, records, head, findings } }: { found: AuditReport }) {
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
            <VisibleText key={finding} as="li" text={finding} />
          ))}
        </ul>
      )}
      <p className="muted op-head-line row wrap">
        It ends with row {head.seq}, seal <code className="op-break">{head.hash}</code>
        <CopyButton label="Copy the end of the chain" text={() => `${head.seq} ${head.hash}`} />
        <span>Keep it elsewhere: it shows later whether the end was cut off.</span>
      </p>
    </>
  )
}
