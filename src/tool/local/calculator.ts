import type { Tool } from '../../contract/tool.ts'
import { evaluate, LONGEST_EXPRESSION } from './evaluate.ts'
import { textArgument } from './text-argument.ts'

export const calculator: Tool = {
  name: 'calculator',
  description:
    'Calculates an arithmetic expression: + - * / % (remainder) ^ and parentheses, decimals and 1.5e3, the constants ' +
    'pi and e, and sqrt abs round floor ceil min max log (base 10) ln exp sin cos tan (radians).',
  input: {
    type: 'object',
    properties: { expression: { type: 'string', minLength: 1, maxLength: LONGEST_EXPRESSION } },
    required: ['expression'],
    additionalProperties: false,
  },
  effect: 'pure',
  own: true,
  run: (args) => numberText(evaluate(textArgument(args, 'expression'))),
}

/** Rounds binary fractions, so that 0.1 + 0.2 is 0.3. */
function numberText(value: number): string {
  if (Number.isSafeInteger(value)) return String(value)
  const rounded = String(Number(value.toPrecision(15)))
  return Number.isInteger(value) ? `about ${rounded}` : rounded
}
