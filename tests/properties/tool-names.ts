/** Two tools of every effect class: one is automatic, for the other a person is asked (for `wipe` every time). */
export const TOOL_NAMES = ['look', 'peek', 'put', 'save', 'book', 'order', 'send', 'mail', 'wipe'] as const
export type ToolName = (typeof TOOL_NAMES)[number]
