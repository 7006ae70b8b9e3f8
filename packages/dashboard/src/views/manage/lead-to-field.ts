// views/manage/lead-to-field.ts: moves the focus to the field of a mistake, the nearest one around it if it has none.
import { isWithin } from './marks.ts'

const controls = 'input, select, textarea, button'

/** False if there is no field for it: only the text shows it. */
export function leadToField(form: HTMLElement | null, pointer: string): boolean {
  const places = [...(form?.querySelectorAll<HTMLElement>('[data-pointer]') ?? [])]
  const around = places
    .filter(({ dataset }) => isWithin(pointer, dataset['pointer'] ?? ''))
    .toSorted((one, other) => (other.dataset['pointer'] ?? '').length - (one.dataset['pointer'] ?? '').length)
  const control = around[0]?.querySelector<HTMLElement>(controls)
  control?.focus()
  return control != null
}
