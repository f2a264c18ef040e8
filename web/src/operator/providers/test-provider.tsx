import { useState } from 'react'
import type { ProviderTest } from '../../../../src/contract/provider.ts'
import { client, wordsOf } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { visibleText } from '../../text/visible.ts'
import { VisibleText } from '../../text/visible-text.tsx'
import { State } from '../parts.tsx'
import { readProviders } from './read-providers.ts'

/** Asks a provider for something small and says what came of it. */
export function TestProvider({ name }: { name: string }) {
  const [found, setFound] = useState<ProviderTest | 'asking'>()
  const isAsking = found === 'asking'
  const ask = async (): Promise<void> => {
    setFound('asking')
    const answer = client.testProvider(name)
    setFound(await answer.catch((error: unknown) => ({ ok: false, message: wordsOf(error) })))
    readProviders()
  }
  return (
    <>
      <Button
        icon="retry"
        aria-label={`Test ${visibleText(name)}`}
        aria-disabled={isAsking}
        onClick={() => isAsking || void ask()}
      >
        Test
      </Button>
      <div role="status" className="op-tested">
        {isAsking && 'Asking it…'}
        {found && !isAsking && (
          <State icon={found.ok ? 'check' : 'cross'} tone={found.ok ? 'ok' : 'danger'}>
            <VisibleText text={found.message} />
          </State>
        )}
      </div>
    </>
  )
}
