import { expect, test } from 'vitest'
import { calculator } from './calculator.ts'

const calculate = (expression: string) => calculator.run({ expression }, {} as never) as string

test.each([
  ['1 + 2 * 3', '7'],
  ['(1 + 2) * 3', '9'],
  ['10 - 4 - 3', '3'],
  ['100 / 10 / 5', '2'],
  ['-7 % 3', '-1'],
  ['2 ^ 3 ^ 2', '512'],
  ['2 ** 10', '1024'],
  ['-2 ^ 2', '-4'],
  ['(-2) ^ 2', '4'],
  ['2 ^ -1', '0.5'],
  ['2 * -3', '-6'],
  ['--3', '3'],
  ['+3', '3'],
  ['.5 + 5.', '5.5'],
  ['1.5e3 + 1E-1', '1500.1'],
  ['0.1 + 0.2', '0.3'],
  ['1 / 3', '0.333333333333333'],
  ['6 ÷ 2 × 3 − 1', '8'],
  ['sqrt(16) + abs(-2)', '6'],
  ['round(2.5) + floor(-1.5) + ceil(1.2)', '3'],
  ['min(3, 1, 2) + max(4)', '5'],
  ['log(1000) + ln(e) + exp(0)', '5'],
  ['sin(0) + cos(0) + tan(0)', '1'],
  ['2 * PI', '6.28318530717959'],
  ['2 * e', '5.43656365691809'],
  ['9007199254740991', '9007199254740991'],
  ['2 ^ 64', 'about 18446744073709600000'],
  [' 1\n+\t1 ', '2'],
])('calculates %s', (expression, result) => {
  expect(calculate(expression)).toBe(result)
})

test.each([
  ['1 / 0', 'Division by zero.'],
  ['1 % (2 - 2)', 'Division by zero.'],
  ['0 ^ -1', 'Division by zero.'],
  ['10 ^ 400', 'too large'],
  ['1e400', 'too large'],
  ['exp(1000)', 'too large'],
  ['sqrt(-1)', 'sqrt has no real value here.'],
  ['(-8) ^ 0.5', 'The power has no real value here.'],
  ['ln(0)', 'ln of zero has no value.'],
  ['foo(1)', '"foo" is not known here; use sqrt'],
  ['constructor', '"constructor" is not known here'],
  ['__proto__', '"__proto__" is not known here'],
  ['sqrt 4', 'Expected "(" but found "4" at character 6.'],
  ['sqrt(1, 2)', 'sqrt takes one number, not 2.'],
  ['min()', 'found ")" at character 5'],
  ['(1 + 2', 'Expected ")" but the expression ends.'],
  ['1 +', 'the expression ends'],
  ['', 'the expression ends'],
  ['1 2', 'found "2" at character 3'],
  ['2pi', 'found "pi" at character 2'],
  ['1,000', 'found "," at character 2'],
  ['1 + $x', '"$" at character 5'],
  ['process.exit()', '"." at character 8'],
  ['1; 2', '";" at character 2'],
  ['😀', '"😀" at character 1'],
  [`${'('.repeat(300)}1${')'.repeat(300)}`, 'nested more than 100 levels deep'],
  ['-'.repeat(900) + '1', 'nested more than 100 levels deep'],
  [`2${'^2'.repeat(300)}`, 'nested more than 100 levels deep'],
  ['1+'.repeat(600) + '1', '1201 characters; at most 1000'],
])('says what is wrong with %s', (expression, message) => {
  expect(() => calculate(expression)).toThrow(message)
})

test('takes long flat sums', () => {
  expect(calculate(`${'1+'.repeat(499)}1`)).toBe('500')
  expect(calculate(`${'(1)*'.repeat(199)}2`)).toBe('2')
})
