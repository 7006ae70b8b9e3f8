// editions/choose-edition.ts: the one place where the name of an edition becomes an edition. Only the modules of that one
// are loaded: those of the others would be ten megabytes of code that nothing runs.
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
