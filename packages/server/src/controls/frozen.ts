// controls/frozen.ts: the subjects of a bulk control, each as it was when the control was requested.

/** A monitor as a bulk control leaves it, and the change of its current version. */
export interface FrozenItem {
  readonly id: string
  readonly name: string | null
  /** Canonical JSON, as is the spec. */
  readonly labels: string
  readonly spec: string
  readonly change: number
}

/** A subject of a bulk control: a monitor, or its incident, with the revision that it had. */
export interface FrozenRevision {
  /** The id of the monitor. */
  readonly id: string
  readonly revision: number
  readonly incidentId: string | null
}
