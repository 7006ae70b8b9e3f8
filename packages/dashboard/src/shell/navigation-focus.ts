// shell/navigation-focus.ts: whether the view that appears was navigated to. The first one was not: the browser's own
// focus stands then.
let navigated = false

export function noteNavigation(): void {
  navigated = true
}

export function takeFocusAfterNavigation(): boolean {
  const answer = navigated
  navigated = false
  return answer
}
