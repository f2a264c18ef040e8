/** A ref for the field that has the keyboard when its dialog opens. React's `autoFocus` comes too early for a dialog. */
export function focusFirst(element: HTMLElement | null): void {
  element?.setAttribute('autofocus', '')
}
