// theme.js: runs before the first paint and sets an explicit choice of appearance, so that the wrong one never flashes.
// The key is that of src/theme/appearance.ts. System needs nothing: color-scheme follows the operating system.
try {
  const choice = localStorage.getItem('pulseward.appearance')
  if (choice === 'light' || choice === 'dark') document.documentElement.dataset.theme = choice
} catch {
  // Storage is forbidden: the operating system decides.
}
