import { useState } from 'react'
import { EFFORTS, type ModelParams, type Page, type ParamChanges } from '../../../src/client/index.ts'
import { Form } from '../parts/form.tsx'
import { Problem, useAttempt } from '../parts/attempt.tsx'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Check, Choice } from '../parts/form-fields.tsx'
import { useMe } from '../state/me.ts'
import { useModels } from '../state/models.ts'
import { usePolled } from '../state/polled.ts'
import { visibleText } from '../text/visible.ts'

interface AnswerDialogProps {
  readonly model: string | undefined
  readonly params: ModelParams
  readonly change: (changes: ParamChanges) => unknown
  readonly onClose: () => void
}

/** What is chosen; numbers as they are written. */
interface Wanted {
  readonly effort: ModelParams['effort'] | undefined
  readonly tools: ModelParams['tools'] | undefined
  readonly temperature: string
  readonly maxOutput: string
}

/** Offers what the model can do, and nothing else. */
export function AnswerDialog({ model, params, change, onClose }: AnswerDialogProps) {
  const me = useMe()
  const known = useModels().find(({ key }) => key === (model ?? me?.model))
  const tools = usePolled<Page<{ readonly name: string }>>('/api/tools', 60_000).value?.items ?? []
  const [problem, attempt] = useAttempt()
  const [wanted, setWanted] = useState<Wanted>(() => ({
    effort: params.effort,
    tools: params.tools,
    temperature: String(params.temperature ?? ''),
    maxOutput: String(params.maxOutput ?? ''),
  }))
  const want = (part: Partial<Wanted>): void => setWanted({ ...wanted, ...part })
  const save = async (changes: ParamChanges): Promise<void> => {
    if (await attempt(Promise.resolve(change(changes)))) onClose()
  }
  const can = known?.capabilities ?? CAN_ALL
  const { reasoning, takesTemperature, tools: hasTools } = can
  const name = visibleText(known?.key ?? 'The model')
  return (
    <Dialog title="How the model answers" onClose={onClose}>
      <p className="muted">From the next message of this conversation on.</p>
      <Form className="dialog-form column" label="How the model answers" run={() => void save(changesOf(wanted, can))}>
        <div className="dialog-two">
          {reasoning && (
            <Choice
              label="How much it thinks"
              options={EFFORTS}
              value={wanted.effort}
              choose={(effort) => want({ effort: effort as Wanted['effort'] })}
            />
          )}
          {takesTemperature && (
            <Amount
              label="Temperature"
              hint="0 to 2"
              value={wanted.temperature}
              most={2}
              step="any"
              write={(temperature) => want({ temperature })}
            />
          )}
          <Amount
            label="Longest answer, tokens"
            hint={known && `up to ${known.maxOutput}`}
            value={wanted.maxOutput}
            least={1}
            most={known?.maxOutput}
            write={(maxOutput) => want({ maxOutput })}
          />
        </div>
        {hasTools && (
          <Check
            label="All tools that I may use"
            is={wanted.tools === undefined}
            set={(all) => want({ tools: all ? undefined : tools.map((tool) => tool.name) })}
          />
        )}
        {hasTools && wanted.tools && (
          <fieldset className="answer-tools">
            <legend>Only these tools</legend>
            {tools.map((tool) => (
              <Check
                key={tool.name}
                label={visibleText(tool.name)}
                is={wanted.tools?.includes(tool.name) ?? false}
                set={(is) => {
                  const others = wanted.tools?.filter((one) => one !== tool.name) ?? []
                  want({ tools: is ? [...others, tool.name] : others })
                }}
              />
            ))}
          </fieldset>
        )}
        {!(reasoning && takesTemperature && hasTools) && (
          <p className="muted">
            {name} {missing(can)}.
          </p>
        )}
        <Problem text={problem} />
        <div className="answers row wrap">
          <Button onClick={() => void save(USUAL)}>As usual</Button>
          <Button kind="primary" type="submit">
            Save
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

const USUAL: ParamChanges = { effort: null, temperature: null, maxOutput: null, tools: null }
const CAN_ALL = { reasoning: true, takesTemperature: true, tools: true }

function missing({ reasoning, takesTemperature, tools }: typeof CAN_ALL): string {
  const words = [
    ...(reasoning ? [] : ['does not think before it answers']),
    ...(takesTemperature ? [] : ['takes no temperature']),
    ...(tools ? [] : ['has no tools']),
  ]
  return words.join(', ')
}

/** What is left empty goes back to the default; what this model cannot do stays as it is, for others. */
const changesOf = ({ effort, temperature, maxOutput, tools }: Wanted, can: typeof CAN_ALL): ParamChanges => ({
  ...(can.reasoning && { effort: effort ?? null }),
  ...(can.takesTemperature && { temperature: temperature === '' ? null : Number(temperature) }),
  maxOutput: maxOutput === '' ? null : Number(maxOutput),
  ...(can.tools && { tools: tools ?? null }),
})

interface AmountProps {
  readonly label: string
  readonly hint: string | undefined
  readonly value: string
  readonly least?: number
  readonly most: number | undefined
  readonly step?: 'any'
  readonly write: (value: string) => void
}

function Amount({ label, hint = 'not set', value, least = 0, most, step, write }: AmountProps) {
  return (
    <label>
      {label}
      <input
        className="input"
        type="number"
        inputMode="decimal"
        min={least}
        max={most}
        step={step}
        placeholder={hint}
        value={value}
        onChange={(event) => write(event.target.value)}
      />
    </label>
  )
}
