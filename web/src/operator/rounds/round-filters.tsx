import type { ListedModel, Page } from '../../../../src/client/index.ts'
import { FINISHED } from '../../parts/format.ts'
import { Form } from '../../parts/form.tsx'
import { usePolled } from '../../state/polled.ts'
import { Choice } from '../field.tsx'
import type { Filters } from '../filters.ts'

const STATES = [
  ['', 'Any state'],
  ['queued,running', 'Running or queued'],
  ['waiting,paused', 'Waiting for people'],
  ['ended', 'Ended'],
] as const

const TIMES = [
  ['', 'Any time'],
  ['hour', 'The last hour'],
  ['day', 'The last 24 hours'],
  ['week', 'The last 7 days'],
] as const

const PROTOCOLS = [
  ['', 'Any protocol'],
  ['unified', 'unified'],
  ['triggered', 'triggered'],
] as const

const ENDS = [['', 'Any reason'], ...Object.entries(FINISHED)] as const

export function RoundFilters({ filters, maySeeAll }: { filters: Filters; maySeeAll: boolean }) {
  const models = usePolled<Page<ListedModel>>('/api/models', 30_000).value?.items ?? []
  const used = models.filter(({ usable, key }) => usable || key === filters['model'])
  const given = { tab: 'rounds', filters }
  return (
    <Form className="op-filters" label="Filters">
      <Choice {...given} label="State" name="state" options={STATES} />
      <Choice {...given} label="Why it ended" name="finishReason" options={ENDS} />
      <Choice
        {...given}
        label="Model"
        name="model"
        options={[['', 'Any model'], ...used.map(({ key }) => [key, key] as const)]}
      />
      <Choice {...given} label="Protocol" name="protocol" options={PROTOCOLS} />
      <Choice {...given} label="Started" name="time" options={TIMES} />
      {maySeeAll && (
        <Choice
          {...given}
          label="Whose"
          name="whose"
          options={[
            ['', "Everybody's"],
            ['mine', 'Only mine'],
          ]}
        />
      )}
      {filters['session'] && (
        <p className="op-field">
          <span className="muted">One conversation only.</span> <a href="#/operator/rounds">Show all</a>
        </p>
      )}
    </Form>
  )
}
