// controls/frozen.ts: what a control of many is about, each as it was when the control was asked for.

/** A monitor as a control of many leaves it, and the change that made the version which is there. */
export interface FrozenItem {
  readonly id: string
  readonly name: string | null
  /** Canonical JSON, as is the spec. */
  readonly labels: string
  readonly spec: string
  readonly change: number
}

/** What a control of many is asked of: a monitor, or its incident, in the revision that it had. */
export interface FrozenRevision {
  /** Of the monitor. */
  readonly id: string
  readonly revision: number
  readonly incidentId: string | null
}
