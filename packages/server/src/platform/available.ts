// platform/available.ts: data that may be unavailable. Unavailable is a separate type with a reason, so that
// it can never be mistaken for an empty list or a healthy fleet.
export type Available<Value> =
  | { readonly available: true; readonly value: Value }
  | { readonly available: false; readonly reason: string }

export function available<Value>(value: Value): Available<Value> {
  return { available: true, value }
}

export function unavailable(reason: string): Available<never> {
  return { available: false, reason }
}
