/** A ref for the field that gets the focus when its dialog opens: React's `autoFocus` is too early for that. */
export function focusFirst(element: HTMLElement | null): void {
  element?.setAttribute('autofocus', '')
}
