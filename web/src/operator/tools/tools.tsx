import { may } from '../../state/me.ts'
import { NotAllowed } from '../faces.tsx'
import type { PageProps } from '../page-props.ts'
import { Part } from '../part.tsx'
import { Quarantine } from './quarantine.tsx'
import { Servers } from './servers.tsx'
import { ToolList } from './tool-list.tsx'
import { TryPolicy } from './try-policy.tsx'

/** What a model can be offered, from whom, and what would be decided about a call. */
export function Tools({ me }: PageProps) {
  if (!may(me, 'chat:read')) return <NotAllowed permission="chat:read" />
  const mayManage = may(me, 'tool:manage')
  return (
    <>
      {may(me, 'operator') && <Quarantine />}
      <Part title="MCP servers">
        <Servers mayManage={mayManage} />
      </Part>
      <Part title="Tools you may use">
        <ToolList />
      </Part>
      <Part title="Try the policy">
        <TryPolicy />
      </Part>
    </>
  )
}
