// simulation/model/reason.ts: why something happens, in the words of the page: behaviour.md names the rule, the model the
// values that it compared. What the page leaves open is left out, or is one of several.

/** A value that is left out may be any; of a list it is one. */
export interface ModelReason {
  readonly kind: string | readonly string[]
  readonly values?: Readonly<Record<string, unknown>>
  /** The action that it names, by the key of the model. */
  readonly action?: number
}

export function reason(kind: string, values: ModelReason['values'] = {}): ModelReason {
  return { kind, values }
}

/** One of the two: the page does not say which. */
export function either(one: ModelReason, other: ModelReason): ModelReason {
  return { kind: [one.kind, other.kind].flat() }
}

export function ofControl(verb: string, actor: string | null): ModelReason {
  return reason('control', { verb, actor })
}

/** The destination is not in the fleet any more. */
export const destinationRemoved = reason('configuration_changed', { what: 'destination' })
