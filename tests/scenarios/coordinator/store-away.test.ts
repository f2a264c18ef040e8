import { expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { Problem } from '../../../src/contract/problem.ts'
import { probe } from '../../support/probe-tool.ts'
import { said } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { openSegno } from '../library/support/open-segno.ts'

verifies('REL-1', 'a round for which the store could not be read for a moment goes on from its log', async () => {
  const mail = probe('mail', { effect: 'unsafe', approval: 'auto' })
  const model = { scenarios: [{ when: '', turns: [{ calls: [{ name: 'mail' }] }, { text: 'Sent.' }] }] }
  let asked = 0
  const segno = await openSegno(
    { model, tools: [mail] },
    {
      deps: (deps) => ({
        ...deps,
        async folder(tenant, id) {
          asked += 1
          if (asked === 1) throw new Problem('STORE_UNAVAILABLE', 'The database does not answer.')
          return deps.folder(tenant, id)
        },
      }),
    },
  )
  const { id } = await segno.createSession()
  const { completion } = await segno.streamRequest(id, 'Go.')
  expect(await completion).toMatchObject({ finishReason: 'complete', content: 'Sent.', calls: [{ outcome: 'ok' }] })
  expect(mail.runs).toHaveLength(1)
  const events = await segno.sessions.events(LOCAL_OWNER, id)
  expect(said(events, 'round.resumed')).toMatchObject([{ reason: 'takeover' }])
  // It was looked for before the start was stored, so that nothing is in doubt.
  expect(said(events, 'tool.started')).toHaveLength(1)
})
