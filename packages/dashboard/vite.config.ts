// vite.config.ts: builds the page into dist. The service forbids inline scripts and styles, so nothing is
// inlined; every asset except the page and the theme script has a hash in its name.
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** The service from which `vite` (development) takes its data. */
const service = process.env['PULSEWARD_URL'] ?? 'http://127.0.0.1:8060'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), uplotInEnglish()],
  // The development server would prebundle it without the plugins.
  optimizeDeps: { exclude: ['uplot'] },
  build: {
    target: 'es2023',
    manifest: true,
    // Lists the licenses of everything in the bundle.
    license: { fileName: '.vite/license.json' },
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      treeshake: {
        // Building a schema has no side effects: without this, every schema of the wire, and the library
        // behind them, would be shipped for the few lists of words that the page needs. Only `Type` can be named here: a
        // name covers every variable that has it, in all modules, and what is called on it is left out. Functions of the
        // contract are marked where they are written (@__NO_SIDE_EFFECTS__).
        moduleSideEffects: [{ test: /\/(typebox|contract)\//, sideEffects: false }],
        manualPureFunctions: ['Type'],
      },
    },
  },
  server: { proxy: { '/api': service, '/metrics': service, '/session': service } },
})

/**
 * On import, uPlot creates a number format for `navigator.language`. On Linux that can be a POSIX locale such as
 * `en-US@posix`, which Intl rejects, and then no chart could be drawn. The page writes its numbers in English anyway.
 */
function uplotInEnglish(): Plugin {
  const browserFormat = "new Intl.NumberFormat(domEnv ? nav.language : 'en-US')"
  return {
    name: 'uplot-in-english',
    transform(code, id) {
      if (!id.endsWith('/uplot/dist/uPlot.esm.js')) return
      if (!code.includes(browserFormat))
        throw new Error('uPlot makes its number format in another way now: adapt uplotInEnglish to it.')
      return { code: code.replace(browserFormat, "new Intl.NumberFormat('en')"), map: null }
    },
  }
}
