// scripts/clean-root/root-command.ts: a command in a CleanRoot: its user and its environment.
export interface RootCommand {
  readonly words: readonly string[]
  /** The whole environment, except for a PATH. */
  readonly environment?: Readonly<Record<string, string>>
  /** Runs as this user and group, without capabilities; by default as root. */
  readonly uid?: number
  readonly cwd?: string
}

export interface CommandEnd {
  readonly status: number | null
  readonly output: string
}

export const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** Ends a command that hangs; a test cannot be interrupted while it waits for a command. */
export const longestMs = 300_000

/** The command line that runs as the given user; also for a command that joins a running process. */
export function asUser({ words, environment = {}, uid, cwd = '/' }: RootCommand): readonly string[] {
  const user =
    uid === undefined
      ? []
      : [
          'setpriv',
          `--reuid=${uid}`,
          `--regid=${uid}`,
          '--clear-groups',
          '--no-new-privs',
          '--inh-caps=-all',
          '--bounding-set=-all',
        ]
  const variables = Object.entries({ PATH: path, ...environment }).map(([name, value]) => `${name}=${value}`)
  return ['env', `--chdir=${cwd}`, '-i', ...variables, ...user, ...words]
}
