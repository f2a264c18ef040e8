import { may } from '../../state/may.ts'
import type { PageProps } from '../filters.ts'
import { Section } from '../parts.tsx'
import { Quarantine } from './quarantine.tsx'
import { Servers } from './servers.tsx'
import { ToolList } from './tool-list.tsx'
import { TryPolicy } from './try-policy.tsx'

/** What a model can be offered, from whom, and what would be decided about a call. */
export function Tools({ me }: PageProps) {
  return (
    <>
      {may(me, 'operator') && <Quarantine />}
      <Section title="MCP servers">
        <Servers mayManage={may(me, 'tool:manage')} />
      </Section>
      <Section title="Tools you may use">
        <ToolList />
      </Section>
      <Section title="Try the policy">
        <TryPolicy />
      </Section>
    </>
  )
}
