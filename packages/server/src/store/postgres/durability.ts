// store/postgres/durability.ts: what PostgreSQL may lose although it acknowledged it, by how it is set up.

export interface Durability {
  readonly fsync: boolean
  readonly synchronousCommit: string
  readonly synchronousStandbys: string
  /** Standbys that are connected. */
  readonly standbys: number
}

/** What can be lost although PostgreSQL acknowledged it. */
export function durabilityConcerns(durability: Durability): string[] {
  const { fsync, synchronousCommit, synchronousStandbys, standbys } = durability
  const concerns: string[] = []
  if (!fsync)
    concerns.push('PostgreSQL runs with fsync off: a crash of its machine can damage the store; turn it on.')
  if (synchronousCommit === 'off')
    concerns.push(
      'PostgreSQL acknowledges commits before they are on disk (synchronous_commit is off): a crash loses the last ones, and their notifications may be sent again; turn it on.',
    )
  if (standbys > 0 && (synchronousStandbys === '' || synchronousCommit === 'local'))
    concerns.push(
      'PostgreSQL has standbys that are not synchronous: a failover loses the last commits, and their notifications may be sent again; name them in synchronous_standby_names.',
    )
  return concerns
}
