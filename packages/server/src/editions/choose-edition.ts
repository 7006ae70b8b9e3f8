// editions/choose-edition.ts: the one place that maps the name of an edition to the edition. Loads only the
// modules of that edition: the others would be ten megabytes of unused code.
import type { Edition } from './edition.ts'

export async function chooseEdition(name: 'main' | 'candidate' | 'next'): Promise<Edition> {
  switch (name) {
    case 'main':
      return (await import('./main.ts')).main
    case 'candidate':
      return (await import('./candidate.ts')).candidate
    case 'next':
      return (await import('./next.ts')).next
  }
}
