import { expect, test } from 'vitest'
import type { JsonSchema } from '../contract/tool.ts'
import { triggerInputFault } from './trigger-input.ts'

const fault = (schema: object): string | undefined => triggerInputFault(schema as JsonSchema, 'order.paid')

test.each([
  ['says nothing', { type: 'object' }],
  ['wants what a trigger gives', { type: 'object', required: ['event', 'payload', 'timestamp'] }],
  [
    'allows nothing else',
    { type: 'object', properties: { event: {}, payload: {}, timestamp: true }, additionalProperties: false },
  ],
  [
    'says their types',
    { type: 'object', properties: { event: { type: 'string' }, payload: { type: ['object', 'null'] } } },
  ],
  ['is for this event', { type: 'object', properties: { event: { const: 'order.paid' } } }],
  [
    'says what the payload has, which nobody knows yet',
    { type: 'object', properties: { payload: { required: ['x'] } } },
  ],
])('a workflow can be started whose input %s', (_, schema) => {
  expect(fault(schema)).toBeUndefined()
})

test.each([
  ['needs more', { type: 'object', required: ['event', 'customer'] }, 'needs "customer"'],
  ['needs what only every object has', { type: 'object', required: ['toString'] }, 'needs "toString"'],
  [
    'allows only something else',
    { type: 'object', properties: { customer: {} }, additionalProperties: false },
    'has no "event"',
  ],
  ['forbids a field', { type: 'object', properties: { timestamp: false } }, 'has no "timestamp"'],
  [
    'has another type',
    { type: 'object', properties: { payload: { type: 'string' } } },
    '"payload" of its input is no object',
  ],
  [
    'is for another event',
    { type: 'object', properties: { event: { enum: ['user.signup'] } } },
    'takes no "order.paid"',
  ],
])('a workflow cannot be started whose input %s', (_, schema, why) => {
  expect(fault(schema)).toContain(why)
})
