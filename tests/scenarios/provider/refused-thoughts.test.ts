import { expect } from 'vitest'
import { segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

verifies('GOV-22', 'a thought that was refused once is never sent again, those after it are', async () => {
  const refused = { fault: { kind: 'error', status: 400, code: 'invalid_encrypted_content' } } as const
  const it = await segnoUnderTest({
    script: {
      scenarios: [
        { when: '^first$', turns: [{ reasoning: 'An early thought.', text: 'One.' }] },
        { when: '^second$', turns: [refused, { reasoning: 'A late thought.', text: 'Two.' }] },
        { when: '^third$', turns: [{ text: 'Three.' }] },
      ],
    },
  })
  await it.ask('first')
  await it.ask('second')
  await it.reopen()
  await it.ask('third')
  const sent = JSON.stringify(it.requests.map(({ prompt }) => prompt))
  expect(it.requests).toHaveLength(1)
  expect(sent).toContain('One.')
  expect(sent).not.toContain('An early thought.')
  expect(sent).toContain('A late thought.')
})
