// simulation/model/reason.ts: why something happens: behaviour.md names the rule, the model adds the values
// that it compared. What behaviour.md leaves open is omitted, or is one of several values.

/** An omitted value may be anything; a list allows any of its values. */
export interface ModelReason {
  readonly kind: string | readonly string[]
  readonly values?: Readonly<Record<string, unknown>>
  /** The action that the reason names, by the key of the model. */
  readonly action?: number
}

export function reason(kind: string, values: ModelReason['values'] = {}): ModelReason {
  return { kind, values }
}

/** One of the two: behaviour.md does not say which. */
export function either(one: ModelReason, other: ModelReason): ModelReason {
  return { kind: [one.kind, other.kind].flat() }
}

export function ofControl(verb: string, actor: string | null): ModelReason {
  return reason('control', { verb, actor })
}

/** The destination is no longer in the fleet. */
export const destinationRemoved = reason('configuration_changed', { what: 'destination' })
