/** Whether a pressed key belongs to a field or an open dialog, and is no shortcut of the page. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable], dialog') !== null
