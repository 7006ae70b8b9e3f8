// config/fleet-file/destinations.ts: who is notified, by the names of groups and of single endpoints.
export interface Destinations {
  readonly groups: readonly string[]
  readonly endpoints: readonly string[]
}
