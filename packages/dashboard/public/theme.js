// theme.js: runs before the first paint and applies an explicit choice of appearance, so that the wrong one never
// flashes. Uses the same key as src/theme/appearance.ts. System needs nothing: color-scheme follows the operating system.
try {
  const choice = localStorage.getItem('pulseward.appearance')
  if (choice === 'light' || choice === 'dark') document.documentElement.dataset.theme = choice
} catch {
  // Storage is blocked: the operating system decides.
}
