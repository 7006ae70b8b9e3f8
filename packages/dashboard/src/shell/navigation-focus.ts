// shell/navigation-focus.ts: whether the user navigated to the current view. The first view was not navigated
// to: it keeps the browser's own focus.
let navigated = false

export function noteNavigation(): void {
  navigated = true
}

export function takeFocusAfterNavigation(): boolean {
  const answer = navigated
  navigated = false
  return answer
}
