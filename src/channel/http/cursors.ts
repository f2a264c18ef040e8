import { z } from '@hono/zod-openapi'
import { parseCursor, type Cursor } from '../../stream/index.ts'

export const dialectSchema = z.enum(['native', 'phased', 'chat', 'turns'])

/** Where a reader stands: the id of the last frame it got. */
export const lastEventId = z.object({
  'last-event-id': z
    .string()
    .regex(/^\d{1,15}(\.\d{1,15})?$/, 'expected the id of a frame, such as 12 or 12.340')
    .optional(),
})

export const cursorOf = (id: string | undefined): Cursor | undefined => (id === undefined ? undefined : parseCursor(id))
