// editions/choose-edition.ts: the one place where the name of an edition becomes an edition.
import { candidate } from './candidate.ts'
import type { Edition } from './edition.ts'
import { main } from './main.ts'
import { next } from './next.ts'

export function chooseEdition(name: 'main' | 'candidate' | 'next'): Edition {
  switch (name) {
    case 'main':
      return main
    case 'candidate':
      return candidate
    case 'next':
      return next
  }
}
