import { useState } from 'react'
import type { Preferences } from '../../../src/contract/preferences.ts'
import { client } from '../api/client.ts'
import type { PageProps } from '../operator/filters.ts'
import { Nothing, PolledList } from '../operator/list-states.tsx'
import { usePages } from '../operator/pager.tsx'
import { Section } from '../operator/parts.tsx'
import { Problem, useAttempt } from '../parts/attempt.tsx'
import { Button } from '../parts/button.tsx'
import { Fold } from '../parts/fold-button.tsx'
import { Check } from '../parts/form-fields.tsx'
import { Question } from '../parts/question.tsx'
import { may } from '../state/may.ts'
import { refresh, usePolled } from '../state/polled.ts'
import { addMemory, exportMemories, forgetAll, MEMORIES, type Memory } from './memory-api.ts'
import { MemoryForm } from './memory-form.tsx'
import { OneMemory } from './one-memory.tsx'
import './memories.css'

const PREFERENCES = '/api/preferences'

/** What the user wants remembered: what waits for their word first, then all of it. */
export function Memories({ me }: PageProps) {
  const mayWrite = may(me, 'memory:write')
  return (
    <>
      <p className="op-lead muted">
        What Segno remembers about you. Only you see it, and only your conversations get it.
      </p>
      <Consent mayChange={may(me, 'chat:write')} />
      <List status="proposed" mayWrite={mayWrite} />
      <List status="active" mayWrite={mayWrite} />
      <Actions mayWrite={mayWrite} />
      <div className="op-below">
        <Fold head="What newer memories replaced">
          <List status="replaced" mayWrite={mayWrite} />
        </Fold>
      </div>
    </>
  )
}

/** A switch for the preference that allows remembering. */
function Consent({ mayChange }: { mayChange: boolean }) {
  const { value } = usePolled<Preferences>(PREFERENCES, 30_000)
  const [chosen, choose] = useState<boolean>()
  const [problem, attempt] = useAttempt()
  const allow = async (allowMemory: boolean): Promise<void> => {
    choose(allowMemory)
    try {
      const body = { ...(await client.preferences()), allowMemory }
      await client.requestJson('PUT', PREFERENCES, { body })
    } catch (error) {
      choose(undefined)
      throw error
    } finally {
      refresh(PREFERENCES)
    }
  }
  if (!value) return null
  const isAllowed = chosen ?? value.allowMemory === true
  return (
    <div className={isAllowed ? 'mem-consent' : 'mem-consent op-card loud'}>
      {!isAllowed && (
        <p>
          Remembering is not allowed: nothing new is remembered, and what is here is not used. It stays until you delete
          it.
        </p>
      )}
      {mayChange && (
        <Check label="Segno may remember things about me" is={isAllowed} set={(is) => void attempt(allow(is))} />
      )}
      <Problem text={problem} />
    </div>
  )
}

const TITLES = { proposed: 'Waits for your word', active: 'Remembered', replaced: 'Replaced' } as const
type Status = keyof typeof TITLES

function List({ status, mayWrite }: { status: Status; mayWrite: boolean }) {
  const { list, pager } = usePages<Memory>(`${MEMORIES}?status=${status}&limit=50`, 5000)
  // Seldom is there anything.
  if (status === 'proposed' && !list.value?.items.length) return null
  return (
    <Section title={TITLES[status]}>
      {status === 'proposed' && (
        <p className="op-lead muted">
          These come from conversations with text from outside, which may have asked for them. They are not used until
          you keep them.
        </p>
      )}
      <PolledList list={list} empty={<Empty status={status} />}>
        {(items) => (
          <ul className="op-cards" aria-label={TITLES[status]}>
            {items.map((memory) => (
              <OneMemory key={memory.id} memory={memory} mayWrite={mayWrite} />
            ))}
          </ul>
        )}
      </PolledList>
      {pager}
    </Section>
  )
}

function Empty({ status }: { status: Status }) {
  return status === 'replaced' ? (
    <Nothing>None was replaced.</Nothing>
  ) : (
    <Nothing icon="archive">Nothing yet. Say “remember that …” in a conversation, or add something below.</Nothing>
  )
}

function Actions({ mayWrite }: { mayWrite: boolean }) {
  const [doing, setDoing] = useState<'add' | 'forget'>()
  const [problem, attempt] = useAttempt()
  const close = (): void => setDoing(undefined)
  return (
    <>
      <div className="op-actions row wrap">
        {mayWrite && (
          <Button icon="plus" onClick={() => setDoing('add')}>
            Add a memory
          </Button>
        )}
        <Button icon="download" onClick={() => void attempt(exportMemories())}>
          Export
        </Button>
        {mayWrite && (
          <Button kind="danger" icon="trash" onClick={() => setDoing('forget')}>
            Forget all…
          </Button>
        )}
      </div>
      <Problem text={problem} />
      {doing === 'add' && <MemoryForm go="Remember it" save={addMemory} close={close} />}
      {doing === 'forget' && (
        <Question
          title="Forget everything?"
          keep="Keep it"
          go="Forget it all"
          icon="trash"
          run={forgetAll}
          onClose={close}
        >
          <p>
            All your memories are erased, also from the prompts that were sent before. Conversations stay, with what was
            said in them. This cannot be undone.
          </p>
        </Question>
      )}
    </>
  )
}
